#include "cli/keypress.h"

#include "base/utf8.h"

#include <ctype.h>

enum { ESCAPE = 0x1b, DELETE = 0x7f };

/* The sequences of cursor keys, without ESC [ or ESC O. */
static const struct {
    struct span bytes;
    enum keypress_kind kind;
} cursor_keys[] = {
    {SPAN("A"), KEYPRESS_UP},         {SPAN("B"), KEYPRESS_DOWN},    {SPAN("C"), KEYPRESS_RIGHT},
    {SPAN("D"), KEYPRESS_LEFT},       {SPAN("H"), KEYPRESS_HOME},    {SPAN("F"), KEYPRESS_END},
    {SPAN("1~"), KEYPRESS_HOME},      {SPAN("7~"), KEYPRESS_HOME},   {SPAN("4~"), KEYPRESS_END},
    {SPAN("8~"), KEYPRESS_END},       {SPAN("3~"), KEYPRESS_DELETE}, {SPAN("5~"), KEYPRESS_PAGE_UP},
    {SPAN("6~"), KEYPRESS_PAGE_DOWN},
};

/* How long the rest of a sequence is: parameters, and the letter that ends it. */
static size_t sequence_length(struct span s) {
    size_t n = 0;
    while (n < s.n && s.p[n] >= 0x20 && s.p[n] < 0x40)
        n++;
    return n < s.n ? n + 1 : n;
}

static void take_escape(struct span *bytes, struct keypress *ret) {
    *bytes = span_skip(*bytes, 1);
    ret->kind = KEYPRESS_ESCAPE;
    if (!bytes->n || (bytes->p[0] != '[' && bytes->p[0] != 'O')) return;
    struct span rest = span_skip(*bytes, 1);
    struct span sequence = span_take(rest, sequence_length(rest));
    ret->kind = KEYPRESS_OTHER;
    for (size_t i = 0; i < ARRAY_LEN(cursor_keys); i++)
        if (span_eq(sequence, cursor_keys[i].bytes)) ret->kind = cursor_keys[i].kind;
    *bytes = span_skip(rest, sequence.n);
}

static enum keypress_kind control_kind(unsigned char c) {
    if (c == '\r' || c == '\n') return KEYPRESS_ENTER;
    if (c == '\b' || c == DELETE) return KEYPRESS_BACKSPACE;
    return c >= 1 && c <= 26 ? KEYPRESS_CONTROL : KEYPRESS_OTHER;
}

bool keypress_next(struct span *bytes, struct keypress *ret) {
    if (!bytes->n) return false;
    unsigned char c = (unsigned char)bytes->p[0];
    *ret = (struct keypress){0};
    if (c == ESCAPE) {
        take_escape(bytes, ret);
    } else if (c < 0x20 || c == DELETE) {
        ret->kind = control_kind(c);
        ret->letter = (char)(c + 'a' - 1);
        *bytes = span_skip(*bytes, 1);
    } else {
        size_t n = utf8_sequence(*bytes);
        ret->kind = n ? KEYPRESS_TEXT : KEYPRESS_OTHER;
        ret->text = span_take(*bytes, n);
        *bytes = span_skip(*bytes, MAX(n, (size_t)1));
    }
    return true;
}
