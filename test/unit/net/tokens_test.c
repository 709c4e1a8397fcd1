#include "net/tokens.h"

#include "test.h"

#include <errno.h>

static const int64_t now = INT64_C(1800000000000);
static const struct span key = SPAN("salt:hash");

static uint64_t ended[2 * TOKENS_MAX];
static size_t ended_count;

static void note(void *user UNUSED, uint64_t pass) {
    ended[ended_count++] = pass;
}

static void begin(struct tokens *t) {
    ended_count = 0;
    tokens_init(t, note, NULL);
}

/* The text of a token that nobody else has. */
static struct span token(unsigned i) {
    static char text[80];
    (void)snprintf(text, sizeof text, "%064x", i);
    return span_str(text);
}

TEST(a_token_lets_in_until_it_ends) {
    struct tokens t;
    begin(&t);
    uint64_t a = tokens_add(&t, token(1), now), b = tokens_add(&t, token(2), now);
    CHECK(a != 0 && b != 0 && a != b);
    CHECK_INT(tokens_find(&t, token(1), now), a);
    CHECK_INT(tokens_find(&t, token(2), now), b);
    CHECK_INT(tokens_find(&t, token(3), now), 0);
    CHECK_INT(tokens_find(&t, SPAN_NONE, now), 0);
    CHECK_INT(tokens_find(&t, SPAN("nonsense"), now), 0);
    tokens_end(&t, a);
    CHECK_INT(tokens_find(&t, token(1), now), 0);
    CHECK_INT(tokens_find(&t, token(2), now), b);
    CHECK_INT(ended_count, 1);
    CHECK_INT(ended[0], a);
    tokens_end_all(&t);
    CHECK_INT(ended_count, 2);
    CHECK_INT(tokens_find(&t, token(2), now), 0);
    tokens_fini(&t);
}

TEST(a_day_and_no_longer) {
    struct tokens t;
    begin(&t);
    uint64_t a = tokens_add(&t, token(1), now);
    uint64_t b = tokens_add(&t, token(2), now + 1000);
    CHECK_INT(tokens_sweep(&t, now + TOKENS_LIFE_MS - 1), now + TOKENS_LIFE_MS);
    CHECK_INT(tokens_find(&t, token(1), now + TOKENS_LIFE_MS - 1), a);
    CHECK_INT(tokens_find(&t, token(1), now + TOKENS_LIFE_MS), 0); /* nobody swept */
    CHECK_INT(ended_count, 1);
    CHECK_INT(tokens_sweep(&t, now + TOKENS_LIFE_MS), now + 1000 + TOKENS_LIFE_MS);
    CHECK_INT(tokens_sweep(&t, now + 1000 + TOKENS_LIFE_MS), INT64_MAX);
    CHECK_INT(ended_count, 2);
    CHECK_INT(ended[1], b);
    tokens_fini(&t);
}

TEST(a_clock_that_is_set_back_makes_nobody_live_longer) {
    struct tokens t;
    begin(&t);
    uint64_t a = tokens_add(&t, token(1), now);
    CHECK_INT(tokens_find(&t, token(1), now - TOKENS_HURRY_MS), a);
    CHECK_INT(tokens_find(&t, token(1), now - TOKENS_HURRY_MS - 1), 0);
    tokens_fini(&t);
}

TEST(the_oldest_goes_when_there_are_too_many) {
    struct tokens t;
    begin(&t);
    for (unsigned i = 0; i < TOKENS_MAX; i++)
        (void)tokens_add(&t, token(i), now + i);
    CHECK_INT(ended_count, 0);
    uint64_t first = tokens_find(&t, token(0), now);
    (void)tokens_add(&t, token(TOKENS_MAX), now);
    CHECK_INT(ended_count, 1);
    CHECK_INT(ended[0], first);
    CHECK_INT(tokens_find(&t, token(0), now), 0);
    CHECK(tokens_find(&t, token(1), now) != 0);
    struct buf out = BUF_INIT(TOKENS_FILE_BYTES);
    tokens_write(&t, key, &out);
    CHECK(!out.failed);
    buf_fini(&out);
    tokens_fini(&t);
}

