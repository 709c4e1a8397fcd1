/*
 * May a pattern match at a place? A table says for each byte how it could go on; where it could not, there is no match, and PCRE2 need
 * not be asked. It knows less than the pattern, so that it lets through what is no match, and never refuses what is one.
 */
#pragma once

#include "base/span.h"

enum {
    GATE_STATES_MAX = 255,
    GATE_BYTES = 64, /* that are looked at */
};

struct redact_gate {
    uint8_t class_of[256]; /* bytes that no step tells apart are one class */
    uint16_t first;        /* row: as many entries as there are classes, for each state */
    uint16_t next[];       /* the row that comes then, or that it stops, or that it passes */
};

/* NULL when nothing can be said of the pattern: everything is let through then. */
struct redact_gate *redact_gate_new(struct span pattern);
void redact_gate_free(struct redact_gate *g);

/* False: there is no match at `at`, whatever follows the text. */
bool redact_gate_passes(const struct redact_gate *g, struct span text, size_t at);
