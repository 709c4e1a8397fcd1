#include "hook/out.h"

#include "base/utf8.h"

void out_raw(struct out *o, struct span s) {
    if (o->full || s.n > o->cap - o->n) {
        o->full = true;
        return;
    }
    if (s.n) memcpy(o->p + o->n, s.p, s.n);
    o->n += s.n;
}

void out_u64(struct out *o, uint64_t v) {
    char digits[SPAN_DIGITS];
    out_raw(o, span_digits(digits, v));
}

static void out_ascii(struct out *o, char c) {
    static const char hex[] = "0123456789abcdef";
    unsigned char u = (unsigned char)c;
    if (c == '"' || c == '\\') {
        out_raw(o, span_of((const char[]){'\\', c}, 2));
    } else if (u < 0x20 || u == 0x7f) {
        out_raw(o, span_of((const char[]){'\\', 'u', '0', '0', hex[u >> 4], hex[u & 15]}, 6));
    } else {
        out_raw(o, span_of(&c, 1));
    }
}

/* Bytes at the start of `s` that stand for themselves. */
static size_t plain_run(struct span s) {
    size_t n = 0;
    while (n < s.n && (unsigned char)s.p[n] >= 0x20 && (unsigned char)s.p[n] < 0x7f && s.p[n] != '"' &&
           s.p[n] != '\\')
        n++;
    return n;
}

void out_string(struct out *o, struct span s) {
    s = utf8_cut_bytes(s, OUT_VALUE_MAX);
    out_raw(o, SPAN("\""));
    for (;;) {
        size_t plain = plain_run(s);
        out_raw(o, span_take(s, plain));
        s = span_skip(s, plain);
        if (!s.n) break;
        size_t len = utf8_sequence(s);
        if (len == 1)
            out_ascii(o, s.p[0]);
        else
            out_raw(o, len ? span_take(s, len) : SPAN("\xEF\xBF\xBD"));
        s = span_skip(s, len ? len : utf8_bad_part(s));
    }
    out_raw(o, SPAN("\""));
}

void out_rewind(struct out *o, size_t n) {
    assert(n <= o->n);
    o->n = n;
    o->full = false;
}

static void out_key(struct out *o, const char *key) {
    out_raw(o, SPAN(",\""));
    out_raw(o, span_str(key));
    out_raw(o, SPAN("\":"));
}

void out_member_string(struct out *o, const char *key, struct span value) {
    size_t before = o->n;
    out_key(o, key);
    out_string(o, value);
    if (o->full) out_rewind(o, before);
}

void out_member_u64(struct out *o, const char *key, uint64_t value) {
    size_t before = o->n;
    out_key(o, key);
    out_u64(o, value);
    if (o->full) out_rewind(o, before);
}

void out_member_true(struct out *o, const char *key) {
    size_t before = o->n;
    out_key(o, key);
    out_raw(o, SPAN("true"));
    if (o->full) out_rewind(o, before);
}
