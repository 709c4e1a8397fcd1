#include "base/buf.h"
#include "base/cleanup.h"
#include "base/mem.h"
#include "term/redact_prefilter.h"
#include "test.h"

static const char *const words[] = {"token", "sk-", "://", "ab", "password", "x!"};

static void make(struct redact_prefilter *f, prefilter_agree *agree) {
    *f = (struct redact_prefilter){0};
    redact_prefilter_init(f);
    f->agree = agree;
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
    struct redact_prefilter engines[3];
    make(&engines[0], redact_prefilter_vbmi()); /* or none, on this machine */
    make(&engines[1], redact_prefilter_avx2());
    make(&engines[2], NULL);
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
        for (size_t from = 0; from <= s.n; from = naive(s, from) + 1)
            for (size_t i = 0; i < ARRAY_LEN(engines); i++)
                CHECK_INT(redact_prefilter_find(&engines[i], s, from), naive(s, from));
    }
    for (size_t i = 0; i < ARRAY_LEN(engines); i++)
        redact_prefilter_fini(&engines[i]);
}

TEST(what_stands_apart_is_not_found_in_a_word) {
    prefilter_agree *const engines[] = {redact_prefilter_vbmi(), redact_prefilter_avx2(), NULL};
    static const struct {
        const char *text;
        bool found;
    } cases[] = {{" pat-", true},   {"_pat-", false},          {"spat-", false},  {"9pat-", false},
                 {"-pat-", true},   {"\\npat-", true},         {"\\tpat-", true}, {"\\xpat-", false},
                 {"xnpat-", false}, {"\xE2\x94\x82pat-", true}};
    for (size_t i = 0; i < ARRAY_LEN(engines); i++) {
        struct redact_prefilter f = {0};
        redact_prefilter_init(&f);
        f.agree = engines[i];
        redact_prefilter_add(
            &f, &(struct redact_literal){.n = 4, .exact = true, .apart = true, .text = "pat-"}, 0);
        redact_prefilter_finish(&f);
        for (size_t k = 0; k < ARRAY_LEN(cases); k++) {
            AUTO(buf) struct buf text = BUF_INIT(1 << 10);
            for (int n = 0; n < 200; n++)
                (void)buf_append_span(&text, SPAN("."));
            size_t n = strlen(cases[k].text);
            memcpy(text.p + 100, cases[k].text, n);
            CHECK_INT(redact_prefilter_find(&f, buf_span(&text), 0), cases[k].found ? 100 + n - 4 : text.n);
        }
        redact_prefilter_fini(&f);
    }
}

TESTS(RUN(what_stands_apart_is_not_found_in_a_word), RUN(finds_what_is_there_in_any_place))
