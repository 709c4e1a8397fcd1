#include "net/tokens.h"

#include "base/cleanup.h"
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

/* The text of a secret that nobody else has. */
static struct span secret(unsigned i) {
    static char texts[8][80];
    static unsigned next;
    char *text = texts[next++ % 8];
    (void)snprintf(text, 80, "%064x", i);
    return span_str(text);
}

static struct token_pair whole(unsigned i) {
    return (struct token_pair){.first = secret(i)};
}

static struct token_pair halves(unsigned cookie, unsigned page) {
    return (struct token_pair){.first = secret(cookie), .key = secret(page)};
}

static uint64_t add(struct tokens *t, unsigned id, struct token_pair pair, int64_t at) {
    static const struct token_from from = {"127.0.0.1", "jo", "Firefox 128 on Linux"};
    char text[TOKEN_ID_BYTES];
    (void)snprintf(text, sizeof text, "%08x", id);
    return tokens_add(t, span_str(text), pair, &from, at);
}

TEST(a_token_lets_in_until_it_ends) {
    struct tokens t;
    begin(&t);
    uint64_t a = add(&t, 1, whole(1), now), b = add(&t, 2, whole(2), now);
    CHECK(a != 0 && b != 0 && a != b);
    CHECK_INT(tokens_find(&t, whole(1), now), a);
    CHECK_INT(tokens_find(&t, whole(2), now), b);
    CHECK_INT(tokens_find(&t, whole(3), now), 0);
    CHECK_INT(tokens_find(&t, (struct token_pair){.first = SPAN_NONE}, now), 0);
    CHECK_INT(tokens_find(&t, (struct token_pair){.first = SPAN("nonsense")}, now), 0);
    CHECK_INT(add(&t, 2, whole(5), now), 0); /* two of one name could not be told apart */
    tokens_end(&t, a);
    CHECK_INT(tokens_find(&t, whole(1), now), 0);
    CHECK_INT(tokens_find(&t, whole(2), now), b);
    CHECK_INT(ended_count, 1);
    CHECK_INT(ended[0], a);
    tokens_end_all(&t);
    CHECK_INT(ended_count, 2);
    CHECK_INT(tokens_find(&t, whole(2), now), 0);
    tokens_fini(&t);
}

TEST(one_half_is_worth_nothing) {
    struct tokens t;
    begin(&t);
    uint64_t a = add(&t, 1, halves(1, 2), now), b = add(&t, 2, halves(3, 4), now),
             c = add(&t, 3, whole(5), now);
    CHECK_INT(tokens_find(&t, halves(1, 2), now), a);
    CHECK_INT(tokens_find(&t, halves(3, 4), now), b);
    CHECK_INT(tokens_find(&t, whole(5), now), c);
    for (unsigned i = 1; i <= 4; i++) {
        CHECK_INT(tokens_find(&t, whole(i), now), 0); /* as a bearer, or as a cookie alone */
        CHECK_INT(tokens_find(&t, (struct token_pair){.key = secret(i)}, now), 0);
    }
    CHECK_INT(tokens_find(&t, halves(2, 1), now), 0); /* each in its own place */
    CHECK_INT(tokens_find(&t, halves(1, 1), now), 0);
    CHECK_INT(tokens_find(&t, halves(1, 4), now), 0); /* and with its own other */
    CHECK_INT(tokens_find(&t, halves(5, 2), now), 0); /* a whole token is no half */
    CHECK_INT(tokens_find(&t, halves(5, 5), now), 0);
    CHECK_INT(tokens_find(&t, (struct token_pair){.first = secret(1), .key = SPAN("2")}, now), 0);
    tokens_fini(&t);
}

