/* Base64 for URLs, as RFC 4648 has it in section 5, without padding: keys and tokens of Web Push. Pure. */
#pragma once

#include "base/buf.h"

/* Appends the text of these bytes. */
int base64url_put(struct buf *out, const void *bytes, size_t n);

/* The bytes of `text` into `ret`, and how many they are; -EINVAL for what is no such text (padding at its end is taken), and for
 * more than `room`. */
int base64url_read(struct span text, void *ret, size_t room);
