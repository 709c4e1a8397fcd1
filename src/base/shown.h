/*
 * Text from outside as it may be shown to a person: an allow-list of characters, the same for every output. Letters, numbers,
 * punctuation, symbols and icons of fonts pass, marks only on a character that they can join, at most eight of them. What
 * steers (control characters, C0 and C1), what makes the rest look like something else (marks of direction) or is not seen
 * (no width, no ink, not assigned) does not; joiners and variation selectors pass where emoji and scripts need them.
 *
 * Every output has one style in which the rest is told:
 *   terminal  cli/screen, SHOWN_PLAIN      log   base/log, SHOWN_SPELLED
 *   JSON      cli/screen_json, SHOWN_JSON  page  core/text for what is read whole, web/src/core/shown for the rest
 */
#pragma once

#include "base/span.h"

enum shown_style {
    SHOWN_PLAIN,   /* a blank for white space, U+FFFD for anything else */
    SHOWN_SPELLED, /* \n, \x1b, \u202e */
    SHOWN_JSON,    /* \u001b, for a text that is JSON: it means the same */
};

struct shown {
    struct span rest;  /* what follows */
    struct span bytes; /* the character, as it came */
    uint32_t code;     /* U+FFFD for a byte that is no UTF-8 */
    bool is_shown;     /* as it came */
    uint32_t before;   /* the character that is shown before it; 0: none that anything can join */
    unsigned marks;    /* that it has already */
    char told[16];
};

#define SHOWN_INIT(text) ((struct shown){.rest = (text)})

/* Goes to the next character; false at the end. */
bool shown_next(struct shown *s);
/* The character as it came, or how it is told in this style; valid until the next one. */
struct span shown_as(struct shown *s, enum shown_style style);

/* As much of a text as fits into `out`, with a NUL behind it; returns its length. */
size_t shown_copy(struct span text, enum shown_style style, char *out, size_t room);
