/*
 * The stream is taken apart into views, bytes of text and bytes of OSC strings, and put together again: what the views have
 * decided goes out, with masks where they say so, everything else as it came. Where no literal of any pattern is near, all
 * that is left out.
 */
#include "base/cleanup.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "term/redact_int.h"

#include <errno.h>
#include <stdlib.h>

enum {
    WINDOW_BYTES = 1 << 10,    /* that are taken apart at a time, at first */
    RAW_BYTES_MAX = 1 << 20,   /* more is never held back */
    FOLLOWING_BYTES = 4 << 10, /* that are looked at together with a few that waited for them */
};

enum { SEEN, TITLES, VIEWS };

struct redact {
    struct redact_work work;
    struct buf raw;                  /* has not gone out */
    size_t parsed;                   /* bytes of it that are in the views */
    size_t plain;                    /* bytes at the end of those that are nothing but text */
    enum escape_state before, state; /* at the beginning of raw, and behind what is parsed */
    bool moved;                      /* something moved the cursor */
    size_t worth;                    /* bytes that are taken apart at a time */
    struct redact_view views[VIEWS];
};

struct redact *redact_new(const struct redact_set *set) {
    struct redact *r = xcalloc(1, sizeof *r);
    r->work.set = set;
    r->raw = BUF_INIT(RAW_BYTES_MAX);
    r->worth = WINDOW_BYTES;
    for (size_t v = 0; v < VIEWS; v++)
        redact_view_init(&r->views[v]);
    return r;
}

void redact_free(struct redact *r) {
    if (!r) return;
    for (size_t v = 0; v < VIEWS; v++)
        redact_view_fini(&r->views[v]);
    pcre2_match_data_free(r->work.data);
    buf_fini(&r->raw);
    free(r);
}

size_t redact_held(const struct redact *r) {
    return r->raw.n;
}

bool redact_moved(struct redact *r) {
    bool moved = r->moved;
    if (!r->raw.n) r->moved = false;
    return moved;
}

uint64_t redact_refused(const struct redact *r) {
    return r->work.refused;
}

static bool is_blank_control(char c) {
    return c >= '\t' && c <= '\r';
}

/* Bytes of an OSC's string. */
static size_t title_run(struct span s, size_t at) {
    size_t n = at;
    while (n < s.n && (unsigned char)s.p[n] >= 0x20 && s.p[n] != 0x7f)
        n++;
    return n - at;
}

/* A whole CSI sequence without anything strange in it, which most escapes are; 0 otherwise. */
static size_t csi_run(struct span s, size_t at) {
    if (s.n - at < 3 || s.p[at] != '\033' || s.p[at + 1] != '[') return 0;
    size_t n = at + 2;
    while (n < s.n && s.p[n] >= 0x20 && s.p[n] < 0x40)
        n++;
    return n < s.n && s.p[n] >= 0x40 && s.p[n] < 0x7f ? n + 1 - at : 0;
}

/* What ends a CSI sequence that stays where it is: colours, erasing, questions. */
static bool stays(char final) {
    switch (final) {
    case 'm':
    case 'K':
    case 'J':
    case 'n':
    case 'c':
    case 'q':
    case 't':
    case 'p': return true;
    default: return false;
    }
}

/* Does a CSI sequence draw elsewhere than below? Colours, erasing, questions and most modes do not. */
static bool csi_moves(struct span csi) {
    char final = csi.p[csi.n - 1];
    if (final == 'h' || final == 'l')
        return csi.n > 5 && (csi.p[csi.n - 2] == '9' || csi.p[csi.n - 2] == '7');
    return !stays(final);
}

/* A byte that begins an OSC string is a line end in the view of these strings: none of them goes on with what another one said. */
static bool begins_title(enum escape_state before, enum escape_state now) {
    return before != ESCAPE_OSC && now == ESCAPE_OSC;
}

