#include "vt_check.h"

TEST(wrapped_lines_flow) {
    struct screen s;
    screen_open_sized(&s, 10, 6, 100);
    feed(&s, "0123456789abcdef\r\nx\r\n");
    vt_resize(s.vt, 20, 6);
    CHECK_ROW(&s, 0, "0123456789abcdef");
    CHECK_ROW(&s, 1, "x");
    CHECK_CURSOR(&s, 0, 2);
    vt_resize(s.vt, 6, 6);
    CHECK_ROW(&s, 0, "012345");
    CHECK_ROW(&s, 1, "6789ab");
    CHECK_ROW(&s, 2, "cdef");
    CHECK_ROW(&s, 3, "x");
    CHECK(vt_row_wraps(s.vt, 0) && vt_row_wraps(s.vt, 1) && !vt_row_wraps(s.vt, 2));
    screen_close(&s);
}

TEST(a_wide_character_is_not_cut) {
    struct screen s;
    screen_open(&s);
    feed(&s, "ab日本語\r\n\r\n");
    vt_resize(s.vt, 5, 6);
    CHECK_ROW(&s, 0, "ab日");
    CHECK_ROW(&s, 1, "本語");
    vt_resize(s.vt, 10, 6);
    CHECK_ROW(&s, 0, "ab日本語");
    screen_close(&s);
}

TEST(rows_go_up_and_come_back) {
    struct screen s;
    screen_open(&s);
    feed(&s, "a\r\nb\r\nc\r\nd");
    vt_resize(s.vt, 10, 2);
    CHECK_ROW(&s, -2, "a");
    CHECK_ROW(&s, 0, "c");
    CHECK_CURSOR(&s, 1, 1);
    vt_resize(s.vt, 10, 4);
    CHECK_ROW(&s, 0, "a");
    CHECK_CURSOR(&s, 1, 3);
    CHECK_INT(scrollback_of(&s), 0);
    screen_close(&s);
}

TEST(the_scrollback_flows_too) {
    struct screen s;
    screen_open_sized(&s, 10, 2, 1000);
    for (int i = 0; i < 100; i++)
        feed(&s, "\033[31m0123456789\033[mabcde\r\n");
    CHECK_INT(scrollback_of(&s), 199);
    vt_resize(s.vt, 40, 2);
    CHECK_INT(scrollback_of(&s), 99);
    CHECK_ROW(&s, -50, "0123456789abcde");
    CHECK_INT(cell_at(&s, -50, 9).foreground.value, 1);
    CHECK_INT(cell_at(&s, -50, 10).foreground.kind, 0);
    vt_resize(s.vt, 10, 2);
    CHECK_INT(scrollback_of(&s), 199);
    screen_close(&s);
}

TEST(the_other_screen_is_cut) {
    struct screen s;
    screen_open(&s);
    feed(&s, "\033[?1049h\033[H0123456789abc");
    vt_resize(s.vt, 5, 4);
    CHECK_ROW(&s, 0, "01234");
    CHECK_ROW(&s, 1, "abc");
    vt_resize(s.vt, 10, 4);
    CHECK_ROW(&s, 0, "01234");
    screen_close(&s);
}

TEST(sizes_are_brought_inside) {
    struct screen s;
    screen_open(&s);
    struct vt_view view;
    vt_resize(s.vt, 0, 0);
    vt_view(s.vt, &view);
    CHECK_INT(view.cols, 2);
    CHECK_INT(view.rows, 1);
    vt_resize(s.vt, 100000, 100000);
    vt_view(s.vt, &view);
    CHECK_INT(view.cols, VT_COLS_MAX);
    CHECK_INT(view.rows, VT_ROWS_MAX);
    screen_close(&s);
}

TEST(many_sizes_cost_no_memory) {
    struct screen s;
    screen_open_sized(&s, 80, 24, 500);
    for (int i = 0; i < 600; i++)
        feed(&s, "a line of some length that is wrapped when the screen is narrow, and then some\r\n");
    size_t before = vt_memory(s.vt);
    for (unsigned i = 0; i < 500; i++)
        vt_resize(s.vt, 2 + i * 37 % 150, 1 + i * 11 % 50);
    vt_resize(s.vt, 80, 24);
    CHECK(vt_memory(s.vt) < 2 * before);
    screen_close(&s);
}

TESTS(RUN(wrapped_lines_flow), RUN(a_wide_character_is_not_cut), RUN(rows_go_up_and_come_back),
      RUN(the_scrollback_flows_too), RUN(the_other_screen_is_cut), RUN(sizes_are_brought_inside),
      RUN(many_sizes_cost_no_memory))
