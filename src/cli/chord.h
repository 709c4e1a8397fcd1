/*
 * The keys that are for us and not for the program: a prefix, then one more key. The prefix twice sends it once; with any
 * other key behind it both go to the program, so that an editor that uses the same key still has it. Pure.
 */
#pragma once

#include "base/buf.h"

enum { CHORD_PREFIX = 0x1d }; /* Ctrl-], which is also Ctrl-5 on keyboards where ] is far away */

enum chord_action { CHORD_NONE, CHORD_DETACH, CHORD_HELP, CHORD_KILL };

struct chord {
    char prefix;
    bool pending; /* the prefix was pressed */
};

/* Takes keys off `*keys` until they are all taken or one means something to us; what is for the program is appended to
 * `out`. */
enum chord_action chord_feed(struct chord *c, struct span *keys, struct buf *out);

/* "^]", "C-]" or "ctrl-]"; false for keys that a terminal cannot tell from others, or that nobody can do without. */
bool chord_parse(const char *text, char *ret_prefix);

struct chord_name {
    char text[8];
};
/* "Ctrl-]" */
struct chord_name chord_name(char prefix);
