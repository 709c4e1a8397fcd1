/*
 * printf for a person's terminal. The format is ours, escape sequences and all; what its %s brings came from somewhere, and only
 * what may be shown of it is. Numbers need no care.
 */
#include "cli/screen.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/shown.h"
#include "cli/cells.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>

enum { TEXT_BYTES_MAX = 256 << 20 };

_Static_assert(sizeof(long) == sizeof(size_t) && sizeof(long) == sizeof(intmax_t), "l, z and j are the same");

/* What stands between % and its letter. */
struct spec {
    bool left, zero;
    int width, precision; /* -1: none */
    char length;          /* l, L for ll, z, j, or 0 */
};

static int number(const char **at, va_list *ap) {
    int n = 0;
    if (**at == '*') {
        ++*at;
        return va_arg(*ap, int);
    }
    for (; **at >= '0' && **at <= '9'; ++*at)
        n = n * 10 + (**at - '0');
    return n;
}

static struct spec read_spec(const char **at, va_list *ap) {
    struct spec s = {.precision = -1};
    for (; **at == '-' || **at == '0'; ++*at) {
        s.left |= **at == '-';
        s.zero |= **at == '0';
    }
    s.width = number(at, ap);
    if (**at == '.') {
        ++*at;
        s.precision = number(at, ap);
    }
    for (; **at == 'l' || **at == 'z' || **at == 'j'; ++*at)
        s.length = s.length == 'l' ? 'L' : **at;
    return s;
}

static void pad(struct buf *out, int cells, char with) {
    while (cells-- > 0)
        (void)buf_append_char(out, with);
}

static void put_text(const struct spec *s, const char *text, struct buf *out) {
    size_t n = s->precision < 0 ? strlen(text) : strnlen(text, (size_t)s->precision);
    AUTO(buf) struct buf shown = BUF_INIT(TEXT_BYTES_MAX);
    int cells = (int)cells_append(span_of(text, n), SIZE_MAX, &shown);
    if (!s->left) pad(out, s->width - cells, ' ');
    (void)buf_append_span(out, buf_span(&shown));
    if (s->left) pad(out, s->width - cells, ' ');
}

static void put_number(const struct spec *s, uint64_t value, bool negative, struct buf *out) {
    char digits[SPAN_DIGITS];
    struct span text = span_digits(digits, value);
    int blanks = s->width - (int)text.n - negative;
    if (!s->left && !s->zero) pad(out, blanks, ' ');
    if (negative) (void)buf_append_char(out, '-');
    if (!s->left && s->zero) pad(out, blanks, '0');
    (void)buf_append_span(out, text);
    if (s->left) pad(out, blanks, ' ');
}

static int64_t take_signed(const struct spec *s, va_list *ap) {
    switch (s->length) {
    case 'L': return va_arg(*ap, long long);
    case 'l':
    case 'j':
    case 'z': return va_arg(*ap, long);
    default: return va_arg(*ap, int);
    }
}

static uint64_t take_unsigned(const struct spec *s, va_list *ap) {
    switch (s->length) {
    case 'L': return va_arg(*ap, unsigned long long);
    case 'l':
    case 'j':
    case 'z': return va_arg(*ap, unsigned long);
    default: return va_arg(*ap, unsigned);
    }
}

static void put(const struct spec *s, char letter, va_list *ap, struct buf *out) {
    switch (letter) {
    case 's': put_text(s, va_arg(*ap, const char *), out); break;
    case 'c': put_text(s, (char[]){(char)va_arg(*ap, int), '\0'}, out); break;
    case 'd': {
        int64_t value = take_signed(s, ap);
        put_number(s, value < 0 ? -(uint64_t)value : (uint64_t)value, value < 0, out);
        break;
    }
    case 'u': put_number(s, take_unsigned(s, ap), false, out); break;
    default: assert(letter == '%'); (void)buf_append_char(out, '%');
    }
}

static void print(FILE *to, const char *fmt, va_list *ap) {
    AUTO(buf) struct buf out = BUF_INIT(TEXT_BYTES_MAX);
    while (*fmt) {
        size_t n = strcspn(fmt, "%");
        (void)buf_append(&out, fmt, n);
        fmt += n;
        if (!*fmt) break;
        fmt++;
        struct spec s = read_spec(&fmt, ap);
        put(&s, *fmt++, ap, &out);
    }
    (void)fwrite(out.p ? out.p : "", 1, out.n, to);
}

void screen_print(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    print(stdout, fmt, &ap);
    va_end(ap);
}

void screen_print_to(FILE *to, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    print(to, fmt, &ap);
    va_end(ap);
}

/* Not all at once: an answer may be long. */
void screen_json_part(struct span json) {
    struct shown s = SHOWN_INIT(json);
    const char *from = json.p;
    while (shown_next(&s)) {
        if (s.is_shown) continue;
        struct span told = shown_as(&s, SHOWN_JSON);
        (void)fwrite(from, 1, (size_t)(s.bytes.p - from), stdout);
        (void)fwrite(told.p, 1, told.n, stdout);
        from = s.bytes.p + s.bytes.n;
    }
    if (json.n) (void)fwrite(from, 1, (size_t)(json.p + json.n - from), stdout);
}

void screen_json(struct span json) {
    screen_json_part(json);
    (void)putchar('\n');
}
