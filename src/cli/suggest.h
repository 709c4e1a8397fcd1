/* "Did you mean …?": which of the words that there are is nearest to one that there is not. */
#pragma once

#include "base/span.h"

/* How many letters have to be added, left out, changed, or swapped with their neighbour to make one of the other; words longer
 * than SUGGEST_WORD_MAX are as far apart as can be. */
enum { SUGGEST_WORD_MAX = 64, SUGGEST_FAR = SUGGEST_WORD_MAX + 1 };
unsigned suggest_distance(struct span a, struct span b);

enum { SUGGEST_MAX = 3, SUGGEST_TEXT_BYTES = 256 };

struct suggest {
    struct span word; /* what was typed */
    unsigned distance;
    size_t n;
    const char *best[SUGGEST_MAX]; /* equally near */
};

/* One of the words that there are. */
void suggest_offer(struct suggest *s, const char *candidate);

/* "; did you mean \"stop\" or \"setup\"?" with `dashes` before each; "" when nothing is near. */
void suggest_text(const struct suggest *s, const char *dashes, char ret[SUGGEST_TEXT_BYTES]);
