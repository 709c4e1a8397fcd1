#include "base/cleanup.h"
#include "base/jedit.h"
#include "test.h"

#include <errno.h>

/* "a/b/0" as steps. */
static size_t steps(const char *path, struct jedit_step ret[8]) {
    size_t n = 0;
    struct span left = span_str(path);
    while (left.n) {
        struct span word = span_split(&left, '/');
        uint64_t index;
        ret[n++] = span_u64(word, &index) ? JEDIT_INDEX((size_t)index) : (struct jedit_step){.name = word};
    }
    return n;
}

static void check_put(const char *text, const char *path, const char *value, const char *expected) {
    struct jedit_step step[8];
    struct err err = {0};
    AUTO(buf) struct buf out = BUF_INIT(1 << 20);
    size_t n = steps(path, step);
    if (jedit_put(span_str(text), step, n, span_str(value), &out, &err) < 0) fail_msg("%s", err.msg);
    CHECK_STR(out.p, expected);
}

static void check_remove(const char *text, const char *path, const char *expected) {
    struct jedit_step step[8];
    struct err err = {0};
    AUTO(buf) struct buf out = BUF_INIT(1 << 20);
    size_t n = steps(path, step);
    if (jedit_remove(span_str(text), step, n, &out, &err) < 0) fail_msg("%s", err.msg);
    CHECK_STR(out.p ? out.p : "", expected);
}

static void check_both(const char *text, const char *path, const char *value, const char *expected) {
    check_put(text, path, value, expected);
    check_remove(expected, path, text);
}

static void check_wrong(const char *text, const char *sentence) {
    struct err err = {0};
    CHECK_INT(jedit_check(span_str(text), &err), -EINVAL);
    CHECK_STR(err.msg, sentence);
}

TEST(mistakes_have_a_place) {
    check_wrong("{\n  \"a\": 1\n  \"b\": 2\n}", "line 3, column 3: a comma or a } is missing");
    check_wrong("{\n  \"a\": 1,\n}", "line 3, column 1: there is a comma before this bracket");
    check_wrong("{'a': 1}", "line 1, column 2: a name in double quotes is missing");
    check_wrong("[1 2]", "line 1, column 4: a comma or a ] is missing");
    check_wrong("{\"ä\": x}", "line 1, column 7: this is no value of JSON");
    check_wrong("{\"a\" 1}", "line 1, column 6: a colon is missing");
    check_wrong("{\"a\": \"b", "line 1, column 7: this string has no end");
    check_wrong("{\"a\": \"b\n\"}",
                "line 1, column 9: a string holds a line end, a control character or broken UTF-8");
    check_wrong("[\"\\x\"]", "line 1, column 3: this escape is none of JSON's");
    check_wrong("{}\n}", "line 2, column 1: something follows the end of the document");
    check_wrong("{ /* \n }", "line 1, column 3: this comment has no end");
    check_wrong("{\"a\": ", "line 1, column 7: the text ends too early");
    check_wrong("/", "line 1, column 1: this is no value of JSON");
    check_wrong("[01]", "line 1, column 2: this is no value of JSON");
}

TEST(nesting_ends_somewhere) {
    char text[2 * JEDIT_DEPTH_MAX + 8] = "";
    memset(text, '[', JEDIT_DEPTH_MAX);
    memset(text + JEDIT_DEPTH_MAX, ']', JEDIT_DEPTH_MAX);
    CHECK_INT(jedit_check(span_str(text), NULL), 0);
    memset(text, '[', JEDIT_DEPTH_MAX + 1);
    CHECK_INT(jedit_check(span_str(text), NULL), -EINVAL);
}

TEST(comments_and_a_mark_are_fine) {
    CHECK_INT(jedit_check(SPAN("\xef\xbb\xbf{ // a\n /* b \n*/ \"c\": 1 /**/ }\n// end"), NULL), 0);
    CHECK_INT(jedit_check(SPAN(""), NULL), 0);
    CHECK_INT(jedit_check(SPAN(" \n// nothing\n"), NULL), 0);
    CHECK(jedit_is_blank(SPAN(" /* nothing */\n")));
    CHECK(!jedit_is_blank(SPAN("{}")));
    CHECK(!jedit_is_blank(SPAN("/* no end")));
}

