/* What the files of jedit share: the reader, and the way a text is laid out. */
#pragma once

#include "base/jedit.h"

/* A place in a text, and what is wrong there. */
struct jedit_scan {
    struct span text;
    size_t at;
    unsigned depth;
    const char *wrong;
    size_t comment_end; /* of the last comment that was passed, 0: none */
    bool line_comment;  /* it was one that ends with its line */
};

/* Passes white space and comments; false for a comment without end. */
bool jedit_skip(struct jedit_scan *s);
/* Passes one value. */
bool jedit_skip_value(struct jedit_scan *s);
/* The sentence for s->wrong. */
int jedit_explain(const struct jedit_scan *s, struct err *err);
/* The child of a container that a step means; false when there is none. */
bool jedit_child_at(struct span container, const struct jedit_step *step, struct jedit_child *ret);
/* The outermost value; empty when there is none. */
struct span jedit_root(struct span text);

/* How a text is written. */
struct jedit_style {
    struct span newline;
    struct span unit;  /* one step of indentation */
    struct span colon; /* with the white space around it */
    struct span comma; /* between things of one line */
    bool lines;        /* a member a line */
};

void jedit_style_of(struct span text, struct jedit_style *ret);
/* White space that the line of `at` begins with. */
struct span jedit_indent(struct span text, const char *at);
/* Writes compact JSON in that style: in lines, of which all but the first get `indent`, or in one. */
void jedit_lay_out(struct buf *out, struct span value, const struct jedit_style *style, struct span indent,
                   bool lines);
