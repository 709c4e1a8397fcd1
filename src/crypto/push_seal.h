/* A push message, sealed for one browser so that the push service in between cannot read it: RFC 8291 over RFC 8188, one record
 * of aes128gcm. Pure: the caller brings the sender's key and the salt, both new for each message. */
#pragma once

#include "base/buf.h"
#include "crypto/p256.h"

enum {
    PUSH_SEAL_AUTH_BYTES = 16,
    PUSH_SEAL_SALT_BYTES = 16,
    PUSH_SEAL_BODY_MAX = 4096,  /* push services need not take more */
    PUSH_SEAL_PLAIN_MAX = 3993, /* what that leaves for the text */
};

/* Who it is for: what the browser told when it subscribed. */
struct push_seal_to {
    unsigned char point[P256_POINT_BYTES], auth[PUSH_SEAL_AUTH_BYTES];
};

/* Appends the body of the request. -EINVAL: no public key, or too long a text; -EIO when OpenSSL cannot. */
int push_seal(const struct push_seal_to *to, const struct p256 *sender,
              const unsigned char salt[PUSH_SEAL_SALT_BYTES], struct span plain, struct buf *out);

/* The same with a key and a salt drawn for it. */
int push_seal_fresh(const struct push_seal_to *to, struct span plain, struct buf *out);
