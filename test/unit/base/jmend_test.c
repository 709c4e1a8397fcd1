/* What others wrote as it was meant, and where that cannot be told. */
#include "base/jmend.h"

#include "base/cleanup.h"
#include "base/jscan.h"
#include "test.h"

#include <errno.h>

enum { ARENA_BYTES = 1 << 20, DEPTH = 32 };

static void check(struct span text, const char *wanted) {
    AUTO(arena) struct arena arena = ARENA_INIT(ARENA_BYTES);
    struct span got = SPAN_NONE;
    CHECK_INT(jmend(text, DEPTH, &arena, &got), 0);
    CHECK_INT(jvalid(got, DEPTH), 0);
    CHECK_SPAN(got, wanted);
}
#define MENDS(literal, wanted) check(SPAN(literal), wanted)

static void check_refused(struct span text, int wanted) {
    AUTO(arena) struct arena arena = ARENA_INIT(ARENA_BYTES);
    struct span got;
    CHECK_INT(jmend(text, DEPTH, &arena, &got), wanted);
}
#define REFUSED(literal, code) check_refused(SPAN(literal), code)

TEST(valid_text_is_left_as_it_is) {
    AUTO(arena) struct arena arena = ARENA_INIT(ARENA_BYTES);
    struct span text = SPAN("  {\"a\" : [1, 2.5e3, \"\\u00e9\\ud83d\\ude00\"]} \n"), got;
    CHECK_INT(jmend(text, DEPTH, &arena, &got), 0);
    assert_true(got.p == text.p + 2);
    CHECK_INT(got.n, text.n - 4);
    CHECK_INT(arena.used, 0);
}

TEST(half_characters_become_one_mark) {
    MENDS("[\"a\\ud83d\"]", "[\"a\xEF\xBF\xBD\"]");
    MENDS("[\"\\ude00b\"]", "[\"\xEF\xBF\xBD"
                            "b\"]");
    MENDS("[\"\\uD83D\\uD83D\\uDE00\"]", "[\"\xEF\xBF\xBD\\uD83D\\uDE00\"]");
    MENDS("{\"\\ud800\":1}", "{\"\xEF\xBF\xBD\":1}");
}

TEST(bytes_that_are_no_utf8_become_marks) {
    MENDS("[\"\x80\"]", "[\"\xEF\xBF\xBD\"]");                 /* stray */
    MENDS("[\"\xE2\x82\"]", "[\"\xEF\xBF\xBD\"]");             /* cut short: one character */
    MENDS("[\"\xF0\x9F\x98 x\"]", "[\"\xEF\xBF\xBD x\"]");     /* likewise */
    MENDS("[\"\xC0\xAF\"]", "[\"\xEF\xBF\xBD\xEF\xBF\xBD\"]"); /* overlong */
    MENDS("[\"\xED\xA0\x80\"]",                                /* a surrogate, encoded */
          "[\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"]");
    MENDS("[\"\xFF\xC3\xA9\"]", "[\"\xEF\xBF\xBD\xC3\xA9\"]");
}

TEST(control_bytes_are_escaped) {
    MENDS("[\"a\tb\x1b\x01\"]", "[\"a\\tb\\u001b\\u0001\"]");
    check(span_of("[\"a\0b\"]", 7), "[\"a\\u0000b\"]");
}

TEST(a_lost_backslash_stays_one) {
    MENDS("[\"C:\\Users\\me\"]", "[\"C:\\\\Users\\\\me\"]");
    MENDS("[\"\\u12\"]", "[\"\\\\u12\"]");
    MENDS("[\"\\u\"]", "[\"\\\\u\"]");
    MENDS("[\"\\\x80\"]", "[\"\\\\\xEF\xBF\xBD\"]");
}

TEST(words_that_json_has_not_are_null) {
    MENDS("[NaN,Infinity,-Infinity,undefined,007,0x1F,+1,.5,1.]",
          "[null,null,null,null,null,null,null,null,null]");
    MENDS("[1e999,-1E-999,NaN]", "[1e999,-1E-999,null]");
    MENDS("[True,null,false]", "[null,null,false]");
}

TEST(what_is_too_deep_is_null) {
    char text[4096];
    size_t n = 0;
    n += (size_t)snprintf(text, sizeof text, "{\"a\":");
    for (int i = 0; i < 1000; i++)
        text[n++] = i % 2 ? '{' : '[';
    /* Inside nothing is looked at but brackets and strings. */
    n += (size_t)snprintf(text + n, sizeof text - n, " \"]}\" ");
    for (int i = 999; i >= 0; i--)
        text[n++] = i % 2 ? '}' : ']';
    n += (size_t)snprintf(text + n, sizeof text - n, ",\"b\":7}");
    AUTO(arena) struct arena arena = ARENA_INIT(ARENA_BYTES);
    struct span got, half = span_of("{\"a\":[[1]],\"b\":7}", 17);
    struct jmember b = JMEMBER("b");
    CHECK_INT(jmend(half, 2, &arena, &got), 0);
    CHECK_SPAN(got, "{\"a\":[null],\"b\":7}");
    /* Keys are missing in those objects: at this depth that is seen. */
    CHECK_INT(jmend(span_of(text, n), DEPTH, &arena, &got), -EBADMSG);
    CHECK_INT(jmend(span_of(text, n), 2, &arena, &got), 0);
    CHECK_INT(jscan_object(got, &b, 1), 1);
    CHECK_SPAN(b.value, "7");
}

TEST(what_stands_before_and_behind_is_left_out) {
    MENDS("\xEF\xBB\xBF{\"a\":1}", "{\"a\":1}");
    MENDS("{\"a\":1}\r\n{\"b\":2}", "{\"a\":1}");
    MENDS("{\"a\":1}}", "{\"a\":1}");
    check(span_of("{\"a\":1}\0", 8), "{\"a\":1}");
    MENDS("{\"a\":1,\"a\":2} ,", "{\"a\":1,\"a\":2}");
}

TEST(no_json_is_refused) {
    REFUSED("", -ENODATA);
    REFUSED("{\"a\":1", -ENODATA);
    REFUSED("{\"a\":\"b", -ENODATA);
    REFUSED("{\"a\":\"b\\", -ENODATA);
    REFUSED("[1,", -ENODATA);
    REFUSED("{\"a\"", -ENODATA);
    REFUSED("{a:1}", -EBADMSG);
    REFUSED("{\"a\" 1}", -EBADMSG);
    REFUSED("[1 2]", -EBADMSG);
    REFUSED("[1}", -EBADMSG);
    REFUSED("{'a':1}", -EBADMSG);
    REFUSED("[1,]", -EBADMSG);
    REFUSED("\xFF\xFE{\"a\":1}", -EBADMSG);
}

TEST(memory_has_a_limit) {
    AUTO(arena) struct arena arena = ARENA_INIT(8);
    struct span got;
    CHECK_INT(jmend(SPAN("[\"\x01\x02\x03\x04\"]"), DEPTH, &arena, &got), -ENOBUFS);
}

TESTS(RUN(valid_text_is_left_as_it_is), RUN(half_characters_become_one_mark),
      RUN(bytes_that_are_no_utf8_become_marks), RUN(control_bytes_are_escaped),
      RUN(a_lost_backslash_stays_one), RUN(words_that_json_has_not_are_null), RUN(what_is_too_deep_is_null),
      RUN(what_stands_before_and_behind_is_left_out), RUN(no_json_is_refused), RUN(memory_has_a_limit))
