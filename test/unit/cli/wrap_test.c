#include "cli/wrap.h"

#include "base/cleanup.h"
#include "test.h"

static void check(const char *text, size_t at, size_t indent, size_t width, const char *expected) {
    AUTO(buf) struct buf out = BUF_INIT(1000);
    wrap_words(&out, span_str(text), at, indent, width);
    CHECK_SPAN(buf_span(&out), expected);
}

TEST(words_are_wrapped_before_the_width) {
    check("", 0, 0, 10, "\n");
    check("one", 0, 0, 3, "one\n");
    check("one two", 0, 0, 7, "one two\n");
    check("one two", 0, 0, 6, "one\ntwo\n");
    check("one two three", 4, 2, 8, "one\n  two\n  three\n");
    check("a incomprehensible b", 0, 1, 6, "a\n incomprehensible\n b\n");
    check("a  b", 0, 0, 10, "a  b\n");
}

TEST(characters_count_not_bytes) {
    CHECK_INT(wrap_count(SPAN("äöü…")), 4);
    CHECK_INT(wrap_count(SPAN("a\xff\xfe")), 3);
    check("äö üß", 0, 0, 5, "äö üß\n");
    check("äö üß", 0, 0, 4, "äö\nüß\n");
}

TESTS(RUN(words_are_wrapped_before_the_width), RUN(characters_count_not_bytes))
