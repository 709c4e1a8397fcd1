#include "base/jpush.h"

#include "base/cleanup.h"
#include "json_lines.h"
#include "test.h"

#include <errno.h>

static const struct span wanted[] = {{"uuid", 4}, {"type", 4}};
enum { UUID, TYPE };

static struct jline_names names;

static void cleanup_jpush(struct jpush *p) {
    jpush_fini(p);
}

static void open_jpush(struct jpush *p) {
    names = jline_names_of(wanted, ARRAY_LEN(wanted));
    jpush_init(p, &names);
}

/* In pieces of this size, up to where it is given up. */
static int push(struct jpush *p, struct span line, size_t piece) {
    jpush_begin(p);
    for (; line.n; line = span_skip(line, piece))
        if (jpush_feed(p, span_take(line, piece)) < 0) return -EINVAL;
    return jpush_end(p);
}

TEST(takes_what_json_parse_takes) {
    AUTO(jpush) struct jpush p;
    open_jpush(&p);
    for (size_t i = 0; i < ARRAY_LEN(json_lines); i++) {
        const struct json_line *l = &json_lines[i];
        for (size_t piece = 1; piece <= 7; piece += 2)
            if ((push(&p, l->text, piece) == 0) != (l->kind != LINE_BAD))
                fail_msg("%.*s in pieces of %zu", SPAN_ARG(l->text), piece);
    }
}

TEST(no_control_character_within_a_string) {
    AUTO(jpush) struct jpush p;
    open_jpush(&p);
    for (int c = 0; c < 256; c++) {
        char key[] = "{\"k?\":1}", value[] = "{\"k\":\"v?\"}", between[] = "{\"k\":1?}";
        key[3] = value[7] = between[6] = (char)c;
        bool in_string = c >= ' ' && c != '"' && c != '\\', digit = c >= '0' && c <= '9';
        bool space = c == ' ' || c == '\t' || c == '\r' || c == '\n';
        CHECK_INT(push(&p, span_of(key, sizeof key - 1), 99) == 0, in_string);
        CHECK_INT(push(&p, span_of(value, sizeof value - 1), 99) == 0, in_string);
        CHECK_INT(push(&p, span_of(between, sizeof between - 1), 99) == 0, digit || space);
    }
}

TEST(every_escape) {
    AUTO(jpush) struct jpush p;
    open_jpush(&p);
    for (int c = 1; c < 256; c++) {
        char text[] = "{\"k\":\"\\?0aF9\"}", hex[] = "{\"k\":\"\\u0?F9\"}";
        text[7] = hex[9] = (char)c;
        CHECK_INT(push(&p, span_str(text), 1) == 0, strchr("\"\\/bfnrtu", c) != NULL);
        CHECK_INT(push(&p, span_str(hex), 1) == 0, strchr("0123456789abcdefABCDEF", c) != NULL);
    }
}

/* The values of `uuid`, as they must be found in any pieces. */
static void check_value(const char *line, size_t at, const char *value) {
    AUTO(jpush) struct jpush p;
    open_jpush(&p);
    size_t n = strlen(line);
    for (size_t piece = 1; piece <= n; piece++) {
        CHECK_INT(push(&p, span_str(line), piece), 0);
        const struct jpush_value *v = &p.values[UUID];
        CHECK_INT(v->n, strlen(value));
        if (v->n == 0) continue;
        CHECK_INT(v->at, at);
        CHECK_SPAN(buf_span(&v->text), value);
    }
}

TEST(wanted_values_and_where_they_are) {
    check_value("{\"uuid\":\"x\"}", 8, "\"x\"");
    check_value("{\"uuid\":\"\"}", 8, "\"\"");
    check_value("{\"uuid\":\"a\\\"b\\\\\"}", 8, "\"a\\\"b\\\\\"");
    check_value("{\"uuid\":12.5e3}", 8, "12.5e3");
    check_value("{\"uuid\":0,\"b\":1}", 8, "0");
    check_value("{\"uuid\":-7 ,\"b\":1}", 8, "-7");
    check_value("{\"uuid\":true}", 8, "true");
    check_value("{\"uuid\":null,\"type\":false}", 8, "null");
    check_value("{\"uuid\":{\"uuid\":1,\"x\":[{}]},\"b\":2}", 8, "{\"uuid\":1,\"x\":[{}]}");
    check_value("{\"uuid\":[ 1, \"]\" ]}", 8, "[ 1, \"]\" ]");
    check_value(" { \"uuid\" :\t\"x\" , \"b\" : 1 } ", 12, "\"x\"");
}

TEST(of_several_the_last_counts) {
    check_value("{\"uuid\":\"first\",\"b\":{\"uuid\":5},\"uuid\":22}", 38, "22");
    check_value("{\"uuid\":{\"a\":1},\"uuid\":\"\"}", 23, "\"\"");
    check_value("{\"uuid\":1,\"\\u0075\\u0075\\u0069\\u0064\":2}", 37, "2");
}

TEST(only_members_of_the_object_itself) {
    check_value("{\"a\":{\"uuid\":1},\"b\":[{\"uuid\":2}]}", 0, "");
    check_value("{\"a\":\"uuid\",\"b\":[\"uuid\"]}", 0, "");
    check_value("{\"UUID\":1,\"uui\":2,\"uuidd\":3,\" uuid\":4}", 0, "");
    check_value("{\"a\":{\"uuid\":1},\"uuid\":3}", 23, "3");
}

