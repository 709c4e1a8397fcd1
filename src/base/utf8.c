#include "base/utf8.h"

size_t utf8_sequence(struct span s) {
    if (s.n == 0) return 0;
    const unsigned char *p = (const unsigned char *)s.p;
    if (p[0] < 0x80) return 1;

    size_t len;
    unsigned char low = 0x80, high = 0xBF; /* bounds of the second byte */
    if (p[0] >= 0xC2 && p[0] <= 0xDF) {
        len = 2;
    } else if (p[0] >= 0xE0 && p[0] <= 0xEF) {
        len = 3;
        if (p[0] == 0xE0) low = 0xA0;  /* overlong */
        if (p[0] == 0xED) high = 0x9F; /* surrogates */
    } else if (p[0] >= 0xF0 && p[0] <= 0xF4) {
        len = 4;
        if (p[0] == 0xF0) low = 0x90;
        if (p[0] == 0xF4) high = 0x8F;
    } else {
        return 0;
    }
    if (s.n < len || p[1] < low || p[1] > high) return 0;
    for (size_t i = 2; i < len; i++)
        if ((p[i] & 0xC0) != 0x80) return 0;
    return len;
}

bool utf8_valid(struct span s) {
    while (s.n) {
        size_t len = utf8_sequence(s);
        if (len == 0) return false;
        s = span_skip(s, len);
    }
    return true;
}

struct span utf8_cut_units(struct span s, size_t units) {
    if (s.n <= units) return s;
    size_t at = 0;
    while (at < s.n) {
        size_t len = utf8_sequence(span_skip(s, at));
        size_t cost = len == 4 ? 2 : 1;
        if (cost > units) break;
        units -= cost;
        at += len ? len : 1;
    }
    return span_take(s, at);
}

struct span utf8_cut_bytes(struct span s, size_t bytes) {
    if (s.n <= bytes) return s;
    /* At most three bytes back is the start of the character that straddles the cut. */
    size_t at = bytes;
    while (at > 0 && bytes - at < 3 && ((unsigned char)s.p[at] & 0xC0) == 0x80)
        at--;
    return span_take(s, ((unsigned char)s.p[at] & 0xC0) == 0x80 ? bytes : at);
}

size_t utf8_encode(uint32_t code, char out[4]) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xC0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xE0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 0x3F));
        out[2] = (char)(0x80 | (code & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 0x3F));
    out[2] = (char)(0x80 | (code >> 6 & 0x3F));
    out[3] = (char)(0x80 | (code & 0x3F));
    return 4;
}
