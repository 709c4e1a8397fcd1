#include "base/buf.h"
#include "base/cleanup.h"
#include "base/mem.h"
#include "term/redact_prefilter.h"
#include "test.h"

static const char *const words[] = {"token", "sk-", "://", "ab", "password", "x!"};

static void make(struct redact_prefilter *f, bool avx2) {
    *f = (struct redact_prefilter){0};
    redact_prefilter_init(f);
    f->avx2 &= avx2;
    for (size_t i = 0; i < 80; i++) { /* more than there are bits */
        struct redact_literal l = {.n = (uint8_t)strlen(words[i % ARRAY_LEN(words)])};
        memcpy(l.text, words[i % ARRAY_LEN(words)], l.n);
        redact_prefilter_add(f, &l, (uint16_t)i);
    }
    redact_prefilter_finish(f);
}

/* The same, letter by letter. */
static size_t naive(struct span text, size_t from) {
    for (size_t i = from; i < text.n; i++) {
        if (redact_is_odd((unsigned char)text.p[i])) return i;
        for (size_t k = 0; k < ARRAY_LEN(words); k++)
            if (span_istarts(span_skip(text, i), span_take(span_str(words[k]), text.n - i))) return i;
    }
    return text.n;
}

TEST(finds_what_is_there_in_any_place) {
    struct redact_prefilter fast, slow;
    make(&fast, true);
    make(&slow, false);
    static const char *const pieces[] = {"the ",
                                         "TOKEN",
                                         "tok",
                                         "a",
                                         "s",
                                         "k-",
                                         ":",
                                         "//",
                                         "pass",
                                         "word",
                                         "\r\n",
                                         "\033",
                                         "\177",
                                         "x",
                                         "!",
                                         "\xE6\xBC\xA2",
                                         "plain and simple words here, "};
    uint32_t random = 1;
    for (int round = 0; round < 3000; round++) {
        AUTO(buf) struct buf text = BUF_INIT(1 << 16);
        for (int i = 0; i < round % 40; i++) {
            random = random * 1664525 + 1013904223;
            (void)buf_append_span(&text, span_str(pieces[(random >> 16) % ARRAY_LEN(pieces)]));
        }
        AUTO(free) char *exact = xmalloc(text.n + 1); /* so that a read past the end is seen */
        if (text.n) memcpy(exact, text.p, text.n);
        struct span s = span_of(exact, text.n);
        for (size_t from = 0; from <= s.n; from = naive(s, from) + 1) {
            CHECK_INT(redact_prefilter_find(&fast, s, from), naive(s, from));
            CHECK_INT(redact_prefilter_find(&slow, s, from), naive(s, from));
        }
    }
    redact_prefilter_fini(&fast);
    redact_prefilter_fini(&slow);
}

TESTS(RUN(finds_what_is_there_in_any_place))