TEST(names_in_any_spelling) {
    check_value("{\"\\u0075uid\":1}", 13, "1");
    check_value("{\"uu\\u0069d\":1}", 13, "1");
    check_value("{\"\\u0075\\u0075\\u0069\\u0064\":true}", 28, "true");
    check_value("{\"\\u0055uid\":1,\"uuid\\u0000\":2,\"\\ud800uuid\":3}", 0, "");
}

TEST(a_name_may_be_empty_or_endless) {
    AUTO(jpush) struct jpush p;
    open_jpush(&p);
    CHECK_INT(push(&p, SPAN("{\"\":7}"), 1), 0);
    CHECK_INT(p.values[UUID].n, 0);
    for (size_t n = JPUSH_KEY_MAX - 8; n < JPUSH_KEY_MAX + 8; n++) {
        char line[JPUSH_KEY_MAX + 64], key[JPUSH_KEY_MAX + 16];
        memset(key, 'u', n);
        key[n] = '\0';
        (void)snprintf(line, sizeof line, "{\"%s\":1,\"uuid\":2}", key);
        CHECK_INT(push(&p, span_str(line), 5), 0);
        CHECK_SPAN(buf_span(&p.values[UUID].text), "2");
    }
}

/* `uuid` is a string of `n` bytes with its quotes. */
static void check_cut(struct jpush *p, size_t n) {
    AUTO(buf) struct buf line = BUF_INIT(1 << 20);
    (void)buf_append_span(&line, SPAN("{\"uuid\":\""));
    char *room = buf_reserve(&line, n);
    memset(room, 'x', n - 2);
    buf_grew(&line, n - 2);
    (void)buf_append_span(&line, SPAN("\",\"type\":\"user\"}"));
    static const size_t pieces[] = {1, 1000, SIZE_MAX};
    for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
        CHECK_INT(push(p, buf_span(&line), pieces[i]), 0);
        const struct jpush_value *v = &p->values[UUID];
        CHECK_INT(v->n, n);
        CHECK_INT(v->text.n, MIN(n, (size_t)JPUSH_VALUE_MAX));
        CHECK(memcmp(v->text.p, line.p + 8, v->text.n) == 0);
        CHECK_SPAN(buf_span(&p->values[TYPE].text), "\"user\"");
    }
}

TEST(a_large_value_is_cut_but_measured) {
    AUTO(jpush) struct jpush p;
    open_jpush(&p);
    check_cut(&p, JPUSH_VALUE_MAX - 1);
    check_cut(&p, JPUSH_VALUE_MAX);
    check_cut(&p, JPUSH_VALUE_MAX + 1);
    check_cut(&p, JPUSH_VALUE_MAX * 5);
}

TEST(begins_anew_after_anything) {
    AUTO(jpush) struct jpush p;
    open_jpush(&p);
    static const char *const before[] = {
        "",  "{",           "{\"uuid\":\"x", "{\"uuid\":[[[", "{\"uu", "{\"uuid\":\"\\u00", "{\"uuid\":1}",
        "x", "{\"uuid\":tr"};
    for (size_t i = 0; i < ARRAY_LEN(before); i++) {
        (void)push(&p, span_str(before[i]), 2);
        CHECK_INT(push(&p, SPAN("{\"type\":1}"), 3), 0);
        CHECK_INT(p.values[UUID].n, 0);
        CHECK_SPAN(buf_span(&p.values[TYPE].text), "1");
    }
}

TEST(says_so_as_soon_as_nothing_can_come_of_it) {
    AUTO(jpush) struct jpush p;
    open_jpush(&p);
    CHECK_INT(jpush_feed(&p, SPAN("{\"a\":")), 0);
    CHECK_INT(jpush_feed(&p, SPAN("]")), -EINVAL);
    CHECK_INT(jpush_feed(&p, SPAN("1}")), -EINVAL);
    CHECK_INT(jpush_end(&p), -EINVAL);
}

TEST(as_deep_as_anybody_likes) {
    enum { LEVELS = 300000 };
    AUTO(jpush) struct jpush p;
    AUTO(buf) struct buf line = BUF_INIT(8 << 20);
    open_jpush(&p);
    (void)buf_append_span(&line, SPAN("{\"a\":"));
    for (int i = 0; i < LEVELS; i++)
        (void)buf_append_span(&line, i % 3 ? SPAN("[") : SPAN("{\"b\":"));
    (void)buf_append_span(&line, SPAN("0"));
    for (int i = LEVELS; i-- > 0;)
        (void)buf_append_char(&line, i % 3 ? ']' : '}');
    size_t wrong = line.n - 7;
    (void)buf_append_span(&line, SPAN(",\"uuid\":5}"));
    CHECK_INT(push(&p, buf_span(&line), 4096), 0);
    CHECK_SPAN(buf_span(&p.values[UUID].text), "5");
    line.p[wrong] = line.p[wrong] == ']' ? '}' : ']';
    CHECK_INT(push(&p, buf_span(&line), 4096), -EINVAL);
}

TESTS(RUN(takes_what_json_parse_takes), RUN(no_control_character_within_a_string), RUN(every_escape),
      RUN(wanted_values_and_where_they_are), RUN(of_several_the_last_counts),
      RUN(only_members_of_the_object_itself), RUN(names_in_any_spelling), RUN(a_name_may_be_empty_or_endless),
      RUN(a_large_value_is_cut_but_measured), RUN(begins_anew_after_anything),
      RUN(says_so_as_soon_as_nothing_can_come_of_it), RUN(as_deep_as_anybody_likes))
