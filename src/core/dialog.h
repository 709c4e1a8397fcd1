/*
 * What an agent's dialog offers, read off its screen, and which keys choose of it. Every dialog that is known has a row in
 * core/dialog_rules; what looks otherwise is not recognised, and nothing is ever typed into it. A dialog is driven by looking:
 * what is to be typed next follows from what is shown now, so that each step is checked before the next. Pure: text in, keys out.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "core/reply.h"

enum {
    DIALOG_ROWS = 60,       /* of a screen, from its bottom, that are looked at */
    DIALOG_OPTIONS_MAX = 9, /* more have numbers of two digits */
    DIALOG_TEXT_BYTES_MAX =
        400, /* that are typed into a field: longer ones some CLIs do not show as they are */
};

enum dialog_kind {
    DIALOG_APPROVAL,
    DIALOG_QUESTION,
    DIALOG_REVIEW, /* of several answers, before they are sent */
    DIALOG_PLAN,
};

enum dialog_meaning {
    DIALOG_OTHER, /* never chosen */
    DIALOG_ALLOW,
    DIALOG_ALLOW_MORE, /* and more than was asked for: a plan whose edits nobody will be asked about */
    DIALOG_SESSION,    /* this and its like, until the agent ends */
    DIALOG_ALWAYS,     /* until the rule is taken back */
    DIALOG_DENY,
    DIALOG_CHOICE, /* an answer to a question */
    DIALOG_FIELD,  /* text is typed there, then Enter: why not, or an answer of one's own */
    DIALOG_SUBMIT,
};

struct dialog_option {
    struct span label; /* its first row */
    struct span
        more; /* the rows below it: the rest of a long label, or what describes it; blanks and frames between them */
    enum dialog_meaning meaning;
    unsigned number; /* 0: it has none */
    bool has_box, is_ticked;
};

struct dialog_rule;

/* Spans point into the rows that it was read from, or into the arena. */
struct dialog {
    enum cli cli;
    enum dialog_kind kind;
    const struct dialog_rule *rule;
    struct span question; /* what is asked; of an approval, in the CLI's own words */
    struct span body;     /* everything above the options, without frames and blanks */
    struct span
        shown; /* all of it and what stands right above, squeezed: another text, another dialog or another state */
    struct span typed; /* what stands in a field below the options, squeezed */
    struct dialog_option options[DIALOG_OPTIONS_MAX];
    size_t option_count;
    size_t selected; /* option_count: none, or it cannot be seen */
    bool takes_several;
    bool has_parts; /* one of several questions */
    bool is_begun;  /* others of them have their answers already */
};

/* `rows` are the last ones of the screen, the lowest first, without blanks at their ends. False: no dialog that is known. */
bool dialog_read(enum cli cli, const struct span *rows, size_t count, struct arena *arena,
                 struct dialog *ret);

/* Does the dialog show the whole of what this request is about? What it cuts off may be anything. */
bool dialog_is_about(const struct dialog *d, const struct request *r, struct arena *arena);

/* What somebody decided. */
struct dialog_wish {
    enum decision decision;
    struct span message; /* with a denial: why; to a plan: what to change */
    struct span answers; /* to questions: the raw JSON of { text: label or [label, …] } */
};

/* What may be decided by keys: bits of enum can. A denial without a message ends the turn, in all of them. */
unsigned dialog_can(const struct dialog *d);

/* The option that this decision would choose, in the CLI's own words; empty when there is none. */
struct span dialog_words(const struct dialog *d, enum decision decision);

/* The keys that bring the dialog a step closer to the wish, into `keys`; `paste`: the program takes pasted text as such.
 * `ret_last`: with them the decision is made. -ENOTSUP: this dialog cannot be answered like this. */
int dialog_step(const struct dialog *d, const struct dialog_wish *wish, bool paste, struct arena *arena,
                struct buf *keys, bool *ret_last);

/* Text as it is typed into a field: one line, no control characters. -E2BIG when it is too long. */
int dialog_put_text(struct buf *keys, struct span text, bool paste);

/* Text without blanks and without what frames are drawn with: as it is compared. */
struct span dialog_squeeze(struct span text, struct arena *arena);
