#include "core/title.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/utf8.h"
#include "core/text.h"

enum { TITLE_UNITS = 60, TITLE_BYTES_MAX = 4096 };

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Without one polite opening. */
static struct span skip_politeness(struct span s) {
    static const char *const openings[] = {"please",  "can you",   "could you",
                                           "help me", "i want to", "i need to"};
    for (size_t i = 0; i < ARRAY_LEN(openings); i++) {
        struct span opening = span_str(openings[i]);
        if (span_istarts(s, opening) && s.n > opening.n && is_space(s.p[opening.n]))
            return span_trim(span_skip(s, opening.n));
    }
    return s;
}

/* The first sentence, at most 60 characters of it; of a prompt that begins with a sentence's end there may be more. */
static struct span first_sentence(struct span s, struct arena *arena) {
    size_t n = 0;
    while (n < s.n && s.p[n] != '\n' && s.p[n] != '.' && s.p[n] != '!' && s.p[n] != '?')
        n++;
    struct span sentence = n ? span_trim(span_take(s, n)) : s;
    return text_cut(sentence, n ? TITLE_UNITS : TITLE_UNITS * 4, arena);
}

struct span title_make(const struct session *s, struct span prompt, struct arena *arena) {
    struct span words = first_sentence(skip_politeness(span_trim(prompt)), arena);
    AUTO(buf) struct buf b = BUF_INIT(TITLE_BYTES_MAX);
    (void)buf_append_span(&b, utf8_cut_units(span_str(s->project_name), 200));
    if (s->label) (void)buf_printf(&b, " %.200s", s->label);
    if (!words.n) {
        (void)buf_printf(&b, " — Session #%llu", (unsigned long long)s->number);
        return arena_dup(arena, buf_span(&b));
    }
    (void)buf_printf(&b, " #%llu — ", (unsigned long long)s->number);
    char first = words.p[0];
    (void)buf_append_char(&b, first >= 'a' && first <= 'z' ? (char)(first - 32) : first);
    (void)buf_append_span(&b, span_skip(words, 1));
    return arena_dup(arena, buf_span(&b));
}
