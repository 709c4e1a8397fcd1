/*
 * Tells escape sequences from text, byte by byte, where only that matters: which bytes are seen, which only do something. It
 * agrees with the screen's parser about where sequences begin and end.
 */
#pragma once

#include <stdint.h>

enum escape_state {
    ESCAPE_GROUND,
    ESCAPE_BEGUN,        /* behind ESC */
    ESCAPE_INTERMEDIATE, /* ESC ( and the like */
    ESCAPE_CSI,
    ESCAPE_OSC,
    ESCAPE_STRING, /* DCS, SOS, PM, APC */
};

enum escape_kind {
    ESCAPE_TEXT,    /* a byte that is seen */
    ESCAPE_CONTROL, /* a control character, perhaps in the midst of a sequence */
    ESCAPE_TITLE,   /* a byte of an OSC's string: seen in a title, a link or a directory */
    ESCAPE_PART,    /* any other byte of a sequence */
};

/* What `c` is behind what came before; `*state` begins as ESCAPE_GROUND. */
enum escape_kind escape_step(enum escape_state *state, unsigned char c);
