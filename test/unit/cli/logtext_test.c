/* Output as lines of text. */
#include "cli/logtext.h"
#include "test.h"

static void on_line(void *user, struct span line) {
    CHECK_INT(buf_printf(user, "%.*s|", SPAN_ARG(line)), 0);
}

struct log {
    struct logtext text;
    struct buf lines; /* each followed by a bar */
};

static struct log *start(unsigned cols, unsigned rows) {
    struct log *l = calloc(1, sizeof *l);
    CHECK(l);
    l->lines = BUF_INIT(1 << 20);
    logtext_init(&l->text, vt_new(cols, rows, 1000, NULL, NULL), on_line, &l->lines);
    return l;
}

static void print(struct log *l, const char *text) {
    logtext_feed(&l->text, span_str(text));
}

static void check(struct log *l, const char *expected) {
    CHECK_STR(l->lines.n ? l->lines.p : "", expected);
}

static void finish(struct log *l, const char *expected) {
    logtext_end(&l->text);
    check(l, expected);
    logtext_fini(&l->text);
    buf_fini(&l->lines);
    free(l);
}

TEST(lines_without_escapes) {
    struct log *l = start(20, 3);
    print(l, "\x1b[31mred\x1b[0m\r\n\x1b]0;title\aplain\r\n");
    check(l, "");
    finish(l, "red|plain|");
}

TEST(lines_that_scroll_off_are_told_at_once) {
    struct log *l = start(20, 3);
    print(l, "1\r\n2\r\n3\r\n4\r\n5");
    check(l, "1|2|");
    finish(l, "1|2|3|4|5|");
}

TEST(wrapped_rows_are_one_line) {
    struct log *l = start(5, 2);
    print(l, "abcdefghijkl\r\nab   cd\r\nx");
    finish(l, "abcdefghijkl|ab   cd|x|");
}

TEST(empty_lines_count_but_not_those_at_the_end) {
    struct log *l = start(20, 3);
    print(l, "a\r\n\r\n\r\nb\r\n\r\n");
    finish(l, "a|||b|");
}

TEST(the_last_of_what_was_written_over) {
    struct log *l = start(20, 3);
    print(l, "10%\r20%\r100%\r\nabc\x1b[2Dx\r\n");
    finish(l, "100%|axc|");
}

TEST(a_follower_gets_lines_when_the_cursor_leaves_them) {
    struct log *l = start(20, 10);
    logtext_follow(&l->text);
    print(l, "one");
    check(l, "");
    print(l, "\r\ntw");
    check(l, "one|");
    print(l, "o\r\nthree\r\n$ ");
    check(l, "one|two|three|");
    print(l, "\x1b[3A\rTWO\x1b[3B"); /* what was told is told */
    check(l, "one|two|three|");
    finish(l, "one|two|three|$|");
}

TEST(the_other_screen_is_no_log) {
    struct log *l = start(20, 5);
    logtext_follow(&l->text);
    print(l, "$ vi\r\n");
    print(l, "\x1b[?1049h\x1b[Hfull\r\nscreen\r\n\r\n");
    check(l, "$ vi|");
    print(l, "\x1b[?1049l$ ls\r\nfile\r\n");
    finish(l, "$ vi|$ ls|file|");
}

TEST(at_the_end_the_other_screen_comes_behind_what_is_under_it) {
    struct log *l = start(20, 5);
    print(l, "$ top\r\n\x1b[?1049h\x1b[Hload\r\n\r\nprocesses");
    finish(l, "$ top|load||processes|");
}

static void check_resize(bool follow, unsigned cols, unsigned rows) {
    struct log *l = start(10, 4);
    if (follow) logtext_follow(&l->text);
    print(l, "line one is long\r\ntwo\r\nthree\r\nfour is rather long\r\nfive\r\nsix");
    logtext_resize(&l->text, cols, rows);
    print(l, "teen\r\nseven\r\neight");
    logtext_resize(&l->text, 10, 4);
    print(l, "\r\nnine");
    finish(l, "line one is long|two|three|four is rather long|five|sixteen|seven|eight|nine|");
}

TEST(a_resize_neither_loses_nor_repeats_lines) {
    static const unsigned sizes[][2] = {{10, 4},  {5, 4}, {30, 4},  {10, 2},
                                        {10, 20}, {4, 2}, {40, 30}, {7, 3}};
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        check_resize(false, sizes[i][0], sizes[i][1]);
        check_resize(true, sizes[i][0], sizes[i][1]);
    }
}

TEST(much_at_once_is_all_told) {
    struct log *l = start(20, 5);
    struct buf text = BUF_INIT(1 << 20), expected = BUF_INIT(1 << 20);
    for (int i = 0; i < 20000; i++) {
        CHECK_INT(buf_printf(&text, "%d\r\n", i), 0);
        CHECK_INT(buf_printf(&expected, "%d|", i), 0);
    }
    logtext_feed(&l->text, buf_span(&text));
    finish(l, expected.p);
    buf_fini(&text);
    buf_fini(&expected);
}

TEST(a_program_after_the_other) {
    struct log *l = start(20, 5);
    print(l, "one\r\nunfinished");
    logtext_restart(&l->text);
    print(l, "two\r\n");
    finish(l, "one|unfinished|two|");
}

TEST(another_screen_repeats_nothing) {
    struct log *l = start(20, 5);
    logtext_follow(&l->text);
    print(l, "one\r\ntwo\r\n");
    struct vt *vt = vt_new(30, 6, 1000, NULL, NULL);
    vt_feed(vt, "two\r\nthree\r\nfour", 16);
    logtext_replace(&l->text, vt);
    print(l, " and five\r\nsix\r\n");
    finish(l, "one|two|four and five|six|");
}

TESTS(RUN(lines_without_escapes), RUN(lines_that_scroll_off_are_told_at_once), RUN(wrapped_rows_are_one_line),
      RUN(empty_lines_count_but_not_those_at_the_end), RUN(the_last_of_what_was_written_over),
      RUN(a_follower_gets_lines_when_the_cursor_leaves_them), RUN(the_other_screen_is_no_log),
      RUN(at_the_end_the_other_screen_comes_behind_what_is_under_it),
      RUN(a_resize_neither_loses_nor_repeats_lines), RUN(much_at_once_is_all_told),
      RUN(a_program_after_the_other), RUN(another_screen_repeats_nothing))
