/*
 * Each pattern goes through the text on its own: its matches are those it has in the whole text, one behind the other, whatever
 * pieces the text comes in; what any of them covers is masked. Where a pattern's match may have begun and the text ends before
 * that is decided, the pattern stays there and is asked again when there is more.
 */
#include "base/mem.h"
#include "term/redact_int.h"

#include <stdlib.h>

enum {
    TEXT_BYTES_MAX = 1 << 20,
    SUPPOSED_BYTES_MAX = 1 << 20, /* then it was no secret after all */
    GROWN_BYTES = 16 << 10,       /* of an endless match, only its beginning … */
    MARGIN_BYTES = 2 << 10,       /* … and its end are remembered */
    REMEMBERED_BYTES_MAX = 128 << 10,
};

enum outcome { NO_MATCH, MATCH, MATCH_TO_THE_END, OPEN };

void redact_view_init(struct redact_view *view) {
    *view = (struct redact_view){.text = BUF_INIT(TEXT_BYTES_MAX), .masked = BUF_INIT(TEXT_BYTES_MAX)};
}

void redact_view_fini(struct redact_view *view) {
    buf_fini(&view->text);
    buf_fini(&view->masked);
    free(view->v);
}

int redact_view_add(struct redact_view *view, const struct redact_set *set, struct span text) {
    if (!view->v) view->v = xcalloc(set->n ? set->n : 1, sizeof *view->v);
    return buf_append_span(&view->text, text);
}

static void mask(struct redact_view *view, size_t from, size_t to) {
    from = MAX(from, view->gone);
    to = MIN(to, view->text.n);
    if (from >= to) return;
    size_t missing = to > view->masked.n ? to - view->masked.n : 0;
    char *end = buf_reserve(&view->masked, missing);
    if (!end) return;
    memset(end, 0, missing);
    buf_grew(&view->masked, missing);
    memset(view->masked.p + from, 1, to - from);
}

/* Where it stands, as an index into the text. */
static size_t place(const struct redact_view *view, const struct redact_match *m) {
    return m->from > view->base ? (size_t)(m->from - view->base) : 0;
}

static void set_place(const struct redact_view *view, struct redact_match *m, size_t at) {
    m->from = view->base + at;
}

/* Its match ends at `end`: what begins before is part of it. */
static void go_behind(struct redact_view *view, struct redact_match *m, size_t end) {
    set_place(view, m, end);
    view->matched = MAX(view->matched, m->from);
}

static enum outcome try_token(struct redact_view *view, const struct redact_token *token,
                              struct redact_match *m, bool final) {
    struct redact_run runs[TOKEN_RUNS_MAX];
    size_t n;
    enum token_outcome what =
        redact_token_match(token, buf_span(&view->text), place(view, m), final, runs, &n);
    if (what == TOKEN_OPEN) return OPEN;
    m->growing = GROWING_HELD;
    if (what == TOKEN_NONE) return NO_MATCH;
    for (size_t i = 0; i < n; i++)
        mask(view, runs[i].from, runs[i].to);
    go_behind(view, m, runs[n - 1].to);
    return runs[n - 1].to == view->text.n ? MATCH_TO_THE_END : MATCH;
}

/* Tries a pattern at its place, or from there on. A match is masked; its place is then behind the match, or where one may
 * have begun. */
static enum outcome try(struct redact_view *view, struct redact_work *work, size_t i, bool final) {
    const struct redact_pattern *pattern = &work->set->v[i];
    struct redact_match *m = &view->v[i];
    if (pattern->token) return try_token(view, pattern->token, m, final);
    size_t from = place(view, m);
    int r = redact_expression(work, pattern, buf_span(&view->text), from, final);
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(work->data);
    if (r == PCRE2_ERROR_PARTIAL) {
        if (at[0] != from) m->growing = GROWING_HELD;
        set_place(view, m, MAX(from, at[0]));
        return OPEN;
    }
    m->growing = GROWING_HELD;
    if (r < 0) return NO_MATCH;
    struct redact_run secrets[REDACT_GROUPS_MAX];
    size_t n = redact_expression_secrets(work, pattern, r, buf_span(&view->text), secrets);
    for (size_t k = 0; k < n; k++)
        mask(view, secrets[k].from, secrets[k].to);
    if (!n) {
        set_place(view, m, MAX(at[0], from) + 1); /* what it covers may have one of its own */
        return MATCH;
    }
    go_behind(view, m, MAX(at[1], from + 1));
    return at[1] == view->text.n ? MATCH_TO_THE_END : MATCH;
}

