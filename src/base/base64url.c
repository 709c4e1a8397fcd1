#include "base/base64url.h"

#include <errno.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

enum { BITS = 6, MASK = 63 };

int base64url_put(struct buf *out, const void *bytes, size_t n) {
    const unsigned char *p = bytes;
    unsigned held = 0, bits = 0;
    for (size_t i = 0; i < n; i++) {
        held = held << 8 | p[i];
        for (bits += 8; bits >= BITS; bits -= BITS)
            (void)buf_append_char(out, alphabet[held >> (bits - BITS) & MASK]);
        held &= MASK;
    }
    if (bits) (void)buf_append_char(out, alphabet[held << (BITS - bits) & MASK]);
    return out->failed ? -ENOBUFS : 0;
}

static int digit(char c) {
    const char *at = c ? strchr(alphabet, c) : NULL;
    return at ? (int)(at - alphabet) : -1;
}

int base64url_read(struct span text, void *ret, size_t room) {
    unsigned char *out = ret;
    unsigned held = 0, bits = 0;
    size_t n = 0;
    for (int padding = 0; padding < 2 && text.n && text.p[text.n - 1] == '='; padding++)
        text.n--;
    if (text.n % 4 == 1) return -EINVAL;
    for (size_t i = 0; i < text.n; i++) {
        int d = digit(text.p[i]);
        if (d < 0) return -EINVAL;
        held = held << BITS | (unsigned)d;
        bits += BITS;
        if (bits < 8) continue;
        if (n == room) return -EINVAL;
        bits -= 8;
        out[n++] = (unsigned char)(held >> bits);
        held &= (1U << bits) - 1;
    }
    return held ? -EINVAL : (int)n; /* two texts never mean the same bytes */
}
