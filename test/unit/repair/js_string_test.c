#include "repair/js_string.h"

#include "base/cleanup.h"
#include "test.h"

#include <errno.h>

#define FFFD "\xEF\xBF\xBD"

static void check_decoded(struct span inside, struct span expected) {
    AUTO(buf) struct buf out = BUF_INIT(1024);
    CHECK_INT(js_string_decode(inside, &out), 0);
    if (!span_eq(buf_span(&out), expected))
        fail_msg("%.*s is %.*s", SPAN_ARG(inside), SPAN_ARG(buf_span(&out)));
}

TEST(text_as_it_is) {
    check_decoded(SPAN(""), SPAN(""));
    check_decoded(SPAN("a b"), SPAN("a b"));
    check_decoded(SPAN("\x7F\xC2\x80\xC3\xA9\xE2\x80\xA8\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"),
                  SPAN("\x7F\xC2\x80\xC3\xA9\xE2\x80\xA8\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"));
}

TEST(escapes) {
    check_decoded(SPAN("\\\"\\\\\\/"), SPAN("\"\\/"));
    check_decoded(SPAN("\\b\\f\\n\\r\\t"), SPAN("\b\f\n\r\t"));
    check_decoded(SPAN("\\u0061\\u0062c"), SPAN("abc"));
    check_decoded(SPAN("\\u00e9\\u00E9"), SPAN("\xC3\xA9\xC3\xA9"));
    check_decoded(SPAN("\\uABCD\\uabcd"), SPAN("\xEA\xAF\x8D\xEA\xAF\x8D"));
    check_decoded(SPAN("a\\u0000b"), SPAN("a\0b"));
    check_decoded(SPAN("\\\\u0061"), SPAN("\\u0061"));
    check_decoded(SPAN("\\uFFFD\\uffff"), SPAN(FFFD "\xEF\xBF\xBF"));
}

TEST(halves_of_pairs) {
    check_decoded(SPAN("\\ud83d\\ude00"), SPAN("\xF0\x9F\x98\x80"));
    check_decoded(SPAN("\\uD800\\uDC00\\uDBFF\\uDFFF"), SPAN("\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"));
    /* Alone they stay what they are. */
    check_decoded(SPAN("\\ud83d"), SPAN("\xED\xA0\xBD"));
    check_decoded(SPAN("\\ude00"), SPAN("\xED\xB8\x80"));
    check_decoded(SPAN("\\ude00\\ud83d"), SPAN("\xED\xB8\x80\xED\xA0\xBD"));
    check_decoded(SPAN("\\ud83dx\\ude00"), SPAN("\xED\xA0\xBDx\xED\xB8\x80"));
    check_decoded(SPAN("\\ud83d\\n"), SPAN("\xED\xA0\xBD\n"));
    check_decoded(SPAN("\\ud83d\\u0041"), SPAN("\xED\xA0\xBD"
                                               "A"));
    check_decoded(SPAN("\\ud83d\\ud83d\\ude00"), SPAN("\xED\xA0\xBD\xF0\x9F\x98\x80"));
    check_decoded(SPAN("\\ud83d\\\\ude00"), SPAN("\xED\xA0\xBD\\ude00"));
}

/* The maximal subparts of the Encoding Standard: what a reader of files puts in their place. */
TEST(malformed_utf8) {
    static const struct {
        struct span bytes;
        size_t replaced; /* by so many U+FFFD */
        struct span then;
    } table[] = {
        {SPAN("\x80"), 1, SPAN("")},
        {SPAN("\xBF\xBF"), 2, SPAN("")},
        {SPAN("\xC0\x80"), 2, SPAN("")},
        {SPAN("\xC1\xBF"), 2, SPAN("")},
        {SPAN("\xC2"), 1, SPAN("")},
        {SPAN("\xC2x"), 1, SPAN("x")},
        {SPAN("\xC3\xC3\xA9"), 1, SPAN("\xC3\xA9")},
        {SPAN("\xE0\x80\x80"), 3, SPAN("")},
        {SPAN("\xE0\x9F\xBF"), 3, SPAN("")},
        {SPAN("\xE0\xA0"), 1, SPAN("")},
        {SPAN("\xE1\x80"), 1, SPAN("")},
        {SPAN("\xE1\x80y"), 1, SPAN("y")},
        {SPAN("\xE2\x82\xE2\x82\xAC"), 1, SPAN("\xE2\x82\xAC")},
        {SPAN("\xED\x9F"), 1, SPAN("")},
        {SPAN("\xED\xA0\x80"), 3, SPAN("")},
        {SPAN("\xED\xBF\xBF"), 3, SPAN("")},
        {SPAN("\xF0\x80\x80\x80"), 4, SPAN("")},
        {SPAN("\xF0\x8F\xBF\xBF"), 4, SPAN("")},
        {SPAN("\xF0\x90"), 1, SPAN("")},
        {SPAN("\xF0\x90\x80"), 1, SPAN("")},
        {SPAN("\xF0\x9F\x98z"), 1, SPAN("z")},
        {SPAN("\xF1\x80\x80\xC3\xA9"), 1, SPAN("\xC3\xA9")},
        {SPAN("\xF1\x80\xE2\x82\xAC"), 1, SPAN("\xE2\x82\xAC")},
        {SPAN("\xF4\x8F\xBF"), 1, SPAN("")},
        {SPAN("\xF4\x90\x80\x80"), 4, SPAN("")},
        {SPAN("\xF5\x80\x80\x80"), 4, SPAN("")},
        {SPAN("\xFE\xFF"), 2, SPAN("")},
        {SPAN("\xC3\\n"), 1, SPAN("\n")},
        {SPAN("\xF0\x9F\x98\\u0041"), 1, SPAN("A")},
    };
    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        AUTO(buf) struct buf expected = BUF_INIT(64);
        AUTO(buf) struct buf inside = BUF_INIT(64);
        (void)buf_append_char(&expected, '(');
        for (size_t k = 0; k < table[i].replaced; k++)
            (void)buf_append_span(&expected, SPAN(FFFD));
        (void)buf_append_span(&expected, table[i].then);
        (void)buf_append_char(&inside, '(');
        (void)buf_append_span(&inside, table[i].bytes);
        check_decoded(buf_span(&inside), buf_span(&expected));
    }
}