/* Takes raw bytes apart, up to `limit` or the end of an OSC string. */
static int parse(struct redact *r, size_t limit) {
    struct span raw = span_of(r->raw.p, limit);
    int e = 0;
    while (e == 0 && r->parsed < limit) {
        size_t at = r->parsed, run = 0, csi = 0;
        if (r->state == ESCAPE_GROUND && (csi = csi_run(raw, at))) {
            r->moved |= csi_moves(span_of(raw.p + at, csi));
            r->parsed += csi;
            r->plain = 0;
            continue;
        }
        if (r->state == ESCAPE_GROUND) run = redact_text_run(raw, at, raw.n);
        if (r->state == ESCAPE_OSC) run = title_run(raw, at);
        r->plain = r->state == ESCAPE_GROUND ? run : 0;
        if (run) {
            size_t view = r->state == ESCAPE_GROUND ? SEEN : TITLES;
            e = redact_view_add_piece(&r->views[view], r->work.set, raw.p + at, run);
            r->parsed += run;
            continue;
        }
        if (r->state == ESCAPE_GROUND && (run = redact_hidden(raw, at))) {
            r->parsed += run;
            continue;
        }
        enum escape_state before = r->state;
        r->moved |= raw.p[at] == '\b' || (r->state == ESCAPE_BEGUN && strchr("78MDEc", raw.p[at])) ||
                    (r->state == ESCAPE_CSI && raw.p[at] >= '@' && !stays(raw.p[at]));
        enum escape_kind kind = escape_step(&r->state, (unsigned char)raw.p[at]);
        if (kind == ESCAPE_CONTROL && is_blank_control(raw.p[at]))
            e = redact_view_add(&r->views[SEEN], r->work.set, span_of(raw.p + at, 1));
        if (begins_title(before, r->state)) e = redact_view_add(&r->views[TITLES], r->work.set, SPAN("\n"));
        r->parsed++;
        if (before == ESCAPE_OSC && r->state != ESCAPE_OSC) break;
    }
    return e;
}

/* The view that a byte belongs to; VIEWS: none. */
static size_t view_of(enum escape_kind kind, char c) {
    if (kind == ESCAPE_TEXT || (kind == ESCAPE_CONTROL && is_blank_control(c))) return SEEN;
    return kind == ESCAPE_TITLE ? TITLES : VIEWS;
}

/* Bytes of text at `at` of a view that go out as they are. */
static size_t clear_run(const struct redact_view *view, struct span raw, size_t at, size_t upto) {
    size_t n = MIN(raw.n, upto - at);
    const char *masked = NULL;
    if (at < view->masked.n) masked = memchr(view->masked.p + at, 1, MIN(n, view->masked.n - at));
    if (masked) n = (size_t)(masked - view->masked.p) - at;
    n = redact_text_run(raw, 0, n);
    return masked ? n - redact_unfinished(span_take(raw, n)) : n;
}

/* Bytes at `at` of a view that are masked, and characters of one byte. */
static size_t masked_run(const struct redact_view *view, struct span raw, size_t at, size_t upto) {
    size_t most = MIN(raw.n, MIN(upto, view->masked.n) - MIN(at, view->masked.n)), n = 0;
    while (n < most && view->masked.p[at + n] && raw.p[n] > 0x20 && raw.p[n] < 0x7f)
        n++;
    return n;
}

/* Writes one character of a view's text, masked or not. What is no character stays. */
static size_t weave_one(const struct redact_view *view, struct span raw, size_t at, char *to) {
    bool masked = redact_view_masks(view, at);
    unsigned char c = (unsigned char)raw.p[0];
    if (c < 0x80) {
        *to = masked && c > 0x20 ? '*' : raw.p[0];
        return 1;
    }
    size_t n = utf8_sequence(raw);
    for (size_t k = 1; k < n; k++)
        masked |= redact_view_masks(view, at + k);
    if (masked && n)
        redact_mask(span_take(raw, n), to);
    else
        memcpy(to, raw.p, n ? n : 1);
    return n ? n : 1;
}

