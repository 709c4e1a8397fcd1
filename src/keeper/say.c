#include "keeper/say.h"

#include <errno.h>

void say_text(struct say *s, const char *text) {
    for (; *text && s->n < SAY_MAX; text++)
        s->text[s->n++] = (unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text;
}

void say_number(struct say *s, uint64_t n) {
    char digits[SPAN_DIGITS];
    struct span number = span_take(span_digits(digits, n), SAY_MAX - s->n);
    memcpy(s->text + s->n, number.p, number.n);
    s->n += number.n;
}

void say_why(struct say *s, int code) {
    say_text(s, ": ");
    say_text(s, strerror(-code));
}

int say_wrong(struct say *s, const char *before, const char *name, const char *after) {
    say_text(s, before);
    say_text(s, name);
    say_text(s, after);
    return -EINVAL;
}