TEST(what_does_not_fit_is_refused) {
    AUTO(buf) struct buf out = BUF_INIT(4);
    CHECK_INT(js_string_decode(SPAN("\xFF\xFF"), &out), -ENOBUFS);
    buf_clear(&out);
    CHECK_INT(js_string_decode(SPAN("abcde"), &out), -ENOBUFS);
    buf_clear(&out);
    CHECK_INT(js_string_write(SPAN("abc"), &out), -ENOBUFS);
}

static void check_written(struct span text, const char *expected) {
    AUTO(buf) struct buf out = BUF_INIT(1024);
    CHECK_INT(js_string_write(text, &out), 0);
    CHECK_SPAN(buf_span(&out), expected);
}

TEST(written_with_quotes_and_escapes) {
    check_written(SPAN(""), "\"\"");
    check_written(SPAN("a/b"), "\"a/b\"");
    check_written(SPAN("\"\\"), "\"\\\"\\\\\"");
    check_written(SPAN("\n\t\x1F\0"), "\"\\u000a\\u0009\\u001f\\u0000\"");
    check_written(SPAN("\x7F\xC3\xA9\xF0\x9F\x98\x80"), "\"\x7F\xC3\xA9\xF0\x9F\x98\x80\"");
    check_written(SPAN("\xED\xA0\xBD"), "\"\\ud83d\"");
    check_written(SPAN("x\xED\xBF\xBFy"), "\"x\\udfffy\"");
}

/* `text`, written and read again. */
static void check_round(struct span text) {
    AUTO(buf) struct buf json = BUF_INIT(1024);
    CHECK_INT(js_string_write(text, &json), 0);
    check_decoded(span_of(json.p + 1, json.n - 2), text);
}

TEST(what_is_written_is_read_as_the_same) {
    static const uint32_t edges[] = {0,      1,      0x1F,   0x20,    '"',     '\\',     0x7F,    0x80,
                                     0x7FF,  0x800,  0xD7FF, 0xD800,  0xDBFF,  0xDC00,   0xDFFF,  0xE000,
                                     0xFFFD, 0xFFFE, 0xFFFF, 0x10000, 0x1F600, 0x10FFFE, 0x10FFFF};
    AUTO(buf) struct buf text = BUF_INIT(1024);
    for (size_t i = 0; i < ARRAY_LEN(edges); i++) {
        char spelled[32];
        uint32_t c = edges[i];
        if (c < 0x10000)
            (void)snprintf(spelled, sizeof spelled, "\\u%04x", c);
        else
            (void)snprintf(spelled, sizeof spelled, "\\u%04x\\u%04x", 0xD800 + ((c - 0x10000) >> 10),
                           0xDC00 + ((c - 0x10000) & 0x3FF));
        CHECK_INT(js_string_decode(span_str(spelled), &text), 0);
        CHECK_INT(js_string_decode(SPAN("-"), &text), 0);
        check_round(buf_span(&text));
    }
    for (uint32_t c = 0; c < 0x10000; c++) {
        char spelled[16];
        (void)snprintf(spelled, sizeof spelled, "\\u%04X", c);
        buf_clear(&text);
        CHECK_INT(js_string_decode(span_str(spelled), &text), 0);
        check_round(buf_span(&text));
    }
}

TESTS(RUN(text_as_it_is), RUN(escapes), RUN(halves_of_pairs), RUN(malformed_utf8),
      RUN(what_does_not_fit_is_refused), RUN(written_with_quotes_and_escapes),
      RUN(what_is_written_is_read_as_the_same))