TEST(new_halves_take_over_without_anybody_falling_out) {
    struct tokens t;
    begin(&t);
    uint64_t a = add(&t, 1, halves(1, 2), now);
    int64_t later = now + TOKENS_RENEW_MS;
    CHECK(!tokens_renew(&t, halves(1, 3), halves(11, 12), later)); /* who has one half gets no other */
    CHECK(tokens_renew(&t, halves(1, 2), halves(11, 12), later));
    CHECK_INT(tokens_find(&t, halves(1, 2), later + TOKENS_RENEW_MS), a); /* nobody has seen the new ones */
    CHECK_INT(tokens_find(&t, halves(11, 2), later),
              a); /* a cookie is there before the page reads the answer */
    CHECK_INT(tokens_find(&t, halves(1, 12), later), a);
    CHECK_INT(tokens_find(&t, halves(11, 12), later), a);
    int64_t over = later + TOKENS_OVERLAP_MS;
    CHECK_INT(tokens_find(&t, halves(1, 2), over - 1), a); /* what was under way */
    CHECK_INT(tokens_find(&t, halves(1, 2), over), 0);
    CHECK_INT(tokens_find(&t, halves(11, 2), over), 0);
    CHECK_INT(tokens_find(&t, halves(1, 12), over), 0);
    CHECK_INT(tokens_find(&t, halves(11, 12), over), a);
    CHECK_INT(ended_count, 0);
    CHECK_INT(t.count, 1);
    tokens_end(&t, a);
    CHECK_INT(t.by_hash.count, 0);
    tokens_fini(&t);
}

TEST(of_several_tabs_one_gets_the_new_halves) {
    struct tokens t;
    begin(&t);
    uint64_t a = add(&t, 1, halves(1, 2), now);
    int64_t later = now + TOKENS_RENEW_MS;
    CHECK(!tokens_renew(&t, halves(1, 2), halves(11, 12), now + TOKENS_OVERLAP_MS - 1)); /* they are new */
    CHECK(tokens_renew(&t, halves(1, 2), halves(11, 12), later));
    CHECK(!tokens_renew(&t, halves(1, 2), halves(21, 22), later));
    CHECK(!tokens_renew(&t, halves(11, 12), halves(21, 22), later + TOKENS_OVERLAP_MS - 1));
    CHECK_INT(tokens_find(&t, halves(21, 22), later), 0);
    CHECK_INT(tokens_find(&t, halves(1, 2), later), a);
    CHECK_INT(tokens_find(&t, halves(11, 12), later), a);
    tokens_fini(&t);
}

TEST(an_answer_that_was_lost_locks_nobody_out) {
    struct tokens t;
    begin(&t);
    uint64_t a = add(&t, 1, halves(1, 2), now);
    int64_t later = now + TOKENS_RENEW_MS;
    CHECK(tokens_renew(&t, halves(1, 2), halves(11, 12), later)); /* nothing of it arrived */
    later += TOKENS_RENEW_MS;
    CHECK(tokens_renew(&t, halves(1, 2), halves(21, 22), later)); /* only the cookie did */
    later += TOKENS_RENEW_MS;
    CHECK_INT(tokens_find(&t, halves(21, 2), later), a);
    CHECK(tokens_renew(&t, halves(21, 2), halves(31, 32), later));
    CHECK_INT(tokens_find(&t, halves(11, 12), later), 0);
    CHECK_INT(tokens_find(&t, halves(21, 22), later), 0); /* which nobody ever had */
    CHECK_INT(tokens_find(&t, halves(21, 2), later), a);
    CHECK_INT(tokens_find(&t, halves(31, 32), later), a);
    CHECK_INT(tokens_find(&t, halves(21, 2), later + TOKENS_OVERLAP_MS), 0);
    CHECK_INT(t.by_hash.count, 2);
    tokens_fini(&t);
}

TEST(a_whole_token_is_not_renewed) {
    struct tokens t;
    begin(&t);
    (void)add(&t, 1, whole(1), now);
    CHECK(!tokens_renew(&t, whole(1), halves(11, 12), now + TOKENS_RENEW_MS));
    CHECK(!tokens_renew(&t, whole(1), whole(11), now + TOKENS_RENEW_MS));
    tokens_fini(&t);
}

TEST(new_halves_do_not_make_a_login_longer) {
    struct tokens t;
    begin(&t);
    uint64_t a = add(&t, 1, halves(1, 2), now);
    CHECK(tokens_renew(&t, halves(1, 2), halves(11, 12), now + TOKENS_LIFE_MS - 1));
    CHECK_INT(tokens_find(&t, halves(11, 12), now + TOKENS_LIFE_MS - 1), a);
    CHECK_INT(tokens_find(&t, halves(11, 12), now + TOKENS_LIFE_MS), 0);
    CHECK_INT(ended_count, 1);
    tokens_fini(&t);
}