static void set_open(struct redact_view *view, struct redact_match *m, bool open) {
    size_t i = (size_t)(m - view->v);
    view->open += open;
    view->open -= m->open;
    m->open = open;
    view->opened[i / 64] &= ~((uint64_t)1 << i % 64);
    view->opened[i / 64] |= (uint64_t)open << i % 64;
}

/* The next match at or behind `i` that is open; REDACT_MATCHES_MAX when there is none. */
static size_t next_open(const struct redact_view *view, size_t i) {
    while (view->open && i < REDACT_MATCHES_MAX) {
        uint64_t left = view->opened[i / 64] >> i % 64;
        if (left) return i + (size_t)__builtin_ctzll(left);
        i = (i / 64 + 1) * 64;
    }
    return REDACT_MATCHES_MAX;
}

/* The match is still open: if it grew too long to be held back, what is new in it is masked. False when there is too much of
 * that for a mere supposition. */
static bool may_grow(struct redact_view *view, const struct redact_match *m) {
    if (m->growing == GROWING_HELD) return true;
    mask(view, view->scanned, view->text.n);
    if (m->growing == GROWING_KNOWN) return true;
    view->supposed += view->text.n - view->scanned;
    return view->supposed <= SUPPOSED_BYTES_MAX;
}

static void settle(struct redact_view *view, struct redact_match *m, bool open) {
    set_open(view, m, open);
    if (open) return;
    m->growing = GROWING_HELD;
    view->supposed = 0;
}

/* A pattern without literals: wherever it matches. */
static void search(struct redact_view *view, struct redact_work *work, size_t i, bool final) {
    struct redact_match *m = &view->v[i];
    enum outcome what = MATCH;
    while (what != NO_MATCH && what != OPEN && place(view, m) <= view->text.n)
        what = try(view, work, i, final);
    settle(view, m, what == OPEN && place(view, m) < view->text.n && may_grow(view, m));
}

/* Tries what may begin at `at`: one pattern, or, with SIZE_MAX, all that are not busy before or behind it. */
static void try_place(struct redact_view *view, struct redact_work *work, const struct prefilter_walk *walk,
                      size_t at, size_t only, bool final) {
    for (size_t i = 0; i < walk->n; i++) {
        struct redact_match *m = &view->v[walk->standing[i]];
        if ((only != SIZE_MAX && walk->standing[i] != only) || m->open || view->base + at < m->from) continue;
        set_place(view, m, at);
        enum outcome what = try(view, work, walk->standing[i], final);
        if (what == OPEN) set_open(view, m, true);
        if (what == NO_MATCH) set_place(view, m, at + 1);
    }
}

/* The places before `to` at which there is something to try. */
static void try_places(struct redact_view *view, struct redact_work *work, size_t from, size_t to,
                       size_t only, bool final) {
    struct prefilter_walk walk;
    struct span text = buf_span(&view->text);
    redact_prefilter_walk(&walk, from);
    for (size_t at; (at = redact_prefilter_next(&work->set->prefilter, text, &walk)) < to;)
        try_place(view, work, &walk, at, only, final);
}

/* All places but those among the last few bytes at which many patterns may begin: one of them will, at most, when there is more. */
static void try_clear_places(struct redact_view *view, struct redact_work *work) {
    struct prefilter_walk walk;
    struct span text = buf_span(&view->text);
    redact_prefilter_walk(&walk, view->scanned);
    for (size_t at; (at = redact_prefilter_next_clear(&work->set->prefilter, text, &walk)) < text.n;)
        try_place(view, work, &walk, at, SIZE_MAX, false);
    view->scanned = MAX(view->scanned, redact_prefilter_begun(&work->set->prefilter, text));
}

/* A pattern whose match was open. If it is decided now, the text that it has not seen since is looked at. */
static void ask_again(struct redact_view *view, struct redact_work *work, size_t i, bool final) {
    struct redact_match *m = &view->v[i];
    enum outcome what = try(view, work, i, final);
    if (what == OPEN && may_grow(view, m)) return;
    if (what == OPEN) set_place(view, m, view->text.n);
    if (what == NO_MATCH) m->from++;
    settle(view, m, false);
    if (place(view, m) < view->scanned) try_places(view, work, place(view, m), view->scanned, i, final);
}

