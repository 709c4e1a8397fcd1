/*
 * The built-in rules, as the engine applies them to a stream in pieces, against what they mean for the whole stream at once
 * (redact_oracle): byte for byte the same, however the stream is cut, by each of the ways in which the engine can look for where
 * rules may begin. An argument is the seed of an earlier run, a second one how many times as much is tried.
 */
#include "redact_cases.h"
#include "redact_oracle.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "term/redact_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

enum {
    DRAWS_MAX = 400,    /* until a rule has masked something */
    SHORT_ROUNDS = 15,  /* cut at every place */
    MIDDLE_ROUNDS = 40, /* cut into pieces of all sizes */
    LONG_ROUNDS = 1,    /* longer than what is looked at at a time, with much that is ordinary */
    SHORT_BYTES = 200,
    MIDDLE_BYTES = 2000,
    LONG_BYTES = 48 << 10,
    STREAM_BYTES_MAX = 1 << 20,
    HELD_BYTES = 6 << 10, /* less than what the engine gives up at */
};

static uint64_t first_seed;
static unsigned compared, left_out;

static void NORETURN fail(const char *what, struct span raw, struct span want, struct span got) {
    printf("not ok 1 - seed %" PRIu64 ": %s\n", first_seed, what);
    size_t at = 0;
    while (at < want.n && at < got.n && want.p[at] == got.p[at])
        at++;
    size_t from = at > 100 ? at - 100 : 0;
    const struct {
        const char *name;
        struct span s;
    } shown[] = {{"raw ", raw}, {"want", want}, {"got ", got}};
    printf("# differ at %zu of %zu\n", at, raw.n);
    for (size_t i = 0; i < ARRAY_LEN(shown); i++) {
        printf("# %s ", shown[i].name);
        for (size_t k = from; k < shown[i].s.n && k < at + 100; k++) {
            unsigned char c = (unsigned char)shown[i].s.p[k];
            printf(c < 0x20 || c >= 0x7f ? "\\x%02x" : "%c", c);
        }
        printf("\n");
    }
    exit(1);
}

/* In pieces of at most so many bytes. False when so much was held back that the engine had to decide without knowing. */
static bool feed(const struct redact_set *set, struct span raw, size_t first, uint32_t most,
                 struct buf *out) {
    struct redact *r = redact_new(set);
    bool exact = true;
    buf_clear(out);
    for (size_t n = first; raw.n; n = 1 + cases_below(most)) {
        struct span cut = span_take(raw, n);
        if (redact_feed(r, cut, out) < 0) exit(1);
        exact &= redact_held(r) < HELD_BYTES;
        raw = span_skip(raw, cut.n);
    }
    if (redact_flush(r, out) < 0) exit(1);
    exact &= redact_refused(r) == 0;
    redact_free(r);
    return exact;
}

static void compare(const char *how, struct span raw, struct span want, const struct buf *got) {
    if (!span_eq(want, buf_span(got))) fail(how, raw, want, buf_span(got));
    compared++;
}

/* Another one goes on behind `cut`, where the first has let everything through: it masks there what a single one would. */
static void check_resumed(const struct redact_set *set, struct span raw, struct span want, size_t cut,
                          struct buf *got) {
    if (redact_unfinished(span_take(raw, cut))) return;
    struct redact *r = redact_new(set);
    buf_clear(got);
    redact_resume(r, span_take(raw, cut));
    if (redact_feed(r, span_skip(raw, cut), got) < 0 || redact_flush(r, got) < 0) exit(1);
    redact_free(r);
    compare("resumed", span_skip(raw, cut), span_skip(want, cut), got);
}

/* What the streams are tried with: the rules, looked for in each of the ways that this CPU has. */
struct engines {
    struct redact_set *v[3];
    size_t n;
};