TEST(people_find_them_by_their_ids) {
    struct tokens t;
    begin(&t);
    uint64_t a = add(&t, 0xabc, whole(1), now);
    CHECK_INT(tokens_by_id(&t, SPAN("00000abc"))->pass, a);
    CHECK(!tokens_by_id(&t, SPAN("00000abd")) && !tokens_by_id(&t, SPAN_NONE));
    CHECK_STR(tokens_get(&t, a)->from.agent, "Firefox 128 on Linux");
    CHECK(!tokens_get(&t, a + 1));
    (void)tokens_find(&t, whole(1), now + 5);
    CHECK_INT(tokens_get(&t, a)->used_ms, now + 5);
    CHECK(token_id_valid(SPAN("0123abcd")));
    CHECK(!token_id_valid(SPAN("0123abc")) && !token_id_valid(SPAN("0123abcg")) &&
          !token_id_valid(SPAN("0123ABCD")));
    tokens_fini(&t);
}

TEST(a_day_and_no_longer) {
    struct tokens t;
    begin(&t);
    uint64_t a = add(&t, 1, whole(1), now);
    uint64_t b = add(&t, 2, whole(2), now + 1000);
    CHECK_INT(tokens_sweep(&t, now + TOKENS_LIFE_MS - 1), now + TOKENS_LIFE_MS);
    CHECK_INT(tokens_find(&t, whole(1), now + TOKENS_LIFE_MS - 1), a);
    CHECK_INT(tokens_find(&t, whole(1), now + TOKENS_LIFE_MS), 0); /* nobody swept */
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
    uint64_t a = add(&t, 1, whole(1), now);
    CHECK_INT(tokens_find(&t, whole(1), now - TOKENS_HURRY_MS), a);
    CHECK_INT(tokens_find(&t, whole(1), now - TOKENS_HURRY_MS - 1), 0);
    a = add(&t, 2, halves(1, 2), now);
    CHECK(tokens_renew(&t, halves(1, 2), halves(11, 12), now + TOKENS_RENEW_MS));
    CHECK_INT(tokens_find(&t, halves(11, 12), now + TOKENS_RENEW_MS), a);
    CHECK_INT(tokens_find(&t, halves(1, 2), now + 1), 0); /* not an hour more for the old ones */
    tokens_fini(&t);
}

TEST(the_oldest_goes_when_there_are_too_many) {
    struct tokens t;
    begin(&t);
    for (unsigned i = 0; i < TOKENS_MAX; i++)
        (void)add(&t, i, i % 2 ? halves(i, i + 100000) : whole(i), now + i);
    CHECK_INT(ended_count, 0);
    uint64_t first = tokens_find(&t, whole(0), now);
    (void)add(&t, TOKENS_MAX, whole(TOKENS_MAX), now);
    CHECK_INT(ended_count, 1);
    CHECK_INT(ended[0], first);
    CHECK_INT(tokens_find(&t, whole(0), now), 0);
    CHECK(tokens_find(&t, halves(1, 100001), now) != 0);
    struct buf out = BUF_INIT(TOKENS_FILE_BYTES);
    tokens_write(&t, key, &out);
    CHECK(!out.failed);
    buf_fini(&out);
    tokens_fini(&t);
}

TEST(the_longest_lines_fit_into_the_file) {
    struct tokens t;
    begin(&t);
    struct token_from from;
    memset(&from, 'x', sizeof from);
    from.address[sizeof from.address - 1] = from.user[sizeof from.user - 1] =
        from.agent[sizeof from.agent - 1] = '\0';
    uint64_t pass = tokens_add(&t, SPAN("00000001"), halves(1, 2), &from, now);
    CHECK(tokens_renew(&t, halves(1, 2), halves(11, 12), now + TOKENS_RENEW_MS));
    CHECK_INT(tokens_find(&t, halves(11, 12), now + TOKENS_RENEW_MS), pass);
    struct buf out = BUF_INIT(256 + TOKENS_LINE_BYTES);
    tokens_write(&t, key, &out);
    CHECK(!out.failed);
    buf_fini(&out);
    tokens_fini(&t);
}

