/*
 * What every match of a pattern must begin with: a set of literals, without case where the pattern has none. Read off the pattern's text by a parser that
 * understands little and gives up early, because too short a literal costs time and a wrong one costs a secret.
 */
#pragma once

#include "base/span.h"

enum {
    REDACT_LITERALS_MAX = 64,     /* of one pattern */
    REDACT_LITERAL_BYTES = 12,    /* of a longer one, the beginning */
    REDACT_LITERAL_BYTES_MIN = 2, /* shorter ones are found everywhere */
};

struct redact_literal {
    uint8_t n;
    bool exact; /* case matters; otherwise they are in lower case */
    bool
        apart; /* it does not stand in the midst of a word; behind an escaped line end or tab, "\\n", it may */
    char text[REDACT_LITERAL_BYTES];
};

/* How many there are in `ret`; 0 when nothing can be said: such a pattern has to be tried everywhere. */
size_t redact_literals(struct span pattern, struct redact_literal ret[REDACT_LITERALS_MAX]);