void redact_view_scan(struct redact_view *view, struct redact_work *work, bool final) {
    const struct redact_set *set = work->set;
    if (view->scanned == view->text.n && !(final && view->open)) return;
    for (size_t i = next_open(view, 0); i < set->n; i = next_open(view, i + 1))
        if (!set->v[i].searched) ask_again(view, work, i, final);
    for (size_t i = 0; set->searched && i < set->n; i++)
        if (set->v[i].searched) search(view, work, i, final);
    if (final || set->searched) {
        try_places(view, work, view->scanned, view->text.n, SIZE_MAX, final);
        view->scanned = view->text.n;
    } else {
        try_clear_places(view, work);
    }
    for (size_t i = 0; set->searched && i < set->n; i++)
        if (!view->v[i].open) set_place(view, &view->v[i], view->scanned);
}

bool redact_view_take_back(struct redact_view *view) {
    bool part_of_match = view->matched > view->base + view->scanned || view->masked.n > view->scanned;
    if (view->open || part_of_match) return false;
    view->text.n = view->scanned;
    return true;
}

size_t redact_view_undecided(const struct redact_view *view, const struct redact_set *set) {
    size_t at = MAX(view->scanned, view->gone);
    for (size_t i = next_open(view, 0); i < set->n; i = next_open(view, i + 1)) {
        const struct redact_match *m = &view->v[i];
        if (m->growing == GROWING_HELD) at = MIN(at, MAX(place(view, m), view->gone));
    }
    /* Not in the midst of a character. */
    while (at > view->gone && at < view->text.n && ((unsigned char)view->text.p[at] & 0xc0) == 0x80)
        at--;
    return at;
}

void redact_view_force(struct redact_view *view, struct redact_work *work) {
    if (!view->open) return;
    for (size_t i = next_open(view, 0); i < work->set->n; i = next_open(view, i + 1)) {
        struct redact_match *m = &view->v[i];
        if (m->growing != GROWING_HELD) continue;
        struct redact_match before = *m;
        enum outcome what = try(view, work, i, true);
        if (what == MATCH) { /* it might have gone on, but it is one already */
            settle(view, m, false);
            if (work->set->v[i].searched)
                search(view, work, i, false);
            else
                try_places(view, work, place(view, m), view->text.n, i, false);
            if (!m->open) set_place(view, m, view->text.n);
            continue;
        }
        *m = before;
        if (what == MATCH_TO_THE_END) {
            m->growing = GROWING_KNOWN;
        } else if (view->text.n - place(view, m) >=
                   REDACT_HOLD_BYTES / 2) { /* much text, not only long escape sequences */
            mask(view, place(view, m), view->text.n);
            m->growing = GROWING_SUPPOSED;
        }
    }
}

static void drop(struct redact_view *view, const struct redact_set *set, size_t from, size_t n) {
    memmove(view->text.p + from, view->text.p + from + n, view->text.n - from - n);
    view->text.n -= n;
    size_t masked = MIN(view->masked.n, from + n) - MIN(view->masked.n, from);
    if (view->masked.n > from + n)
        memmove(view->masked.p + from, view->masked.p + from + n, view->masked.n - from - n);
    view->masked.n -= masked;
    view->gone -= n;
    view->scanned -= n;
    if (!from) {
        view->base += n;
        return;
    }
    for (size_t i = 0; i < set->n; i++)
        if (view->v[i].from >= view->base + from + n) view->v[i].from -= n;
    if (view->matched >= view->base + from + n) view->matched -= n;
}

void redact_view_let_go(struct redact_view *view, const struct redact_set *set, size_t upto) {
    if (!view->v) return;
    view->gone = upto;
    size_t oldest = MIN(upto, view->scanned), youngest = 0;
    for (size_t i = next_open(view, 0); i < set->n; i = next_open(view, i + 1)) {
        oldest = MIN(oldest, place(view, &view->v[i]));
        youngest = MAX(youngest, place(view, &view->v[i]));
    }
    if (view->gone == view->text.n) buf_clear(&view->masked);
    size_t past = MIN(oldest, set->past);
    if (oldest > past) drop(view, set, 0, oldest - past);
    if (view->text.n < GROWN_BYTES) return;
    youngest -= MIN(youngest, oldest - past);
    size_t from = youngest + MARGIN_BYTES, to = view->gone > MARGIN_BYTES ? view->gone - MARGIN_BYTES : 0;
    if (from < to) drop(view, set, from, to - from);
    if (view->text.n < REMEMBERED_BYTES_MAX) return;
    for (size_t i = 0; i < set->n; i++) {
        set_place(view, &view->v[i], view->scanned);
        set_open(view, &view->v[i], false);
    }
    size_t done = MIN(view->gone, view->scanned);
    drop(view, set, 0, done - MIN(done, set->past));
}
