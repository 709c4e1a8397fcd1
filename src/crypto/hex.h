/* Bytes as lower-case hexadecimal. */
#pragma once

#include <stddef.h>

/* 2 * n characters, and no NUL. */
static inline void hex_put(char *out, const unsigned char *bytes, size_t n) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < n; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
}