/* Writes raw bytes, masked, until a view is not decided. Returns how many; `upto` becomes where the views are then. */
static size_t weave(struct redact *r, size_t upto[VIEWS], char *to) {
    size_t at[VIEWS] = {r->views[SEEN].gone, r->views[TITLES].gone};
    size_t i = 0, run;
    while (i < r->parsed) {
        struct span left = span_of(r->raw.p + i, r->parsed - i);
        if (r->before == ESCAPE_GROUND && (run = clear_run(&r->views[SEEN], left, at[SEEN], upto[SEEN]))) {
            memcpy(to + i, left.p, run);
            i += run;
            at[SEEN] += run;
            continue;
        }
        if (r->before == ESCAPE_GROUND && (run = masked_run(&r->views[SEEN], left, at[SEEN], upto[SEEN]))) {
            memset(to + i, '*', run);
            i += run;
            at[SEEN] += run;
            continue;
        }
        if (r->before == ESCAPE_GROUND && (run = redact_hidden(left, 0))) {
            memcpy(to + i, left.p, run);
            i += run;
            continue;
        }
        enum escape_state before = r->before;
        size_t v = view_of(escape_step(&r->before, (unsigned char)left.p[0]), left.p[0]);
        if (begins_title(before, r->before)) v = TITLES;
        if (v == VIEWS) {
            to[i++] = left.p[0];
            continue;
        }
        if (at[v] == upto[v]) {
            r->before = before;
            break;
        }
        size_t n = weave_one(&r->views[v], left, at[v], to + i);
        i += n;
        at[v] += n;
    }
    memcpy(upto, at, sizeof at);
    return i;
}

/* Without masks: how many raw bytes go out, if that is easily told. False when it is not. */
static bool count_decided(const struct redact *r, const size_t upto[VIEWS], size_t *ret) {
    size_t held = r->views[SEEN].text.n - upto[SEEN];
    if (r->views[SEEN].masked.n || r->views[TITLES].masked.n || upto[TITLES] != r->views[TITLES].text.n)
        return false;
    if (held > r->plain) return false;
    *ret = r->parsed - held;
    return true;
}

static bool is_open(const struct redact *r) {
    return r->views[SEEN].open || r->views[TITLES].open;
}

/* Lets out what is decided, or, if there is too much of it, what is not. */
static int emit(struct redact *r, struct buf *out, bool forced) {
    size_t upto[VIEWS], n;
    for (size_t v = 0; v < VIEWS; v++)
        upto[v] = forced ? r->views[v].text.n : redact_view_undecided(&r->views[v], r->work.set);
    char *to = buf_reserve(out, r->parsed);
    if (!to) return -ENOBUFS;
    if (count_decided(r, upto, &n)) {
        if (n) memcpy(to, r->raw.p, n);
        r->before = n < r->parsed ? ESCAPE_GROUND : r->state;
    } else {
        n = weave(r, upto, to);
    }
    buf_grew(out, n);
    buf_consume(&r->raw, n);
    r->parsed -= n;
    r->plain = MIN(r->plain, r->parsed);
    for (size_t v = 0; v < VIEWS; v++)
        redact_view_let_go(&r->views[v], r->work.set, upto[v]);
    return 0;
}

/* When nothing is held back but the last few bytes, because something may begin there, they wait for what follows: that is looked at
 * together with them. */
static void take_back(struct redact *r) {
    struct redact_view *seen = &r->views[SEEN];
    size_t unseen = seen->text.n - seen->scanned;
    bool alone = unseen && unseen == r->parsed && unseen == r->plain && r->state == ESCAPE_GROUND;
    if (!alone || is_open(r) || !redact_view_take_back(seen)) return;
    r->parsed = r->plain = 0;
}

/* Looks at what is in `raw`. With `final` nothing follows. */
static int step(struct redact *r, struct buf *out, bool final) {
    int e = 0;
    size_t limit = r->raw.n - (final ? 0 : redact_unfinished(buf_span(&r->raw)));
    size_t held = r->raw.n - limit;
    do {
        e = parse(r, limit);
        bool last = final && r->parsed == limit;
        redact_view_scan(&r->views[SEEN], &r->work, last);
        redact_view_scan(&r->views[TITLES], &r->work, last || r->state != ESCAPE_OSC);
        if (e == 0) e = emit(r, out, false);
        if (e == 0 && r->parsed > REDACT_HOLD_BYTES) {
            for (size_t v = 0; v < VIEWS; v++)
                redact_view_force(&r->views[v], &r->work);
            e = emit(r, out, true);
        }
        limit = r->raw.n - held;
    } while (e == 0 && r->parsed < limit);
    if (!final) take_back(r);
    return e;
}

/* Nothing is held back that was taken apart, and nothing was begun that bytes might belong to. */
static bool may_be_quiet(const struct redact *r) {
    const struct redact_view *seen = &r->views[SEEN];
    return !r->parsed && r->state == ESCAPE_GROUND && !r->work.set->searched && !is_open(r) &&
           seen->scanned == seen->text.n;
}