TEST(values_are_found) {
    static const char text[] = "{ \"a\": 1, // x\n \"b\": [10, {\"c\": null}], \"\\u0061\": 2 }";
    struct jedit_step step[8];
    struct span found;
    CHECK(jedit_find(span_str(text), step, steps("b/1/c", step), &found));
    CHECK_SPAN(found, "null");
    CHECK(jedit_find(span_str(text), step, steps("a", step), &found));
    CHECK_SPAN(found, "2"); /* the last of the two, however it is spelled */
    CHECK(jedit_find(span_str(text), step, 0, &found));
    CHECK(found.n == sizeof text - 1);
    CHECK(!jedit_find(span_str(text), step, steps("b/2", step), &found));
    CHECK(!jedit_find(span_str(text), step, steps("b/c", step), &found));
    CHECK(!jedit_find(span_str(text), step, steps("0", step), &found));
    CHECK(!jedit_find(span_str(text), step, steps("a/b", step), &found));
}

TEST(children_come_in_order) {
    struct jedit_child child = {0};
    struct span object = SPAN("{\"a\" : 1 /*,*/ , \"b\": [2] }");
    CHECK(jedit_next(object, &child));
    CHECK_SPAN(child.name, "\"a\"");
    CHECK_SPAN(child.value, "1");
    CHECK(jedit_next(object, &child));
    CHECK_SPAN(child.value, "[2]");
    CHECK(!jedit_next(object, &child));
    child = (struct jedit_child){0};
    CHECK(!jedit_next(SPAN("[ ]"), &child));
    CHECK(!jedit_next(SPAN("12"), &child));
    CHECK(!jedit_next(SPAN(""), &child));
}

TEST(new_members_look_like_the_others) {
    check_both("{\n  \"a\": 1\n}\n", "b", "[1,{\"c\":[]}]",
               "{\n  \"a\": 1,\n  \"b\": [\n    1,\n    {\n      \"c\": []\n    }\n  ]\n}\n");
    check_both("{\r\n\t\"a\" : 1\r\n}\r\n", "b", "{\"c\":2}",
               "{\r\n\t\"a\" : 1,\r\n\t\"b\" : {\r\n\t\t\"c\" : 2\r\n\t}\r\n}\r\n");
    check_both("{\"a\":1}", "b", "{\"c\":[1,2]}", "{\"a\":1,\"b\":{\"c\":[1,2]}}");
    check_both("{\"a\": 1}", "b", "{\"c\":[1,2]}", "{\"a\": 1, \"b\": {\"c\": [1, 2]}}");
    check_put("{\n    \"a\": {}\n}", "a/b/c", "1",
              "{\n    \"a\": {\n        \"b\": {\n            \"c\": 1\n        }\n    }\n}");
}

TEST(elements_look_like_the_others) {
    check_both("{\n  \"a\": [\n    1\n  ]\n}", "a/1", "{\"b\":2}",
               "{\n  \"a\": [\n    1,\n    {\n      \"b\": 2\n    }\n  ]\n}");
    check_both("{\n  \"a\": [1, 2]\n}", "a/2", "{\"b\":2}", "{\n  \"a\": [1, 2, {\"b\": 2}]\n}");
    check_put("{}", "a/0/b", "1", "{\n  \"a\": [\n    {\n      \"b\": 1\n    }\n  ]\n}");
}

TEST(empty_brackets_come_back) {
    check_both("{}", "a", "1", "{\n  \"a\": 1\n}");
    check_both("{ }\n", "a", "1", "{\n  \"a\": 1\n }\n");
    check_both("{\n}\n", "a", "1", "{\n  \"a\": 1\n\n}\n");
    check_both("{\"h\":{}}", "h/a", "1", "{\"h\":{\"a\":1}}");
    check_both("{ // why\n}", "a", "1", "{\n  \"a\": 1\n // why\n}");
}

TEST(comments_stay_where_they_belong) {
    check_both("{\n  \"a\": 1 // one\n}", "b", "2", "{\n  \"a\": 1, // one\n  \"b\": 2\n}");
    check_both("{\r\n  \"a\": 1 // one \r\n}", "b", "2", "{\r\n  \"a\": 1, // one \r\n  \"b\": 2\r\n}");
    check_both("{\n  \"a\": 1 /* one */ // more\n}", "b", "2",
               "{\n  \"a\": 1, /* one */ // more\n  \"b\": 2\n}");
    check_both("{\n  \"a\": 1\n  // end\n}", "b", "2", "{\n  \"a\": 1,\n  \"b\": 2\n  // end\n}");
    check_both("{\"a\": 1 // one\n}", "b", "2", "{\"a\": 1, // one\n\"b\": 2\n}");
    check_both("[1 /* one\n */]", "1", "2", "[1, 2 /* one\n */]");
}