TEST(a_file_brings_them_back) {
    struct tokens t, again;
    begin(&t);
    (void)add(&t, 1, whole(1), now - TOKENS_LIFE_MS + 5);
    (void)add(&t, 2, halves(2, 3), now - TOKENS_RENEW_MS);
    (void)add(&t, 3, halves(4, 5), now - TOKENS_RENEW_MS);
    CHECK(tokens_renew(&t, halves(2, 3), halves(12, 13), now) &&
          tokens_renew(&t, halves(4, 5), halves(14, 15), now));
    (void)tokens_find(&t, halves(14, 15), now);
    struct buf out = BUF_INIT(TOKENS_FILE_BYTES), twice = BUF_INIT(TOKENS_FILE_BYTES);
    tokens_write(&t, key, &out);
    static const unsigned secrets[] = {1, 2, 3, 12, 13};
    for (size_t i = 0; i < ARRAY_LEN(secrets); i++) /* none is in it */
        CHECK(!memmem(out.p, out.n, secret(secrets[i]).p, 64));

    tokens_init(&again, note, NULL);
    CHECK_INT(tokens_read(&again, buf_span(&out), key, now), 0);
    tokens_write(&again, key, &twice);
    CHECK_STR(twice.p, out.p);
    CHECK(tokens_find(&again, whole(1), now) != 0);
    CHECK(tokens_find(&again, halves(2, 3), now + TOKENS_OVERLAP_MS) != 0);
    CHECK(tokens_find(&again, halves(12, 13), now) != 0);
    CHECK(tokens_find(&again, halves(4, 5), now + TOKENS_OVERLAP_MS - 1) != 0);
    CHECK_INT(tokens_find(&again, halves(4, 5), now + TOKENS_OVERLAP_MS), 0);
    CHECK_STR(tokens_by_id(&again, SPAN("00000002"))->from.user, "jo");
    tokens_fini(&again);

    tokens_init(&again, note, NULL); /* a little later one is over */
    CHECK_INT(tokens_read(&again, buf_span(&out), key, now + 5), 0);
    CHECK_INT(tokens_find(&again, whole(1), now + 5), 0);
    CHECK(tokens_find(&again, halves(2, 3), now + 5) != 0);
    tokens_fini(&again);

    tokens_init(&again, note, NULL); /* another password */
    CHECK_INT(tokens_read(&again, buf_span(&out), SPAN("salt:other"), now), 0);
    CHECK_INT(again.count, 0);
    tokens_fini(&again);
    buf_fini(&out);
    buf_fini(&twice);
    tokens_fini(&t);
}

TEST(tokens_that_were_cookies_are_nobodys) {
    struct tokens t;
    begin(&t);
    struct buf old = BUF_INIT(1000);
    char hash[DIGEST_SHA256_HEX], token[DIGEST_SHA256_HEX];
    digest_sha256(key, hash);
    digest_sha256(secret(1), token);
    (void)buf_printf(&old, "ostler-tokens 1 %s\n%s %lld\n", hash, token, (long long)now);
    CHECK_INT(tokens_read(&t, buf_span(&old), key, now), 0);
    CHECK_INT(t.count, 0);
    buf_fini(&old);
    tokens_fini(&t);
}

/* Nothing of a file that is damaged is believed. */
static void refuse(struct span text) {
    struct tokens t;
    begin(&t);
    CHECK_INT(tokens_read(&t, text, key, now), -EINVAL);
    CHECK_INT(t.count, 0);
    CHECK_INT(ended_count, 0);
    tokens_fini(&t);
}

#define HASH "0000000000000000000000000000000000000000000000000000000000000007"
#define OTHER "0000000000000000000000000000000000000000000000000000000000000008"

