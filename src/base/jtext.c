#include "base/jtext.h"

#include "base/utf8.h"

#include <errno.h>

#ifdef __SSE2__
#    include <emmintrin.h>
#endif

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_plain(char c) {
    return (unsigned char)c >= 0x20 && (unsigned char)c < 0x80 && c != '"' && c != '\\';
}

#ifdef __SSE2__
/* How far plain ASCII goes in steps of 16 bytes. */
static size_t plain_steps(const char *p, size_t n) {
    size_t at = 0;
    for (; n - at >= 16; at += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + at));
        /* As signed numbers the bytes from 0x80 on are below 0x20 as well. */
        __m128i odd = _mm_or_si128(
            _mm_cmplt_epi8(v, _mm_set1_epi8(0x20)),
            _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'))));
        unsigned mask = (unsigned)_mm_movemask_epi8(odd);
        if (mask) return at + (size_t)__builtin_ctz(mask);
    }
    return at;
}
#else
#    define ONES (~UINT64_C(0) / 255)
#    define TOPS (ONES * 0x80)

/* The same in steps of 8: a byte's top bit is set in `odd` when it, or one below it, is not plain. */
static size_t plain_steps(const char *p, size_t n) {
    size_t at = 0;
    for (; n - at >= 8; at += 8) {
        uint64_t v;
        memcpy(&v, p + at, sizeof v);
        uint64_t quote = v ^ ONES * '"', slash = v ^ ONES * '\\';
        uint64_t odd = v | (v - ONES * 0x20) | (quote - ONES) | (slash - ONES);
        if (odd & TOPS) return at;
    }
    return at;
}
#endif

static size_t plain_run(const char *p, size_t n) {
    size_t at = plain_steps(p, n);
    while (at < n && is_plain(p[at]))
        at++;
    return at;
}

size_t jtext_run(struct span s) {
    size_t at = 0;
    for (;;) {
        at += plain_run(s.p + at, s.n - at);
        if (at == s.n || (unsigned char)s.p[at] < 0x80) return at;
        /* Text in other scripts comes in runs: stay here while it lasts. */
        while (at < s.n && (unsigned char)s.p[at] >= 0x80) {
            size_t len = utf8_sequence(span_of(s.p + at, s.n - at));
            if (len == 0) return at;
            at += len;
        }
    }
}

static bool hex4(const char *p, uint32_t *ret) {
    uint32_t v = 0;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        uint32_t digit;
        if (is_digit(c)) {
            digit = (uint32_t)(c - '0');
        } else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) {
            digit = (uint32_t)((c | 0x20) - 'a') + 10;
        } else {
            return false;
        }
        v = v << 4 | digit;
    }
    *ret = v;
    return true;
}

static size_t unicode_escape(struct span s, uint32_t *ret_code) {
    uint32_t high, low;
    if (s.n < 6 || !hex4(s.p + 2, &high)) return 0;
    if (high < 0xD800 || high > 0xDFFF) {
        *ret_code = high;
        return 6;
    }
    if (high > 0xDBFF || s.n < 12 || s.p[6] != '\\' || s.p[7] != 'u' || !hex4(s.p + 8, &low)) return 0;
    if (low < 0xDC00 || low > 0xDFFF) return 0;
    *ret_code = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
    return 12;
}

size_t jtext_escape(struct span s, uint32_t *ret_code) {
    if (s.n < 2 || s.p[0] != '\\') return 0;
    switch (s.p[1]) {
    case '"':
    case '\\':
    case '/': *ret_code = (uint32_t)s.p[1]; return 2;
    case 'b': *ret_code = '\b'; return 2;
    case 'f': *ret_code = '\f'; return 2;
    case 'n': *ret_code = '\n'; return 2;
    case 'r': *ret_code = '\r'; return 2;
    case 't': *ret_code = '\t'; return 2;
    case 'u': return unicode_escape(s, ret_code);
    default: return 0;
    }
}

int jtext_decode(struct span raw, char *out, size_t room, size_t *ret_n) {
    size_t n = 0;
    while (raw.n) {
        const char *escape = memchr(raw.p, '\\', raw.n);
        struct span run = span_take(raw, escape ? (size_t)(escape - raw.p) : raw.n);
        if (run.n) {
            if (memchr(run.p, '"', run.n)) return -EINVAL;
            if (run.n > room - n) return -ENOBUFS;
            memcpy(out + n, run.p, run.n);
            n += run.n;
        }
        raw = span_skip(raw, run.n);
        if (!escape) break;

        uint32_t code;
        char encoded[4];
        size_t taken = jtext_escape(raw, &code);
        if (taken == 0) return -EINVAL;
        size_t len = utf8_encode(code, encoded);
        if (len > room - n) return -ENOBUFS;
        memcpy(out + n, encoded, len);
        n += len;
        raw = span_skip(raw, taken);
    }
    *ret_n = n;
    return 0;
}

static size_t digits(struct span s, size_t from) {
    size_t at = from;
    while (at < s.n && is_digit(s.p[at]))
        at++;
    return at - from;
}

size_t jtext_number(struct span s, bool *ret_integer) {
    size_t at = s.n && s.p[0] == '-' ? 1 : 0;
    size_t whole = digits(s, at);
    if (whole == 0 || (whole > 1 && s.p[at] == '0')) return 0;
    at += whole;

    bool integer = true;
    if (at < s.n && s.p[at] == '.') {
        size_t fraction = digits(s, at + 1);
        if (fraction == 0) return 0;
        at += 1 + fraction;
        integer = false;
    }
    if (at < s.n && (s.p[at] == 'e' || s.p[at] == 'E')) {
        at++;
        if (at < s.n && (s.p[at] == '+' || s.p[at] == '-')) at++;
        size_t exponent = digits(s, at);
        if (exponent == 0) return 0;
        at += exponent;
        integer = false;
    }
    *ret_integer = integer;
    return at;
}
