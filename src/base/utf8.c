#include "base/utf8.h"

/* How long the sequence is that byte `first` begins, with the bounds of its second byte; 0 when it begins none. */
static size_t sequence_of(unsigned char first, unsigned char *low, unsigned char *high) {
    *low = 0x80;
    *high = 0xBF;
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return 2;
    if (first >= 0xE0 && first <= 0xEF) {
        if (first == 0xE0) *low = 0xA0;  /* overlong */
        if (first == 0xED) *high = 0x9F; /* surrogates */
        return 3;
    }
    if (first < 0xF0 || first > 0xF4) return 0;
    if (first == 0xF0) *low = 0x90;
    if (first == 0xF4) *high = 0x8F;
    return 4;
}

/* How many bytes of it are there and right. */
static size_t right_bytes(struct span s, size_t len, unsigned char low, unsigned char high) {
    const unsigned char *p = (const unsigned char *)s.p;
    if (s.n < 2 || p[1] < low || p[1] > high) return 1;
    size_t n = 2;
    while (n < len && n < s.n && (p[n] & 0xC0) == 0x80)
        n++;
    return n;
}

size_t utf8_sequence(struct span s) {
    if (s.n == 0) return 0;
    unsigned char low, high;
    size_t len = sequence_of((unsigned char)s.p[0], &low, &high);
    if (len <= 1) return len;
    return right_bytes(s, len, low, high) == len ? len : 0;
}

size_t utf8_bad_part(struct span s) {
    unsigned char low, high;
    size_t len = sequence_of((unsigned char)s.p[0], &low, &high);
    return len <= 1 ? 1 : right_bytes(s, len, low, high);
}

bool utf8_valid(struct span s) {
    while (s.n) {
        size_t len = utf8_sequence(s);
        if (len == 0) return false;
        s = span_skip(s, len);
    }
    return true;
}

uint32_t utf8_decode(struct span sequence) {
    static const unsigned char leads[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t code = (unsigned char)sequence.p[0] & leads[sequence.n];
    for (size_t i = 1; i < sequence.n; i++)
        code = code << 6 | ((unsigned char)sequence.p[i] & 0x3F);
    return code;
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
