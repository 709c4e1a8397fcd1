#include "hook/reply_line.h"

enum { WORD_MAX = 32 };

static bool is_plain(struct span word) {
    for (size_t i = 0; i < word.n; i++) {
        char c = word.p[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')) return false;
    }
    return word.n > 0 && word.n < WORD_MAX;
}

bool reply_line_parse(struct span line, struct reply_line *ret) {
    if (!span_eq(span_split(&line, ' '), SPAN("reply"))) return false;
    struct reply_line r = {.session = span_split(&line, ' ')};
    r.request = span_split(&line, ' ');
    r.decision = span_split(&line, ' ');
    if (!is_plain(r.session) || !is_plain(r.request) || !is_plain(r.decision) || !span_u64(line, &r.n) ||
        r.n == 0 || r.n > REPLY_ANSWER_MAX)
        return false;
    *ret = r;
    return true;
}
