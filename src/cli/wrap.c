#include "cli/wrap.h"

#include "base/utf8.h"

size_t wrap_count(struct span text) {
    size_t count = 0;
    for (; text.n; count++)
        text = span_skip(text, MAX(utf8_sequence(text), (size_t)1));
    return count;
}

void wrap_words(struct buf *out, struct span text, size_t at, size_t indent, size_t width) {
    for (bool first = true; text.n; first = false) {
        struct span word = span_split(&text, ' ');
        size_t n = wrap_count(word);
        if (!first && at + 1 + n > width) {
            (void)buf_printf(out, "\n%*s", (int)indent, "");
            at = indent;
        } else if (!first) {
            (void)buf_append_char(out, ' ');
            at++;
        }
        (void)buf_append_span(out, word);
        at += n;
    }
    (void)buf_append_char(out, '\n');
}