static void play(const struct engines *e, struct redact_oracle *o, const struct buf *stream,
                 bool everywhere) {
    struct span raw = buf_span(stream);
    AUTO(buf) struct buf want = BUF_INIT(STREAM_BYTES_MAX);
    AUTO(buf) struct buf got = BUF_INIT(STREAM_BYTES_MAX);
    /* A secret that is longer than what is held back is masked as far as it is known to be one: that depends on the pieces. */
    if (!feed(e->v[0], raw, 1, 512, &got)) {
        left_out++;
        return;
    }
    redact_oracle_mask(o, raw, buf_reserve(&want, raw.n));
    buf_grew(&want, raw.n);
    for (size_t i = 0; i < e->n; i++) {
        (void)feed(e->v[i], raw, raw.n, 1, &got);
        compare("all at once", raw, buf_span(&want), &got);
        (void)feed(e->v[i], raw, 1, 1, &got);
        compare("byte by byte", raw, buf_span(&want), &got);
        for (uint32_t most = 4; most < 5000; most *= 6) {
            (void)feed(e->v[i], raw, 1 + cases_below(most), most, &got);
            compare("in pieces", raw, buf_span(&want), &got);
        }
    }
    for (size_t cut = 1; everywhere && cut < raw.n; cut++) {
        (void)feed(e->v[cut % e->n], raw, cut, (uint32_t)raw.n, &got);
        compare("cut once", raw, buf_span(&want), &got);
        check_resumed(e->v[cut % e->n], raw, buf_span(&want), cut, &got);
    }
}

static void open_engines(struct engines *e) {
    prefilter_agree *const ways[] = {NULL, redact_prefilter_avx2(), redact_prefilter_vbmi()};
    *e = (struct engines){.n = 0};
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        if (i && !ways[i]) continue;
        if (redact_compile(SPAN_NONE, &e->v[e->n], NULL) < 0) exit(1);
        e->v[e->n++]->prefilter.agree = ways[i];
    }
}

static void play_rounds(const struct engines *e, struct redact_oracle *o, unsigned rounds, size_t bytes) {
    AUTO(buf) struct buf stream = BUF_INIT(STREAM_BYTES_MAX);
    for (unsigned i = 0; i < rounds; i++) {
        buf_clear(&stream);
        if (bytes == LONG_BYTES) {
            while (stream.n < bytes) {
                cases_ordinary(&stream, cases_below(20 << 10));
                cases_stream(&stream, cases_below(400));
            }
        } else {
            cases_stream(&stream, 1 + cases_below((uint32_t)bytes));
        }
        play(e, o, &stream, bytes == SHORT_BYTES);
    }
}

/* Each rule by itself, until it has masked something: one that never does is not tried by any of this. */
static void play_rules(const struct engines *e, struct redact_oracle *o) {
    AUTO(buf) struct buf stream = BUF_INIT(STREAM_BYTES_MAX);
    for (size_t rule = 0; rule < redact_oracle_rules(o); rule++) {
        const struct engines one = {.v = {e->v[rule % e->n]}, .n = 1};
        for (unsigned draws = 0; !draws || !redact_oracle_has_masked(o, rule); draws++) {
            if (draws == DRAWS_MAX)
                fail("a rule masks nothing that is drawn from it", redact_oracle_rule(o, rule), SPAN_NONE,
                     SPAN_NONE);
            buf_clear(&stream);
            cases_secret(&stream, rule, false);
            (void)buf_append_span(&stream, SPAN("\r\n"));
            play(&one, o, &stream, false);
        }
    }
}

int main(int argc, char **argv) {
    if (argc > 1)
        first_seed = strtoull(argv[1], NULL, 10);
    else if (getrandom(&first_seed, sizeof first_seed, 0) != sizeof first_seed)
        return 1;
    unsigned times = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1;
    struct engines e;
    open_engines(&e);
    printf("1..1\n# seed %" PRIu64 ", %zu ways to look\n", first_seed, e.n);
    (void)fflush(stdout);
    cases_seed(first_seed);
    struct redact_oracle *o = redact_oracle_new();
    for (unsigned i = 0; i < times; i++) {
        play_rules(&e, o);
        play_rounds(&e, o, SHORT_ROUNDS, SHORT_BYTES);
        play_rounds(&e, o, MIDDLE_ROUNDS, MIDDLE_BYTES);
        play_rounds(&e, o, LONG_ROUNDS, LONG_BYTES);
    }
    printf("# %zu rules, %u outputs compared, %u streams left out\n", redact_oracle_rules(o), compared,
           left_out);
    redact_oracle_free(o);
    for (size_t i = 0; i < e.n; i++)
        redact_set_free(e.v[i]);
    printf("ok 1 - the rules mean the same in any pieces\n");
    return 0;
}
