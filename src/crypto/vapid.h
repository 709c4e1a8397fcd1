/* Who sends a push, told to the push service: a JSON Web Token signed with the key that the browser subscribed with (RFC 8292). */
#pragma once

#include "base/buf.h"
#include "crypto/p256.h"

enum { VAPID_HEADER_MAX = 2048, VAPID_LIFE_S = 12 * 60 * 60 };

/* Appends the value of the Authorization header: for the push service `origin` ("https://push.example"), good until `expires_s`;
 * `subject` is where its people can reach us, a mailto: or https: address. -EIO when OpenSSL cannot. */
int vapid_header(const struct p256 *key, struct span origin, struct span subject, int64_t expires_s,
                 struct buf *out);
