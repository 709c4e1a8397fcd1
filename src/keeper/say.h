/* A sentence for people, put together without printf, which alone would be a third of the program. One line whatever it is given:
 * names come from outside. */
#pragma once

#include "base/span.h"

enum { SAY_MAX = 600 };

struct say {
    char text[SAY_MAX + 1]; /* ends with NUL as long as it began empty */
    size_t n;
};

void say_text(struct say *s, const char *text);
void say_number(struct say *s, uint64_t n);
/* ": " and the system's own words for the negative errno. */
void say_why(struct say *s, int code);
/* The three in one: what comes before a name, the name, and what comes after it. Returns -EINVAL. */
int say_wrong(struct say *s, const char *before, const char *name, const char *after);
