/* Keys on the curve P-256: agreed secrets (ECDH) and signatures (ES256), as Web Push needs them. */
#pragma once

#include "base/span.h"

enum {
    P256_POINT_BYTES = 65,  /* a public key: 4, x, y */
    P256_NUMBER_BYTES = 32, /* a private key; an agreed secret */
    P256_SIGNATURE_BYTES = 64,
};

struct p256;

/* A new pair; NULL when the system has no randomness. */
struct p256 *p256_make(void);
/* The pair of this private key; NULL when it is none. */
struct p256 *p256_of(const unsigned char number[P256_NUMBER_BYTES]);
void p256_free(struct p256 *k); /* NULL is fine */

void p256_number(const struct p256 *k, unsigned char ret[P256_NUMBER_BYTES]);
const unsigned char *p256_point(const struct p256 *k); /* P256_POINT_BYTES */

/* Is it a public key at all? What is not on the curve would give private keys away, bit by bit. */
bool p256_is_point(const unsigned char point[P256_POINT_BYTES]);

/* The secret that both ends can work out. -EINVAL when `point` is no public key. */
int p256_agree(const struct p256 *k, const unsigned char point[P256_POINT_BYTES],
               unsigned char ret[P256_NUMBER_BYTES]);
/* SHA-256 of `text`, signed: r and s, 32 bytes each. -EIO when OpenSSL cannot. */
int p256_sign(const struct p256 *k, struct span text, unsigned char ret[P256_SIGNATURE_BYTES]);