TEST(a_value_is_replaced) {
    check_put("{\n  \"a\": 1, // one\n  \"b\": 2\n}", "a", "\"x\"",
              "{\n  \"a\": \"x\", // one\n  \"b\": 2\n}");
    check_put("{\n  \"a\": [1]\n}", "a", "[1,2]", "{\n  \"a\": [1, 2]\n}");
    check_put("{\n  \"a\": 1\n}", "a", "[1,2]", "{\n  \"a\": [\n    1,\n    2\n  ]\n}");
    check_put("{\"a\": {\"b\": 1}, \"a\": {\"b\": 2}}", "a/b", "3", "{\"a\": {\"b\": 1}, \"a\": {\"b\": 3}}");
    check_put("[1]", "", "{}", "{}");
}

TEST(a_blank_text_is_an_object) {
    check_put("", "a", "1", "{\n  \"a\": 1\n}\n");
    check_put("\n", "a", "1", "\n{\n  \"a\": 1\n}\n");
    check_put("// mine", "a", "1", "// mine\n{\n  \"a\": 1\n}\n");
}

TEST(any_child_can_go) {
    check_remove("{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}", "a", "{\n  \"b\": 2,\n  \"c\": 3\n}");
    check_remove("{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}", "b", "{\n  \"a\": 1,\n  \"c\": 3\n}");
    check_remove("[1, 2, 3]", "0", "[2, 3]");
    check_remove("[1, 2, 3]", "1", "[1, 3]");
    check_remove("[1, 2, 3]", "2", "[1, 2]");
    check_remove("[ 1, 2 ]", "0", "[ 2 ]");
    check_remove("{\n  \"a\": 1, // one\n  \"b\": 2\n}", "a", "{ // one\n  \"b\": 2\n}");
    check_remove("{ // both\n  \"a\": 1\n}", "a", "{ // both\n}");
    check_remove("{\"a\": 1, // one\n\"b\": 2}", "b", "{\"a\": 1 // one\n}");
    check_remove("{ // x\n  \"a\": 1, \"b\": 2}", "a", "{ // x\n  \"b\": 2}");
}

TEST(what_cannot_be_is_refused) {
    struct jedit_step step[8];
    struct err err = {0};
    AUTO(buf) struct buf out = BUF_INIT(64);
    CHECK_INT(jedit_put(SPAN("{\n \"a\": 1}"), step, steps("a/b", step), SPAN("1"), &out, &err), -EINVAL);
    CHECK_STR(err.msg, "line 2, column 7: there is something else where an object is needed");
    CHECK_INT(jedit_put(SPAN("{\"a\": {}}"), step, steps("a/0", step), SPAN("1"), &out, &err), -EINVAL);
    CHECK_STR(err.msg, "line 1, column 7: there is something else where a list is needed");
    CHECK_INT(jedit_put(SPAN("[1]"), step, steps("2", step), SPAN("1"), &out, &err), -EINVAL);
    CHECK_INT(jedit_put(SPAN("{}"), step, steps("a/1", step), SPAN("1"), &out, &err), -EINVAL);
    CHECK_INT(jedit_put(SPAN("{}"), step, steps("a", step), SPAN("x"), &out, &err), -EINVAL);
    CHECK_STR(err.msg, "the new value is no JSON");
    CHECK_INT(jedit_put(SPAN("{"), step, steps("a", step), SPAN("1"), &out, &err), -EINVAL);
    CHECK_INT(out.n, 0);
    CHECK_INT(jedit_remove(SPAN("{}"), step, steps("a", step), &out, &err), -ENOENT);
    CHECK_INT(jedit_remove(SPAN("{}"), step, 0, &out, &err), -ENOENT);
    AUTO(buf) struct buf small = BUF_INIT(8);
    CHECK_INT(jedit_put(SPAN("{}"), step, steps("a", step), SPAN("12345678"), &small, &err), -ENOBUFS);
}

TESTS(RUN(mistakes_have_a_place), RUN(nesting_ends_somewhere), RUN(comments_and_a_mark_are_fine),
      RUN(values_are_found), RUN(children_come_in_order), RUN(new_members_look_like_the_others),
      RUN(elements_look_like_the_others), RUN(empty_brackets_come_back), RUN(comments_stay_where_they_belong),
      RUN(a_value_is_replaced), RUN(a_blank_text_is_an_object), RUN(any_child_can_go),
      RUN(what_cannot_be_is_refused))
