/*
 * Output that no pattern has to do with, told from the bytes as they come: the prefilter finds no literal in it, or what stands
 * there is tried at once and is nothing. That takes plain text around it, up to where the pattern decides; in doubt the
 * bytes are taken apart as others are.
 */
#include "term/redact_int.h"

enum {
    QUIET_BYTES = 16 << 10, /* that are looked through at a time */
    QUIET_BYTES_MIN = 64,   /* fewer are not worth it */
    AHEAD_BYTES = 2 << 10,  /* that a pattern gets to decide with */
    ESCAPED_BYTES = 8 << 10,
    CROWDED_BYTES = 4 << 10,
};

static bool is_refuted_by(struct redact_work *work, const struct redact_pattern *pattern, struct span text,
                          size_t at) {
    struct redact_run runs[TOKEN_RUNS_MAX];
    size_t n;
    if (pattern->token) return redact_token_match(pattern->token, text, at, false, runs, &n) == TOKEN_NONE;
    int r = redact_expression(work, pattern, text, at, false);
    if (r == PCRE2_ERROR_PARTIAL) return false;
    return r < 0 || redact_expression_secrets(work, pattern, r, text, runs) == 0;
}

/* Is it clear that no pattern whose literal stands there begins there? The text is plain up to `plain`. */
static bool is_refuted(struct redact_work *work, const struct prefilter_walk *walk, struct span bytes,
                       size_t at, size_t *plain) {
    const struct redact_set *set = work->set;
    if (at < set->past) return false;
    for (size_t i = 0; i < walk->n; i++) {
        const struct redact_pattern *pattern = &set->v[walk->standing[i]];
        if (pattern->token && redact_token_barred(pattern->token, bytes, at)) continue;
        if (*plain < bytes.n && *plain < at + AHEAD_BYTES / 2) {
            size_t from = MAX(*plain, at);
            *plain = from + redact_text_run(bytes, from, MIN(bytes.n, at + AHEAD_BYTES));
        }
        if (!is_refuted_by(work, pattern, span_take(bytes, *plain), at)) return false;
    }
    return walk->n > 0;
}

size_t redact_unfinished(struct span s) {
    for (size_t k = 1; k <= 3 && k <= s.n; k++) {
        unsigned char c = (unsigned char)s.p[s.n - k];
        if ((c & 0xc0) == 0x80) continue;
        size_t needs = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
        return needs > k ? k : 0;
    }
    return 0;
}

/* No pattern begins before the last few bytes: where one may have begun among those. */
static size_t quiet_to_the_end(const struct redact_prefilter *f, struct span bytes, bool *waits) {
    size_t n = redact_prefilter_begun(f, bytes);
    for (size_t i = bytes.n - MIN(bytes.n, (size_t)PREFILTER_UNCLEAR); i < bytes.n; i++)
        if (redact_text_ends(bytes, i)) return 0;
    n -= redact_unfinished(span_take(bytes, n));
    *waits = true;
    return n;
}

size_t redact_quiet(struct redact_work *work, struct span bytes, size_t *worth, bool *waits) {
    const struct redact_prefilter *f = &work->set->prefilter;
    struct span near = span_take(bytes, QUIET_BYTES);
    near.n -= redact_unfinished(near); /* half a border must not be taken for something else */
    struct prefilter_walk walk;
    redact_prefilter_walk(&walk, 0);
    size_t plain = 0, n = redact_prefilter_next_clear(f, near, &walk);
    while (n < near.n && is_refuted(work, &walk, near, n, &plain))
        n = redact_prefilter_next_clear(f, near, &walk);
    if (n == near.n && bytes.n <= QUIET_BYTES) {
        size_t end = quiet_to_the_end(f, near, waits);
        if (*waits) return end;
    }
    bool escaped = n < near.n && redact_is_odd((unsigned char)near.p[n]);
    size_t before = *worth;
    *worth = escaped ? ESCAPED_BYTES : n + AHEAD_BYTES / 2;
    /* The beginning of what a hidden character may be in the midst of, and what the next look wants to see before it. */
    n -= MIN(n, MAX(f->longest, work->set->past));
    n -= redact_unfinished(span_take(bytes, n));
    if (n >= QUIET_BYTES_MIN) return n;
    /* Where there is much to be taken apart, it was not worth asking. */
    *worth = MAX(*worth, MIN(2 * before, (size_t)CROWDED_BYTES));
    return 0;
}
