/* Keys out of the bytes that a terminal in raw mode sends. Pure. */
#pragma once

#include "base/span.h"

enum keypress_kind {
    KEYPRESS_OTHER, /* one that nobody here has a use for */
    KEYPRESS_TEXT,
    KEYPRESS_ENTER,
    KEYPRESS_ESCAPE,
    KEYPRESS_BACKSPACE,
    KEYPRESS_DELETE,
    KEYPRESS_LEFT,
    KEYPRESS_RIGHT,
    KEYPRESS_UP,
    KEYPRESS_DOWN,
    KEYPRESS_HOME,
    KEYPRESS_END,
    KEYPRESS_PAGE_UP,
    KEYPRESS_PAGE_DOWN,
    KEYPRESS_CONTROL,
};

struct keypress {
    enum keypress_kind kind;
    struct span text; /* of TEXT: one character */
    char letter;      /* of CONTROL: 'a' to 'z' */
};

/* Cuts the first key off the bytes; false when there are none. */
bool keypress_next(struct span *bytes, struct keypress *ret);
