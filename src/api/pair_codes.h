/* Codes by which a phone is let in once: each is good for five minutes and one login. Only their hashes are kept. Pure. */
#pragma once

#include "crypto/digest.h"
#include "net/tokens.h"

enum {
    PAIR_CODE_MS = 5 * 60 * 1000,
    PAIR_CODES_MAX = 8,   /* then the oldest goes */
    PAIR_CODE_BYTES = 23, /* 22 hexadecimal digits, 88 bits, and a NUL */
};

struct pair_codes {
    struct {
        char hash[DIGEST_SHA256_HEX]; /* "": none */
        int64_t until_ms;
        struct token_terms terms;
    } codes[PAIR_CODES_MAX];
};

/* Draws one. -EIO when the system has no randomness. */
int pair_codes_make(struct pair_codes *p, const struct token_terms *terms, int64_t now_ms,
                    char ret[PAIR_CODE_BYTES]);
/* Uses it up; false when there is no such code, or no longer. */
bool pair_codes_take(struct pair_codes *p, struct span code, int64_t now_ms, struct token_terms *ret);
void pair_codes_clear(struct pair_codes *p);
