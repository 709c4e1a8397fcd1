#include "api/pair_codes.h"

#include "crypto/secret.h"

#include <errno.h>

/* A secret has 64 hexadecimal digits; a code is to be short, for the picture that it is shown in: 22 of them are 88 bits. */
int pair_codes_make(struct pair_codes *p, const struct token_terms *terms, int64_t now_ms,
                    char ret[PAIR_CODE_BYTES]) {
    char secret[SECRET_BYTES];
    size_t at = 0;
    if (secret_draw(secret) < 0) return -EIO;
    for (size_t i = 0; i < PAIR_CODES_MAX; i++)
        if (p->codes[i].until_ms < p->codes[at].until_ms) at = i;
    memcpy(ret, secret, PAIR_CODE_BYTES - 1);
    ret[PAIR_CODE_BYTES - 1] = '\0';
    explicit_bzero(secret, sizeof secret);
    digest_sha256(span_str(ret), p->codes[at].hash);
    p->codes[at].until_ms = now_ms + PAIR_CODE_MS;
    p->codes[at].terms = *terms;
    return 0;
}

bool pair_codes_take(struct pair_codes *p, struct span code, int64_t now_ms, struct token_terms *ret) {
    char hash[DIGEST_SHA256_HEX];
    if (code.n != PAIR_CODE_BYTES - 1) return false;
    digest_sha256(code, hash);
    for (size_t i = 0; i < PAIR_CODES_MAX; i++) {
        if (!p->codes[i].hash[0] || !secret_eq(span_str(p->codes[i].hash), span_str(hash))) continue;
        bool in_time = now_ms < p->codes[i].until_ms && now_ms >= p->codes[i].until_ms - PAIR_CODE_MS;
        *ret = p->codes[i].terms;
        memset(&p->codes[i], 0, sizeof p->codes[i]);
        return in_time;
    }
    return false;
}

void pair_codes_clear(struct pair_codes *p) {
    memset(p, 0, sizeof *p);
}