TEST(a_damaged_file_is_nobodys) {
    struct tokens t;
    begin(&t);
    (void)add(&t, 1, whole(1), now);
    (void)add(&t, 2, halves(2, 3), now);
    struct buf out = BUF_INIT(TOKENS_FILE_BYTES);
    tokens_write(&t, key, &out);
    struct span head = span_of(out.p, (size_t)(strchr(out.p, '\n') - out.p) + 1);
    for (size_t n = head.n + 1; n < out.n; n++) /* cut off: but for the end of a line */
        if (out.p[n - 1] != '\n') refuse(span_of(out.p, n));
    refuse(SPAN_NONE);
    refuse(SPAN("ostler-tokens 4 abc\n"));
    static const char *const lines[] = {
        "",
        "0000000g 1 1 1 " HASH " - 0 - - 0 - - -",
        "00000007 -1 1 1 " HASH " - 0 - - 0 - - -",
        "00000007 99999999999999999999 1 1 " HASH " - 0 - - 0 - - -",
        "00000007 18000000000000000000 1 1 " HASH " - 0 - - 0 - - -",
        "00000007 1 0x1 1 " HASH " - 0 - - 0 - - -",
        "00000007 1 1 1 - - 0 - - 0 - - -",
        "00000007 1 1 1 " HASH "0 - 0 - - 0 - - -",
        "00000007 1 1 1 " HASH " - 7 - - 0 - - -",
        "00000007 1 1 1 " HASH " - 0 - " OTHER " 0 - - -",
        "00000007 1 1 1 " HASH " - 0 - - 0 - -",
        "00000007 1 1 1 " HASH " - 0 - - 0 - - ",
        "00000007 1 1 1 " HASH " - 0 - - 0 - - \x1b[2J",
        "00000007 1 1 1 " HASH " - 0 - - 0 - <b> -",
        "00000007 1 1 1 " HASH " - 0 - - 0 - - x\r",
        "00000007 1800000000000 1 1 " HASH " " HASH " 0 - - 0 - - -",
    };
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        struct buf bad = BUF_INIT(2000);
        (void)buf_append_span(&bad, head);
        (void)buf_printf(&bad, "%s\n", lines[i]);
        refuse(buf_span(&bad));
        buf_fini(&bad);
    }
    struct buf twice = BUF_INIT(4000);
    (void)buf_append_span(&twice, buf_span(&out));
    (void)buf_append_span(&twice, span_skip(buf_span(&out), head.n));
    refuse(buf_span(&twice));
    buf_fini(&twice);
    buf_fini(&out);
    tokens_fini(&t);
}

static bool holds(const void *memory, size_t n, struct span secret_text) {
    return memmem(memory, n, secret_text.p, secret_text.n) != NULL;
}

/* How long a search takes says nothing of a secret: what is looked for is its hash, and nothing else is kept to be compared with. */
TEST(hundreds_are_found_by_their_hashes_only) {
    enum { MANY = TOKENS_MAX, APART = 0x10101 }; /* no two differ in one digit */
    static uint64_t passes[MANY];
    static char file[TOKENS_FILE_BYTES];
    struct tokens t;
    begin(&t);
    for (unsigned i = 0; i < MANY; i++)
        passes[i] = add(&t, i, i % 2 ? whole(i * APART) : halves(i * APART, (MANY + i) * APART), now);
    struct buf text = BUF_INIT(sizeof file);
    tokens_write(&t, key, &text);
    for (unsigned i = 0; i < MANY; i++) {
        struct token_pair pair = i % 2 ? whole(i * APART) : halves(i * APART, (MANY + i) * APART);
        char hash[DIGEST_SHA256_HEX];
        digest_sha256(pair.first, hash);
        CHECK_INT(tokens_find(&t, pair, now), passes[i]);
        const struct token *one = map_get(&t.by_hash, span_str(hash));
        CHECK_INT(one->pass, passes[i]);
        CHECK(map_get(&t.by_hash, pair.first) == NULL);
        CHECK(!holds(one, sizeof *one, pair.first));
        CHECK(!holds(text.p, text.n, pair.first));
        if (pair.key.n) CHECK(!holds(one, sizeof *one, pair.key) && !holds(text.p, text.n, pair.key));
    }
    /* One digit is wrong, early or late. */
    for (size_t at = 0; at < 64; at++) {
        char wrong[65];
        memcpy(wrong, secret(APART).p, sizeof wrong);
        wrong[at] = wrong[at] == 'a' ? 'b' : 'a';
        CHECK_INT(tokens_find(&t, (struct token_pair){.first = span_str(wrong)}, now), 0);
        memcpy(wrong, secret(MANY * APART).p, sizeof wrong);
        wrong[at] = wrong[at] == 'a' ? 'b' : 'a';
        CHECK_INT(tokens_find(&t, (struct token_pair){.first = secret(0), .key = span_str(wrong)}, now), 0);
    }
    buf_fini(&text);
    tokens_fini(&t);
}

