/*
 * Secrets that only the screen shows: drawn piece by piece, end first, or broken at the border of a box. The stream behind
 * the redaction is drawn on a screen of its own whose cells know the offsets of their bytes; the patterns run over its rows as
 * a person would read them. What they find is masked where it came from: in the bytes at hand, or, when those have gone, as
 * "late" places for whoever has them. Output that does not move the cursor needs no screen, and costs next to nothing.
 */
#pragma once

#include "base/buf.h"
#include "term/redact.h"

/* A character that was let out and should not have been. */
struct redact_late {
    uint64_t offset;
    uint8_t n;      /* bytes */
    char before[4]; /* what they are: nothing else is to be masked there */
    char after[4];
};

struct redact_screen;
struct redact_screen *redact_screen_new(const struct redact_set *set, unsigned cols, unsigned rows);
void redact_screen_free(struct redact_screen *s); /* NULL is fine */
/* What was drawn is forgotten: a program draws everything anew. */
void redact_screen_resize(struct redact_screen *s, unsigned cols, unsigned rows);

/* Takes what the redaction let out, at `offset` of the stream, and masks in it what the screen then shows to be secret. `moved`:
 * as redact_moved() says of it. Appends struct redact_late to `late` for what came earlier. */
void redact_screen_feed(struct redact_screen *s, uint64_t offset, struct buf *bytes, bool moved,
                        struct buf *late);
/* Gives memory back when it has been quiet: the screen goes, and what was drawn last is drawn again when it is needed. */
void redact_screen_rest(struct redact_screen *s);
