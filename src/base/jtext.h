/* The words of JSON that its readers, its validator and its writer have in common. Internal to base/. */
#pragma once

#include "base/span.h"

static inline bool jtext_is_space(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* How many bytes at the start of `s` may stand in a JSON string as they are: all up to the first quote, backslash,
 * control character or malformed UTF-8. */
size_t jtext_run(struct span s);

/* Length of the escape sequence at the start of `s` (2, 6, or 12 for a surrogate pair) with its code point, 0 when
 * there is none or it is bad. A lone surrogate is bad. */
size_t jtext_escape(struct span s, uint32_t *ret_code);

/* Decodes the text between a string's quotes into `out`; what comes out is never longer than `raw`. Only escapes and
 * stray quotes are looked at. -EINVAL: bad ones; -ENOBUFS: more than `room` bytes. */
int jtext_decode(struct span raw, char *out, size_t room, size_t *ret_n);

/* Length of the number at the start of `s`, 0 when there is none. */
size_t jtext_number(struct span s, bool *ret_integer);