TEST(a_file_brings_them_back) {
    struct tokens t, again;
    begin(&t);
    (void)tokens_add(&t, token(1), now - TOKENS_LIFE_MS + 5);
    (void)tokens_add(&t, token(2), now);
    struct buf out = BUF_INIT(TOKENS_FILE_BYTES), twice = BUF_INIT(TOKENS_FILE_BYTES);
    tokens_write(&t, key, &out);
    CHECK(!memmem(out.p, out.n, token(1).p, 64)); /* no token is in it */

    tokens_init(&again, note, NULL);
    CHECK_INT(tokens_read(&again, buf_span(&out), key, now), 0);
    CHECK(tokens_find(&again, token(1), now) != 0);
    CHECK(tokens_find(&again, token(2), now) != 0);
    tokens_write(&again, key, &twice);
    CHECK_STR(twice.p, out.p);
    tokens_fini(&again);

    tokens_init(&again, note, NULL); /* a little later one is over */
    CHECK_INT(tokens_read(&again, buf_span(&out), key, now + 5), 0);
    CHECK_INT(tokens_find(&again, token(1), now + 5), 0);
    CHECK(tokens_find(&again, token(2), now + 5) != 0);
    tokens_fini(&again);

    tokens_init(&again, note, NULL); /* another password */
    CHECK_INT(tokens_read(&again, buf_span(&out), SPAN("salt:other"), now), 0);
    CHECK_INT(again.by_hash.count, 0);
    tokens_fini(&again);
    buf_fini(&out);
    buf_fini(&twice);
    tokens_fini(&t);
}

/* Nothing of a file that is damaged is believed. */
static void refuse(struct span text) {
    struct tokens t;
    begin(&t);
    CHECK_INT(tokens_read(&t, text, key, now), -EINVAL);
    CHECK_INT(t.by_hash.count, 0);
    CHECK_INT(ended_count, 0);
    tokens_fini(&t);
}

TEST(a_damaged_file_is_nobodys) {
    struct tokens t;
    begin(&t);
    (void)tokens_add(&t, token(1), now);
    (void)tokens_add(&t, token(2), now);
    struct buf out = BUF_INIT(TOKENS_FILE_BYTES);
    tokens_write(&t, key, &out);
    struct span head = span_of(out.p, (size_t)(strchr(out.p, '\n') - out.p) + 1);
    for (size_t n = head.n + 1; n < out.n; n++) /* cut off: but for the end of a line */
        if (out.p[n - 1] != '\n') refuse(span_of(out.p, n));
    refuse(SPAN_NONE);
    refuse(SPAN("ostler-tokens 2 abc\n"));
    static const char *const rests[] = {
        "", " ", " -1", " 99999999999999999999", " 18000000000000000000", " 1 ", "1 1", " 0x1", " 1\r"};
    for (size_t i = 0; i < ARRAY_LEN(rests); i++) {
        struct buf bad = BUF_INIT(1000);
        (void)buf_append_span(&bad, head);
        (void)buf_printf(&bad, "%064d%s\n", 7, rests[i]);
        refuse(buf_span(&bad));
        buf_fini(&bad);
    }
    struct buf twice = BUF_INIT(1000);
    (void)buf_append_span(&twice, buf_span(&out));
    (void)buf_append_span(&twice, span_skip(buf_span(&out), head.n));
    refuse(buf_span(&twice));
    buf_fini(&twice);
    buf_fini(&out);
    tokens_fini(&t);
}

TESTS(RUN(a_token_lets_in_until_it_ends), RUN(a_day_and_no_longer),
      RUN(a_clock_that_is_set_back_makes_nobody_live_longer), RUN(the_oldest_goes_when_there_are_too_many),
      RUN(a_file_brings_them_back), RUN(a_damaged_file_is_nobodys))