/* They go out; their end is the past of what comes. */
static int pass(struct redact *r, struct span bytes, struct buf *out) {
    struct redact_view *view = &r->views[SEEN];
    size_t past = MIN(bytes.n, r->work.set->past);
    int e = redact_view_add(view, r->work.set, span_skip(bytes, bytes.n - past));
    if (e == 0) e = buf_append_span(out, bytes);
    if (e < 0) return e;
    view->scanned = view->text.n;
    redact_view_let_go(view, r->work.set, view->text.n);
    return 0;
}

/* Looks at the bytes that wait, together with those that follow them now. What is left of them waits again, or is taken apart. */
static int look_at_waiting(struct redact *r, struct buf *out) {
    bool waits = false;
    size_t n = redact_quiet(&r->work, buf_span(&r->raw), &r->worth, &waits);
    int e = n ? pass(r, span_take(buf_span(&r->raw), n), out) : 0;
    if (n) buf_consume(&r->raw, n);
    return e < 0 || waits ? e : step(r, out, false);
}

/* Takes some of the bytes, and says how many. */
static int feed_some(struct redact *r, struct span bytes, struct buf *out, size_t *ret_n) {
    bool quiet = may_be_quiet(r), waits = false;
    size_t n = quiet && !r->raw.n ? redact_quiet(&r->work, bytes, &r->worth, &waits) : 0;
    *ret_n = n;
    if (n) return pass(r, span_take(bytes, n), out);
    *ret_n = n = waits ? bytes.n : MIN(bytes.n, r->raw.n && quiet ? (size_t)FOLLOWING_BYTES : r->worth);
    bool waiting = quiet && r->raw.n > 0;
    int e = buf_append_span(&r->raw, span_take(bytes, n));
    if (e < 0 || waits) return e;
    return waiting ? look_at_waiting(r, out) : step(r, out, false);
}

int redact_feed(struct redact *r, struct span bytes, struct buf *out) {
    if (!r->work.data) r->work.data = pcre2_match_data_create(r->work.set->ovector, NULL);
    if (!r->work.data) return -ENOMEM;
    while (bytes.n) {
        size_t n;
        int e = feed_some(r, bytes, out, &n);
        if (e < 0) return e;
        bytes = span_skip(bytes, n);
    }
    return 0;
}

int redact_flush(struct redact *r, struct buf *out) {
    if (!r->raw.n) return 0;
    return step(r, out, true);
}

void redact_resume(struct redact *r, struct span past) {
    AUTO(buf) struct buf out = BUF_INIT(SIZE_MAX / 2);
    (void)redact_feed(r, past, &out);
    if (r->raw.n && !r->parsed) /* they wait, and are nothing but text */
        (void)redact_view_add(&r->views[SEEN], r->work.set, buf_span(&r->raw));
    buf_clear(&r->raw);
    r->parsed = 0;
    r->before = r->state;
    for (size_t v = 0; v < VIEWS; v++)
        redact_view_let_go(&r->views[v], r->work.set, r->views[v].text.n);
}

static void shrink(struct buf *b) {
    struct buf small = BUF_INIT(b->cap);
    if (b->n && buf_append_span(&small, buf_span(b)) < 0) return;
    buf_fini(b);
    *b = small;
}

void redact_rest(struct redact *r) {
    shrink(&r->raw);
    for (size_t v = 0; v < VIEWS; v++) {
        shrink(&r->views[v].text);
        shrink(&r->views[v].masked);
    }
}

void redact_text(const struct redact_set *set, char *text, size_t n) {
    AUTO(buf) struct buf out = BUF_INIT(SIZE_MAX / 2);
    struct redact *r = redact_new(set);
    int e = redact_feed(r, span_of(text, n), &out);
    if (e == 0) e = redact_flush(r, &out);
    redact_free(r);
    if (e == 0 && n)
        memcpy(text, out.p, n);
    else
        memset(text, '*', n);
}

void redact_library(char ret[REDACT_LIBRARY_BYTES]) {
    /* "10.42 2022-12-11": the number is what matters. */
    if (pcre2_config(PCRE2_CONFIG_VERSION, NULL) > REDACT_LIBRARY_BYTES ||
        pcre2_config(PCRE2_CONFIG_VERSION, ret) < 0)
        ret[0] = '\0';
    ret[strcspn(ret, " ")] = '\0';
}
