#include "base/jwrite.h"

#include "base/jtext.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void separate(struct jwrite *w) {
    if (w->comma) (void)buf_append_char(w->out, ',');
    w->comma = true;
}

static void open_bracket(struct jwrite *w, char bracket) {
    separate(w);
    (void)buf_append_char(w->out, bracket);
    w->comma = false;
}

static void close_bracket(struct jwrite *w, char bracket) {
    (void)buf_append_char(w->out, bracket);
    w->comma = true;
}

void jwrite_object(struct jwrite *w) {
    open_bracket(w, '{');
}

void jwrite_object_end(struct jwrite *w) {
    close_bracket(w, '}');
}

void jwrite_array(struct jwrite *w) {
    open_bracket(w, '[');
}

void jwrite_array_end(struct jwrite *w) {
    close_bracket(w, ']');
}

/* The one byte that ended a run: escaped, or U+FFFD when it is no UTF-8. */
static void append_odd_byte(struct buf *out, unsigned char c) {
    static const char hex[] = "0123456789abcdef";
    static const char letters[0x20] = {['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'};
    if (c >= 0x80) {
        (void)buf_append_span(out, SPAN("\xEF\xBF\xBD"));
    } else if (c >= 0x20) {
        (void)buf_append(out, (char[]){'\\', (char)c}, 2);
    } else if (letters[c]) {
        (void)buf_append(out, (char[]){'\\', letters[c]}, 2);
    } else {
        (void)buf_append(out, (char[]){'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]}, 6);
    }
}

static void append_string(struct buf *out, struct span s) {
    (void)buf_append_char(out, '"');
    while (s.n) {
        size_t run = jtext_run(s);
        if (run) (void)buf_append(out, s.p, run);
        if (run == s.n) break;
        append_odd_byte(out, (unsigned char)s.p[run]);
        s = span_skip(s, run + 1);
    }
    (void)buf_append_char(out, '"');
}

void jwrite_key_span(struct jwrite *w, struct span name) {
    separate(w);
    append_string(w->out, name);
    (void)buf_append_char(w->out, ':');
    w->comma = false;
}

void jwrite_key(struct jwrite *w, const char *name) {
    jwrite_key_span(w, span_str(name));
}

void jwrite_raw(struct jwrite *w, struct span json) {
    separate(w);
    (void)buf_append_span(w->out, json);
}

void jwrite_str(struct jwrite *w, struct span s) {
    separate(w);
    append_string(w->out, s);
}

void jwrite_cstr(struct jwrite *w, const char *s) {
    if (s)
        jwrite_str(w, span_str(s));
    else
        jwrite_null(w);
}

static void append_digits(struct jwrite *w, uint64_t v, bool negative) {
    char text[24];
    size_t at = sizeof text;
    do {
        text[--at] = (char)('0' + v % 10);
        v /= 10;
    } while (v);
    if (negative) text[--at] = '-';
    jwrite_raw(w, span_of(text + at, sizeof text - at));
}

void jwrite_i64(struct jwrite *w, int64_t v) {
    append_digits(w, v < 0 ? -(uint64_t)v : (uint64_t)v, v < 0);
}

void jwrite_u64(struct jwrite *w, uint64_t v) {
    append_digits(w, v, false);
}

void jwrite_double(struct jwrite *w, double v) {
    if (!isfinite(v)) {
        jwrite_null(w);
        return;
    }
    char text[32];
    (void)snprintf(text, sizeof text, "%.15g", v);
    if (strtod(text, NULL) != v) (void)snprintf(text, sizeof text, "%.17g", v);
    jwrite_raw(w, span_str(text));
}

void jwrite_bool(struct jwrite *w, bool v) {
    jwrite_raw(w, v ? SPAN("true") : SPAN("false"));
}

void jwrite_null(struct jwrite *w) {
    jwrite_raw(w, SPAN("null"));
}

void jwrite_kstr(struct jwrite *w, const char *key, struct span s) {
    jwrite_key(w, key);
    jwrite_str(w, s);
}

void jwrite_kcstr(struct jwrite *w, const char *key, const char *s) {
    if (!s && w->omit_null) return;
    jwrite_key(w, key);
    jwrite_cstr(w, s);
}

void jwrite_ki64(struct jwrite *w, const char *key, int64_t v) {
    jwrite_key(w, key);
    jwrite_i64(w, v);
}

void jwrite_ku64(struct jwrite *w, const char *key, uint64_t v) {
    jwrite_key(w, key);
    jwrite_u64(w, v);
}

void jwrite_kbool(struct jwrite *w, const char *key, bool v) {
    jwrite_key(w, key);
    jwrite_bool(w, v);
}

void jwrite_knull(struct jwrite *w, const char *key) {
    if (w->omit_null) return;
    jwrite_key(w, key);
    jwrite_null(w);
}
