/* What the files of the redaction share. */
#pragma once

#include "term/escape.h"
#include "term/redact.h"
#include "term/redact_gate.h"
#include "term/redact_prefilter.h"
#include "term/redact_run.h"
#include "term/redact_token.h"
#include "term/redact_value.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

enum {
    REDACT_MATCHES_MAX = 1024,  /* tokens and patterns */
    REDACT_GROUPS_MAX = 8,      /* with names that say what is secret, in one pattern */
    REDACT_PAST_BYTES = 255,    /* no pattern looks further back */
    REDACT_STEPS_MAX = 1000000, /* a match that takes more is none */
};

struct redact_group {
    uint32_t number;
    enum redact_doubt doubt;
};

struct redact_pattern {
    const struct redact_token *token; /* NULL: it is an expression */
    pcre2_code *code;
    struct redact_gate *gate; /* NULL: it is to be asked everywhere */
    bool jit;                 /* it is machine code */
    bool
        searched; /* has no literal to begin with: is looked for everywhere. Others are tried where a literal stands */
    unsigned n_groups;
    struct redact_group groups[REDACT_GROUPS_MAX]; /* what is secret; without one the whole match is */
};

struct redact_set {
    struct redact_pattern *v;
    size_t n, tokens; /* the first of them are tokens */
    struct redact_prefilter prefilter;
    pcre2_match_context *context;
    bool searched;    /* one of them is */
    size_t past;      /* bytes that they look back */
    uint32_t ovector; /* pairs that the largest needs */
};

/* A match that may have begun and is not at its end. */
enum redact_growing {
    GROWING_HELD,     /* its text is held back until it is decided */
    GROWING_KNOWN,    /* a secret so far, too long to be held back: masked as it comes */
    GROWING_SUPPOSED, /* as long, but not known to be one */
};

struct redact_match {
    uint64_t from; /* every match that begins before is dealt with; counted as redact_view.base is */
    bool open;     /* one may have begun there */
    enum redact_growing growing;
};

/* One text in the stream: what is seen, or what is in OSC strings. Places are indexes into `text`. */
struct redact_view {
    struct buf text;   /* the past, then what is not decided */
    uint64_t base;     /* where it begins, counted from the beginning of all */
    struct buf masked; /* a byte for each of the text's: 1 = to be masked. Shorter: no more are */
    size_t gone;       /* text before it has gone out */
    size_t scanned;    /* text before it has been looked at; what is behind it is not decided */
    uint64_t matched;  /* no match ends behind it; counted as base is */
    size_t supposed;   /* bytes that were masked on a supposition */
    unsigned open;     /* matches that are */
    uint64_t opened[REDACT_MATCHES_MAX / 64]; /* a bit for each: which */
    struct redact_match *v;                   /* one a pattern */
};

/* What it takes to match. */
struct redact_work {
    const struct redact_set *set;
    pcre2_match_data *data;
    uint64_t refused; /* matches that took too many steps */
};

/* Matches an expression at `from`, or, if it is searched, behind it: as pcre2_match() returns, with what matched in work->data. With
 * `final` nothing follows the text. */
int redact_expression(struct redact_work *work, const struct redact_pattern *pattern, struct span text,
                      size_t from, bool final);
/* What the match that was just made says is secret: its groups of such names, if they are, or all of it. */
size_t redact_expression_secrets(const struct redact_work *work, const struct redact_pattern *pattern,
                                 int groups, struct span text, struct redact_run ret[REDACT_GROUPS_MAX]);

/* How many of the bytes no pattern has to do with, when none is busy; 0 when they are too few. `worth` was and becomes how many of those
 * that come then are to be taken apart before it is worth asking again. `*waits`: those are the last few, and what follows them will
 * tell more. */
size_t redact_quiet(struct redact_work *work, struct span bytes, size_t *worth, bool *waits);
/* Bytes at the end that begin a character and do not finish it. */
size_t redact_unfinished(struct span s);

void redact_view_init(struct redact_view *view);
void redact_view_fini(struct redact_view *view);
/* Text is added, looked at (with `final` nothing follows it), and goes. */
int redact_view_add(struct redact_view *view, const struct redact_set *set, struct span text);
/* The same, for short pieces. */
static inline int redact_view_add_piece(struct redact_view *view, const struct redact_set *set, const char *p,
                                        size_t n) {
    struct buf *b = &view->text;
    if (!view->v || b->room - b->n < n) return redact_view_add(view, set, span_of(p, n));
    memcpy(b->p + b->n, p, n);
    buf_grew(b, n);
    return 0;
}
void redact_view_scan(struct redact_view *view, struct redact_work *work, bool final);
/* Text that has not been looked at yet is taken back, as if it had not come. False when it is needed: a match goes so far. */
bool redact_view_take_back(struct redact_view *view);
/* Text from here on is not decided yet. */
size_t redact_view_undecided(const struct redact_view *view, const struct redact_set *set);
/* Too much is held back: decides as well as it can. Afterwards all of the text may go. */
void redact_view_force(struct redact_view *view, struct redact_work *work);
void redact_view_let_go(struct redact_view *view, const struct redact_set *set, size_t upto);

static inline bool redact_view_masks(const struct redact_view *view, size_t at) {
    return at < view->masked.n && view->masked.p[at];
}

/* Writes a character that takes the same room in bytes and cells as `c`, a whole one in UTF-8. */
void redact_mask(struct span c, char *to);
