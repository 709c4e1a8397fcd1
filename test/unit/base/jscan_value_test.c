#include "base/cleanup.h"
#include "base/jscan.h"
#include "test.h"

#include <errno.h>

TEST(steps_through_arrays) {
    struct span rest = SPAN(" [ 1, \"a,]\" ,[2,[3]],{\"k\":[4]} , null ] ");
    static const char *const expect[] = {"1", "\"a,]\"", "[2,[3]]", "{\"k\":[4]}", "null"};
    struct span element;
    for (size_t i = 0; i < ARRAY_LEN(expect); i++) {
        CHECK_INT(jscan_array_next(&rest, &element), 1);
        CHECK_SPAN(element, expect[i]);
    }
    CHECK_INT(jscan_array_next(&rest, &element), 0);
    CHECK_INT(jscan_array_next(&rest, &element), 0);
    rest = SPAN(" [ ] ");
    CHECK_INT(jscan_array_next(&rest, &element), 0);
}

TEST(refuses_malformed_arrays) {
    static const struct {
        const char *text;
        int good; /* elements before the error */
    } cases[] = {
        {"", 0},      {"[", 0},    {"]x", 0},   {"{}", 0},     {"1", 0},     {"[1", 0},
        {"[1,", 1},   {"[1,]", 1}, {"[,1]", 0}, {"[1 2]", 0},  {"[[1]", 0},  {"[[1}]", 0},
        {"[\"a]", 0}, {"[1]x", 1}, {"[]]", 0},  {"[1,,2]", 1}, {"[{]}]", 0}, {"[:]", 0},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct span rest = span_str(cases[i].text), element;
        int good = 0, r;
        while ((r = jscan_array_next(&rest, &element)) > 0)
            good++;
        if (r != -EINVAL || good != cases[i].good) fail_msg("%s: %d after %d", cases[i].text, r, good);
    }
}

TEST(steps_through_objects) {
    struct span rest = SPAN(" { \"a\" : 1,\"b,}\":\"}\" ,\"a\":{\"k\":[2]} , \"\\u0063\":[] } ");
    static const char *const expect[][2] = {
        {"\"a\"", "1"}, {"\"b,}\"", "\"}\""}, {"\"a\"", "{\"k\":[2]}"}, {"\"\\u0063\"", "[]"}};
    struct span key, value;
    for (size_t i = 0; i < ARRAY_LEN(expect); i++) {
        CHECK_INT(jscan_member_next(&rest, &key, &value), 1);
        CHECK_SPAN(key, expect[i][0]);
        CHECK_SPAN(value, expect[i][1]);
    }
    CHECK_INT(jscan_member_next(&rest, &key, &value), 0);
    rest = SPAN("{ }");
    CHECK_INT(jscan_member_next(&rest, &key, &value), 0);
}

TEST(refuses_malformed_objects) {
    static const char *const cases[] = {
        "",          "{",           "[]",      "{\"a\"}", "{\"a\":}",  "{\"a\":1",  "{a:1}",      "{1:2}",
        "{\"a\",1}", "{\"a\":1 2}", "{\"a:1}", "{[]:1}",  "{\"a\":[}", "{\"a\":1]", "{,\"a\":1}", "{}x"};
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct span rest = span_str(cases[i]), key, value;
        if (jscan_member_next(&rest, &key, &value) != -EINVAL) fail_msg("took %s", cases[i]);
        CHECK(rest.p == cases[i]);
    }
    struct span rest = SPAN("{\"a\":1,}"), key, value;
    CHECK_INT(jscan_member_next(&rest, &key, &value), 1);
    CHECK_INT(jscan_member_next(&rest, &key, &value), -EINVAL);
}

TEST(tells_kinds_by_the_first_byte) {
    CHECK_INT(jscan_kind(SPAN("")), JKIND_NONE);
    CHECK_INT(jscan_kind(SPAN("null")), JKIND_NULL);
    CHECK_INT(jscan_kind(SPAN("true")), JKIND_BOOL);
    CHECK_INT(jscan_kind(SPAN("false")), JKIND_BOOL);
    CHECK_INT(jscan_kind(SPAN("-1")), JKIND_NUMBER);
    CHECK_INT(jscan_kind(SPAN("0")), JKIND_NUMBER);
    CHECK_INT(jscan_kind(SPAN("\"\"")), JKIND_STRING);
    CHECK_INT(jscan_kind(SPAN("[]")), JKIND_ARRAY);
    CHECK_INT(jscan_kind(SPAN("{}")), JKIND_OBJECT);
    CHECK_INT(jscan_kind(SPAN("x")), JKIND_NONE);
}