TEST(a_paired_one_lives_as_long_as_it_is_renewed) {
    static const struct token_from from = {"192.168.1.7", "", "Chrome 140 on Android"};
    static const struct token_terms terms = {.paired = true, .look_only = true, .name = "my phone"};
    struct tokens t, again;
    AUTO(buf) struct buf text = BUF_INIT(TOKENS_FILE_BYTES);
    begin(&t);
    uint64_t a = tokens_add_with(&t, SPAN("0badcafe"), halves(1, 2), &from, &terms, now);
    int64_t later = now + TOKENS_PAIRED_MS - 1;
    CHECK_INT(tokens_find(&t, halves(1, 2), later), a);
    CHECK(tokens_renew(&t, halves(1, 2), halves(11, 12), later));
    CHECK_INT(tokens_find(&t, halves(11, 12), later + TOKENS_PAIRED_MS - 1), a);
    tokens_write(&t, key, &text);
    begin(&again);
    CHECK_INT(tokens_read(&again, buf_span(&text), key, later), 0);
    const struct token *one = tokens_by_id(&again, SPAN("0badcafe"));
    CHECK(one && one->terms.paired && one->terms.look_only);
    CHECK_STR(one->terms.name, "my phone");
    CHECK_INT(token_until(one), later + TOKENS_PAIRED_MS);
    CHECK_INT(tokens_find(&t, halves(11, 12), later + TOKENS_PAIRED_MS), 0);
    tokens_fini(&t);
    tokens_fini(&again);
}

TEST(a_file_of_the_version_before_is_read) {
    struct tokens t;
    char hash[DIGEST_SHA256_HEX];
    AUTO(buf) struct buf old = BUF_INIT(4096);
    digest_sha256(key, hash);
    (void)buf_printf(
        &old,
        "ostler-tokens 2 %s\n0badcafe %lld %lld %lld %.*s - 0 - - 0 127.0.0.1 jo Firefox 128 on Linux\n",
        hash, (long long)now, (long long)now, (long long)now, SPAN_ARG(secret(7)));
    begin(&t);
    CHECK_INT(tokens_read(&t, buf_span(&old), key, now), 0);
    const struct token *one = tokens_by_id(&t, SPAN("0badcafe"));
    CHECK(one && !one->terms.paired && !one->terms.look_only);
    CHECK_STR(one->from.agent, "Firefox 128 on Linux");
    tokens_fini(&t);
}

/* Neither does everybody have to log in again, nor does anybody stay for ever. */
TEST(a_clock_that_is_set_changes_nothing_about_their_age) {
    static const int64_t days = 3 * TOKENS_LIFE_MS;
    struct tokens t;
    begin(&t);
    uint64_t a = add(&t, 1, whole(1), now), b = add(&t, 2, halves(2, 3), now + 1000);
    CHECK(tokens_renew(&t, halves(2, 3), halves(4, 5), now + TOKENS_RENEW_MS));
    CHECK_INT(tokens_find(&t, halves(4, 5), now + TOKENS_RENEW_MS), b);
    int64_t at = now + TOKENS_RENEW_MS;
    for (int i = 0; i < 3; i++) {
        int64_t by = i == 1 ? -2 * days : days;
        tokens_clock_set(&t, by);
        at += by;
        CHECK_INT(tokens_find(&t, whole(1), at), a);
        CHECK_INT(tokens_find(&t, halves(4, 5), at), b);
    }
    CHECK_INT(tokens_find(&t, halves(2, 3), at + TOKENS_OVERLAP_MS - 1), b);
    CHECK_INT(tokens_find(&t, halves(2, 3), at + TOKENS_OVERLAP_MS), 0);
    CHECK_INT(tokens_find(&t, whole(1), now + TOKENS_LIFE_MS - 1), a);
    CHECK_INT(tokens_find(&t, whole(1), now + TOKENS_LIFE_MS), 0);
    tokens_fini(&t);
}

TESTS(RUN(a_paired_one_lives_as_long_as_it_is_renewed), RUN(a_file_of_the_version_before_is_read),
      RUN(hundreds_are_found_by_their_hashes_only), RUN(a_token_lets_in_until_it_ends),
      RUN(one_half_is_worth_nothing), RUN(new_halves_take_over_without_anybody_falling_out),
      RUN(of_several_tabs_one_gets_the_new_halves), RUN(an_answer_that_was_lost_locks_nobody_out),
      RUN(a_whole_token_is_not_renewed), RUN(new_halves_do_not_make_a_login_longer),
      RUN(people_find_them_by_their_ids), RUN(a_day_and_no_longer),
      RUN(a_clock_that_is_set_back_makes_nobody_live_longer), RUN(the_oldest_goes_when_there_are_too_many),
      RUN(the_longest_lines_fit_into_the_file), RUN(a_file_brings_them_back),
      RUN(tokens_that_were_cookies_are_nobodys), RUN(a_damaged_file_is_nobodys),
      RUN(a_clock_that_is_set_changes_nothing_about_their_age))
