/* The records of a line, in pieces of any size, and where the line has to end between them. */
#include "repair/split.h"

#include "base/cleanup.h"
#include "test.h"

enum { TEXT_MAX = 4 << 20, SAID_MAX = 64 << 10 };

static const struct span wanted[] = {{"uuid", 4}, {"parentUuid", 10}};
enum { UUID, PARENT };

static struct jline_names names;

static void cleanup_jpush(struct jpush *p) {
    jpush_fini(p);
}

/* Says of each record "where:uuid", of what stands behind it in the line "|where". Bytes are fed `piece` at a time; how many in all
 * is returned. */
static size_t split_all(struct span line, size_t piece, struct buf *said) {
    AUTO(jpush) struct jpush parser;
    struct split s;
    size_t fed = 0;
    names = jline_names_of(wanted, ARRAY_LEN(wanted));
    jpush_init(&parser, &names);
    split_begin(&s, &parser, 0);
    for (;;) {
        struct span bytes = span_take(span_skip(line, (size_t)s.at), piece);
        bool is_last = s.at + bytes.n >= line.n;
        fed += bytes.n;
        enum split_event event = split_feed(&s, bytes, is_last);
        if (event == SPLIT_END) return fed;
        if (event == SPLIT_MORE) continue;
        const struct jpush_value *id = &parser.values[UUID], *parent = &parser.values[PARENT];
        (void)buf_printf(said, "%s%d:%.*s", said->n ? " " : "", (int)s.begins, SPAN_ARG(buf_span(&id->text)));
        CHECK(span_eq(span_take(span_skip(line, (size_t)(s.begins + id->at)), (size_t)id->n),
                      buf_span(&id->text)));
        CHECK(span_eq(span_take(span_skip(line, (size_t)(s.begins + parent->at)), (size_t)parent->n),
                      parent->n ? buf_span(&parent->text) : SPAN_NONE));
        CHECK(span_eq(span_take(span_skip(line, (size_t)s.begins), s.head_n), span_of(s.head, s.head_n)));
        if (split_goes_on(&s)) (void)buf_printf(said, "|%d", (int)s.at);
    }
}

static void check(struct span line, const char *expected) {
    static const size_t pieces[] = {1, 2, 3, 7, 13, 14, 15, 64, 4096, TEXT_MAX};
    for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
        AUTO(buf) struct buf said = BUF_INIT(SAID_MAX);
        (void)split_all(line, pieces[i], &said);
        CHECK_SPAN(buf_span(&said), expected);
    }
}
#define CHECK_LINE(text, expected) check(SPAN(text), expected)

#define A "{\"uuid\":\"a\"}"                      /* 12 bytes */
#define B "{\"parentUuid\":\"a\",\"uuid\":\"b\"}" /* 29 bytes */
#define C "{\"parentUuid\":\"b\",\"uuid\":\"c\"}"

TEST(a_line_that_is_a_record) {
    CHECK_LINE(A, "0:\"a\"");
    CHECK_LINE(" \t" B " \r", "0:\"b\"");
    CHECK_LINE("", "");
    CHECK_LINE(" \r", "");
    CHECK_LINE("[" B "]", "");
    CHECK_LINE("\"x\"", "");
    CHECK_LINE("{\"x\":" B "}", "0:");
}

TEST(records_behind_each_other) {
    CHECK_LINE(A B, "0:\"a\"|12 12:\"b\"");
    CHECK_LINE(A B C, "0:\"a\"|12 12:\"b\"|41 41:\"c\"");
    CHECK_LINE(A " \t " B " ", "0:\"a\"|15 15:\"b\"");
    CHECK_LINE("{}" A "{}", "0:|2 2:\"a\"|14 14:");
}

TEST(a_record_and_something_else) {
    CHECK_LINE(A "x", "0:\"a\"|12");
    CHECK_LINE(A "\0\0\0", "0:\"a\"|12");
    CHECK_LINE(A "}", "0:\"a\"|12");
    CHECK_LINE(A "{\"uuid\":", "0:\"a\"|12");
    CHECK_LINE(A "{\"uuid\":" B, "0:\"a\"|12 20:\"b\"");
    CHECK_LINE(A "\0\0" B C, "0:\"a\"|12 14:\"b\"|43 43:\"c\"");
}

TEST(a_record_behind_a_piece_of_another) {
    CHECK_LINE("{\"type\":\"pr-link\",\"prNu" B, "23:\"b\"");
    CHECK_LINE("{\"type\":\"x\",\"a\":1," B C, "18:\"b\"|47 47:\"c\"");
    CHECK_LINE("{\"parentUuid\":\"a\",\"uu" B, "21:\"b\"");
    CHECK_LINE("{\"parentUuid\":" B, "14:\"b\"");
    CHECK_LINE("{\"parent" B, "8:\"b\"");
    CHECK_LINE("{{\"parentUuid" B, "13:\"b\"");
    CHECK_LINE("\0\0\0\0" B, "4:\"b\"");
    CHECK_LINE("\xEF\xBB\xBF" B " ", "3:\"b\"");
    CHECK_LINE("{\"parentUuid\":\"q\",\"s\":\"{" B, "24:\"b\""); /* a brace before it is none of its own */
    /* only what begins as a message does is believed to be one */
    CHECK_LINE("{\"type\":\"pr-link\",\"prNu" A, "");
    CHECK_LINE("\0\0" A B, "14:\"b\"");
}

TEST(what_belongs_to_another_record_is_none) {
    CHECK_LINE("{\"x\":[" B ",", "");
    CHECK_LINE("{\"x\":[" B ",1]", "");
    CHECK_LINE("{\"x\":[" B ",1],\"y\":\"" C, "44:\"c\"");
    CHECK_LINE("{\"x\":{\"y\":" B "},\"z\"", "");
    CHECK_LINE("{\"x\":\"{\\\"parentUuid\\\":1}", "");
}

TEST(no_line_is_tried_too_often) {
    AUTO(buf) struct buf line = BUF_INIT(TEXT_MAX);
    AUTO(buf) struct buf said = BUF_INIT(SAID_MAX);
    while (line.n < 1 << 20)
        (void)buf_append_span(&line, SPAN("{\"parentUuid\":"));
    (void)buf_append_span(&line, SPAN(B));
    size_t fed = split_all(buf_span(&line), 1 << 16, &said);
    CHECK_INT(said.n, 0);
    CHECK(fed < line.n * (SPLIT_TRIES_MAX + 3));
}

TEST(the_last_try_counts) {
    for (size_t n = SPLIT_TRIES_MAX - 2; n <= SPLIT_TRIES_MAX; n++) {
        AUTO(buf) struct buf line = BUF_INIT(TEXT_MAX);
        AUTO(buf) struct buf said = BUF_INIT(SAID_MAX);
        (void)buf_append_char(&line, 'x');
        for (size_t i = 0; i < n; i++)
            (void)buf_append_span(&line, SPAN("{\"parentUuid\":,"));
        (void)buf_append_span(&line, SPAN(B));
        (void)split_all(buf_span(&line), 5, &said);
        CHECK_INT(said.n > 0, n < SPLIT_TRIES_MAX);
    }
}

TESTS(RUN(a_line_that_is_a_record), RUN(records_behind_each_other), RUN(a_record_and_something_else),
      RUN(a_record_behind_a_piece_of_another), RUN(what_belongs_to_another_record_is_none),
      RUN(no_line_is_tried_too_often), RUN(the_last_try_counts))
