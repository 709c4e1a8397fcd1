#include "term/escape.h"

enum { BEL = 0x07, CAN = 0x18, SUB = 0x1a, ESC = 0x1b, DEL = 0x7f };

static enum escape_state after_escape(unsigned char c) {
    switch (c) {
    case '[': return ESCAPE_CSI;
    case ']': return ESCAPE_OSC;
    case 'P':
    case 'X':
    case '^':
    case '_': return ESCAPE_STRING;
    default: return c >= 0x20 && c <= 0x2f ? ESCAPE_INTERMEDIATE : ESCAPE_GROUND;
    }
}

/* In a sequence that is no string: control characters do their work and the sequence goes on. */
static enum escape_kind in_sequence(enum escape_state *state, unsigned char c) {
    if (c < 0x20) return ESCAPE_CONTROL;
    if (*state == ESCAPE_BEGUN) {
        *state = after_escape(c);
        return ESCAPE_PART;
    }
    unsigned char final = *state == ESCAPE_CSI ? 0x40 : 0x30;
    if (c >= final && c < DEL) *state = ESCAPE_GROUND;
    return ESCAPE_PART;
}

enum escape_kind escape_step(enum escape_state *state, unsigned char c) {
    if (c == ESC) {
        *state = ESCAPE_BEGUN;
        return ESCAPE_PART;
    }
    if (*state == ESCAPE_GROUND) return c < 0x20 || c == DEL ? ESCAPE_CONTROL : ESCAPE_TEXT;
    if (c == CAN || c == SUB) {
        *state = ESCAPE_GROUND;
        return ESCAPE_CONTROL;
    }
    if (*state != ESCAPE_OSC && *state != ESCAPE_STRING) return in_sequence(state, c);
    if (c == BEL && *state == ESCAPE_OSC) *state = ESCAPE_GROUND;
    return *state == ESCAPE_OSC && c >= 0x20 && c != DEL ? ESCAPE_TITLE : ESCAPE_PART;
}
