#include "base/buf.h"
#include "base/cleanup.h"
#include "base/jscan.h"
#include "test.h"

#include <errno.h>

enum { DEPTH = 64 };

/* Checks a copy of exactly the right size, so that the sanitizer sees a read past the end. */
static int check(struct span doc) {
    AUTO(free) char *copy = malloc(doc.n ? doc.n : 1);
    assert_non_null(copy);
    if (doc.n) memcpy(copy, doc.p, doc.n);
    return jvalid(span_of(copy, doc.n), DEPTH);
}

static const char *const allowed[] = {
    "{}",
    "[]",
    " [ ] ",
    "\t\r\n{ }\n",
    "null",
    "true",
    "false",
    "0",
    "-0",
    "10",
    "0.5",
    "1e5",
    "1E+5",
    "-1.25e-5",
    "\"\"",
    "\"a\"",
    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"",
    "\"\\ud83d\\ude00\"",
    "\"\\u0000\"",
    "\"\x7F\"",
    "{\"a\":1}",
    "{\"a\":1,\"a\":2}",
    "{\"a\":{\"b\":[1,2,{\"c\":null}]},\"d\":[]}",
    "[[],[[]],{}]",
    "[1,\"two\",3.0,false]",
    " { \"a\" : [ 1 , 2 ] , \"b\" : { } } ",
    "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"",
    "\"\xF4\x8F\xBF\xBF\xED\x9F\xBF\xEE\x80\x80\"",
    "[{\"a\":[{\"a\":[{}]}]}]",
    "\"0123456789abcdef0123456789abcdef\\n\"",
};

TEST(takes_what_the_grammar_allows) {
    for (size_t i = 0; i < ARRAY_LEN(allowed); i++)
        if (check(span_str(allowed[i])) != 0) fail_msg("refused %s", allowed[i]);
}

static const char *const refused[] = {
    "",
    " ",
    "x",
    "{",
    "}",
    "[",
    "]",
    "[}",
    "{]",
    "[1",
    "[1,",
    "[1,]",
    "[,]",
    "[1 2]",
    "[1]]",
    "[1]x",
    "{} {}",
    "{\"a\"",
    "{\"a\":",
    "{\"a\":1",
    "{\"a\":1,",
    "{\"a\":1,}",
    "{,}",
    "{\"a\" 1}",
    "{a:1}",
    "{1:2}",
    "{\"a\":1]",
    "[\"a\":1]",
    "{\"a\",1}",
    "tru",
    "truee",
    "nul",
    "True",
    "NaN",
    "-",
    "+1",
    "01",
    "-01",
    "1.",
    ".1",
    "1.e5",
    "1e",
    "1e+",
    "0x1",
    "1a",
    "\"",
    "\"a",
    "\"\\\"",
    "\"\\x\"",
    "\"\\u12\"",
    "\"\\u12G0\"",
    "\"\\ud800\"",
    "\"\\udc00\"",
    "\"\\ud800\\ud800\"",
    "\"\\udc00\\udc00\"",
    "\"\\ud800\\u0041\"",
    "\"a\nb\"",
    "\"a\tb\"",
    "\"\x1f\"",
    "\"\x80\"",
    "\"\xC0\xAF\"",
    "\"\xC3\"",
    "\"\xE2\x82\"",
    "\"\xED\xA0\x80\"",
    "\"\xF4\x90\x80\x80\"",
    "\"\xFF\"",
    "\xEF\xBB\xBF{}",
    "'a'",
    "/**/{}",
    "{}//",
    "\f{}",
    "[1,\v2]",
    "\xC2\xA0{}",
};

TEST(refuses_everything_else) {
    for (size_t i = 0; i < ARRAY_LEN(refused); i++)
        if (check(span_str(refused[i])) != -EINVAL) fail_msg("took %s", refused[i]);
    CHECK_INT(jvalid(SPAN_NONE, DEPTH), -EINVAL);
    CHECK_INT(check(span_of("{}\0", 3)), -EINVAL);
    CHECK_INT(check(span_of("\"a\0b\"", 5)), -EINVAL);
}

/* One odd byte at each place of a longer string: no lane of the fast path lets it through. */
TEST(finds_an_odd_byte_anywhere) {
    static const unsigned char odd[] = {0x00, 0x1F, '\n', '"', 0x80, 0xBF, 0xC3, 0xE2, 0xF5, 0xFF};
    char doc[80];
    for (size_t n = 3; n < sizeof doc; n++) {
        memset(doc, 'x', n);
        doc[0] = doc[n - 1] = '"';
        CHECK_INT(check(span_of(doc, n)), 0);
        for (size_t at = 1; at < n - 1; at++) {
            for (size_t i = 0; i < sizeof odd; i++) {
                doc[at] = (char)odd[i];
                if (check(span_of(doc, n)) != -EINVAL) fail_msg("0x%02x at %zu of %zu", odd[i], at, n);
            }
            doc[at] = '\x7F';
            CHECK_INT(check(span_of(doc, n)), 0);
            doc[at] = 'x';
        }
    }
}

TEST(depth_is_capped) {
    CHECK_INT(jvalid(SPAN("1"), 0), 0);
    CHECK_INT(jvalid(SPAN("[]"), 0), -EINVAL);
    CHECK_INT(jvalid(SPAN("[]"), 1), 0);
    CHECK_INT(jvalid(SPAN("[[]]"), 1), -EINVAL);
    CHECK_INT(jvalid(SPAN("[[],[],{\"a\":[]}]"), 3), 0);
    CHECK_INT(jvalid(SPAN("[[],[],{\"a\":[]}]"), 2), -EINVAL);

    AUTO(buf) struct buf b = BUF_INIT(64 * JVALID_DEPTH_MAX);
    for (int i = 0; i < JVALID_DEPTH_MAX; i++)
        (void)buf_append_span(&b, i % 3 ? SPAN("[") : SPAN("{\"a\":"));
    (void)buf_append_char(&b, '1');
    for (int i = JVALID_DEPTH_MAX - 1; i >= 0; i--)
        (void)buf_append_char(&b, i % 3 ? ']' : '}');
    CHECK_INT(jvalid(buf_span(&b), UINT32_MAX), 0);
    CHECK_INT(jvalid(buf_span(&b), JVALID_DEPTH_MAX - 1), -EINVAL);

    buf_clear(&b);
    for (int i = 0; i <= JVALID_DEPTH_MAX; i++)
        (void)buf_append_char(&b, '[');
    for (int i = 0; i <= JVALID_DEPTH_MAX; i++)
        (void)buf_append_char(&b, ']');
    CHECK_INT(jvalid(buf_span(&b), UINT32_MAX), -EINVAL);
}

TESTS(RUN(takes_what_the_grammar_allows), RUN(refuses_everything_else), RUN(finds_an_odd_byte_anywhere),
      RUN(depth_is_capped))
