/* HMAC and HKDF with SHA-256. */
#pragma once

#include "base/span.h"

enum { MAC_BYTES = 32 };

void mac_sha256(struct span key, struct span text, unsigned char ret[MAC_BYTES]);

/* HKDF (RFC 5869): `n` bytes, at most MAC_BYTES, of a secret and a salt, for the use that `info` names. */
void mac_derive(struct span salt, struct span secret, struct span info, unsigned char *ret, size_t n);
