#include "repair/js_string.h"

#include "base/utf8.h"

#include <errno.h>

enum { REPLACEMENT = 0xFFFD, HIGH = 0xD800, LOW = 0xDC00, SURROGATES_END = 0xE000, ESCAPE_CHARS = 6 };

/* utf8_encode() knows no halves; they look like any other three bytes. */
static size_t encode(uint32_t code, char out[4]) {
    if (code < HIGH || code >= SURROGATES_END) return utf8_encode(code, out);
    out[0] = (char)(0xE0 | code >> 12);
    out[1] = (char)(0x80 | (code >> 6 & 0x3F));
    out[2] = (char)(0x80 | (code & 0x3F));
    return 3;
}

static int put(struct buf *out, uint32_t code) {
    char text[4];
    return buf_append(out, text, encode(code, text));
}

/* How many bytes of malformed UTF-8 become one U+FFFD: as many as could have begun a character (the WHATWG rule). */
static size_t malformed(struct span s) {
    unsigned char first = (unsigned char)s.p[0];
    unsigned char low = 0x80, high = 0xBF;
    size_t more = first >= 0xC2 && first <= 0xDF ? 1 : first >= 0xE0 && first <= 0xEF ? 2 : 0;
    if (first >= 0xF0 && first <= 0xF4) more = 3;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
    size_t n = 1;
    for (; n <= more && n < s.n; n++, low = 0x80, high = 0xBF)
        if ((unsigned char)s.p[n] < low || (unsigned char)s.p[n] > high) break;
    return n;
}

static uint32_t hex4(const char *p) {
    uint32_t v = 0;
    for (int i = 0; i < 4; i++)
        v = v << 4 | (uint32_t)(p[i] <= '9' ? p[i] - '0' : (p[i] | 0x20) - 'a' + 10);
    return v;
}

/* The escape at the start; the text was checked, so it is whole. Returns its length. */
static size_t unescape(struct span s, uint32_t *ret) {
    static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
    if (s.p[1] == 'u') {
        *ret = hex4(s.p + 2);
        return ESCAPE_CHARS;
    }
    const char *at = strchr(from, s.p[1]);
    *ret = (unsigned char)(at ? to[at - from] : s.p[1]);
    return 2;
}

int js_string_decode(struct span inside, struct buf *out) {
    struct span s = inside;
    while (s.n) {
        uint32_t code = REPLACEMENT;
        size_t n = 0;
        if (s.p[0] == '\\') {
            n = unescape(s, &code);
            struct span next = span_skip(s, n);
            bool pair =
                code >= HIGH && code < LOW && next.n >= ESCAPE_CHARS && span_starts(next, SPAN("\\u"));
            uint32_t second = pair ? hex4(next.p + 2) : 0;
            if (second >= LOW && second < SURROGATES_END) {
                code = 0x10000 + ((code - HIGH) << 10) + (second - LOW);
                n += ESCAPE_CHARS;
            }
        } else if ((n = utf8_sequence(s))) {
            if (buf_append(out, s.p, n) < 0) return -ENOBUFS;
            s = span_skip(s, n);
            continue;
        } else {
            n = malformed(s);
        }
        if (put(out, code) < 0) return -ENOBUFS;
        s = span_skip(s, n);
    }
    return 0;
}

int js_string_write(struct span text, struct buf *out) {
    int r = buf_append_char(out, '"');
    while (r == 0 && text.n) {
        unsigned char c = (unsigned char)text.p[0];
        size_t n = utf8_sequence(text);
        if (c == '"' || c == '\\')
            r = buf_printf(out, "\\%c", c);
        else if (c < ' ')
            r = buf_printf(out, "\\u%04x", c);
        else if (n)
            r = buf_append(out, text.p, n);
        else
            r = buf_printf(out, "\\u%04x",
                           (c & 0xFU) << 12 | ((unsigned char)text.p[1] & 0x3FU) << 6 |
                               ((unsigned char)text.p[2] & 0x3FU));
        text = span_skip(text, n ? n : 3);
    }
    return r < 0 ? r : buf_append_char(out, '"');
}
