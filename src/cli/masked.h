/* A line that must not be seen, typed in raw mode: what each key does to it, and what is shown for that. Pure. */
#pragma once

#include "base/buf.h"

enum masked_state { MASKED_MORE, MASKED_DONE, MASKED_CANCELED };

struct masked {
    char *text; /* the caller's, `room` bytes */
    size_t room, n;
    size_t wanted; /* bytes that the character at the end still lacks */
    enum { MASKED_KEYS, MASKED_ESCAPE, MASKED_SEQUENCE } keys; /* inside what a function key sends? */
};

/* Takes one byte; what is to be shown for it is appended to `echo`: a star for each character, which Backspace takes back.
 * Ctrl-U and Ctrl-W begin again, Enter ends, Ctrl-C and a Ctrl-D with nothing before it give up. Function keys and the rest of
 * the control keys do nothing. */
enum masked_state masked_feed(struct masked *m, char byte, struct buf *echo);