TEST(decodes_strings) {
    static const struct {
        const char *raw;
        struct span text;
    } cases[] = {
        {"\"\"", {"", 0}},
        {"\"plain\"", {"plain", 5}},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", {"\"\\/\b\f\n\r\t", 8}},
        {"\"a\\u0041\\u00e9\\u20AC\"", {"aA\xC3\xA9\xE2\x82\xAC", 7}},
        {"\"\\ud83d\\ude00!\"", {"\xF0\x9F\x98\x80!", 5}},
        {"\"\\uD800\\uDC00\\uDBFF\\uDFFF\"", {"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", 8}},
        {"\"a\\u0000b\"", {"a\0b", 3}},
    };
    AUTO(arena) struct arena arena = ARENA_INIT(4096);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct span got;
        CHECK_INT(jscan_string(span_str(cases[i].raw), &arena, &got), 0);
        if (!span_eq(got, cases[i].text)) fail_msg("%s became \"%.*s\"", cases[i].raw, SPAN_ARG(got));
    }
}

TEST(refuses_bad_strings) {
    static const char *const cases[] = {
        "",
        "\"",
        "a",
        "1",
        "\"a",
        "a\"",
        "\"\\\"",
        "\"\\",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\ud800x\"",
        "\"\\ud800\\n\"",
        "\"\\ud800\\u0041\"",
        "\"\\ud800\\ud800\"",
        "\"\\udc00\\udc00\"",
        "\"a\"b\"",
        "\"\\n\"b\"",
        "\"\\u\"",
        "\"\\U0041\"",
    };
    AUTO(arena) struct arena arena = ARENA_INIT(4096);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct span got = SPAN("untouched");
        if (jscan_string(span_str(cases[i]), &arena, &got) != -EINVAL) fail_msg("took %s", cases[i]);
        CHECK_SPAN(got, "untouched");
    }
}

TEST(only_escaped_strings_cost_memory) {
    AUTO(arena) struct arena none = ARENA_INIT(0);
    struct span raw = SPAN("\"plain\""), got;
    CHECK_INT(jscan_string(raw, &none, &got), 0);
    CHECK(got.p == raw.p + 1);
    CHECK_INT(jscan_string(SPAN("\"a\\n\""), &none, &got), -ENOBUFS);
}

TEST(reads_booleans) {
    bool v = false;
    CHECK(jscan_bool(SPAN("true"), &v) && v);
    CHECK(jscan_bool(SPAN("false"), &v) && !v);
    CHECK(!jscan_bool(SPAN("truex"), &v) && !jscan_bool(SPAN("null"), &v) && !jscan_bool(SPAN(""), &v));
}

TEST(reads_integers) {
    int64_t v = 0;
    CHECK(jscan_i64(SPAN("0"), &v) && v == 0);
    CHECK(jscan_i64(SPAN("-0"), &v) && v == 0);
    CHECK(jscan_i64(SPAN("-42"), &v) && v == -42);
    CHECK(jscan_i64(SPAN("9223372036854775807"), &v) && v == INT64_MAX);
    CHECK(jscan_i64(SPAN("-9223372036854775808"), &v) && v == INT64_MIN);
    static const char *const bad[] = {"",
                                      "-",
                                      "+1",
                                      "01",
                                      "1.0",
                                      "1e3",
                                      "9223372036854775808",
                                      "a",
                                      "1 ",
                                      " 1",
                                      "--1",
                                      "\"1\"",
                                      "-9223372036854775809"};
    v = 77;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        if (jscan_i64(span_str(bad[i]), &v)) fail_msg("took %s", bad[i]);
    CHECK_INT(v, 77);
}

TEST(reads_reals) {
    double v = 0;
    CHECK(jscan_double(SPAN("1"), &v) && v == 1.0);
    CHECK(jscan_double(SPAN("-1.5e2"), &v) && v == -150.0);
    CHECK(jscan_double(SPAN("0.1"), &v) && v == 0.1);
    CHECK(jscan_double(SPAN("1E-400"), &v) && v == 0.0);
    static const char *const bad[] = {"",    "1.",  ".5",   "1e",  "1e+", "1e400",
                                      "nan", "inf", "0x10", "1_0", "-",   "00.5"};
    v = 77;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        if (jscan_double(span_str(bad[i]), &v)) fail_msg("took %s", bad[i]);
    CHECK(v == 77);
    char digits[JSCAN_NUMBER_MAX + 1];
    memset(digits, '0', sizeof digits);
    digits[1] = '.';
    CHECK(jscan_double(span_of(digits, JSCAN_NUMBER_MAX), &v) && v == 0.0);
    CHECK(!jscan_double(span_of(digits, JSCAN_NUMBER_MAX + 1), &v));
}

TESTS(RUN(steps_through_arrays), RUN(refuses_malformed_arrays), RUN(steps_through_objects),
      RUN(refuses_malformed_objects), RUN(tells_kinds_by_the_first_byte), RUN(decodes_strings),
      RUN(refuses_bad_strings), RUN(only_escaped_strings_cost_memory), RUN(reads_booleans),
      RUN(reads_integers), RUN(reads_reals))
