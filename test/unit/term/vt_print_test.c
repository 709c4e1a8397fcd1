#include "vt_check.h"

TEST(text_stands_where_the_cursor_is) {
    struct screen s;
    screen_open(&s);
    feed(&s, "one\r\n two\033[3;4Hthree");
    CHECK_ROW(&s, 0, "one");
    CHECK_ROW(&s, 1, " two");
    CHECK_ROW(&s, 2, "   three");
    CHECK_CURSOR(&s, 8, 2);
    CHECK_STR(cell_at(&s, 2, 0).text, "");
    CHECK_STR(cell_at(&s, 1, 0).text, " ");
    screen_close(&s);
}

TEST(the_last_column_waits_for_the_next_character) {
    struct screen s;
    screen_open(&s);
    feed(&s, "0123456789");
    CHECK_CURSOR(&s, 10, 0);
    CHECK(!vt_row_wraps(s.vt, 0));
    feed(&s, "a");
    CHECK_CURSOR(&s, 1, 1);
    CHECK(vt_row_wraps(s.vt, 0));
    feed(&s, "\r\033[A0123456789\rx");
    CHECK_ROW(&s, 0, "x123456789");
    screen_close(&s);
}

TEST(without_wrapping_the_last_column_is_overwritten) {
    struct screen s;
    screen_open(&s);
    feed(&s, "\033[?7l0123456789abc");
    CHECK_ROW(&s, 0, "012345678c");
    CHECK_ROW(&s, 1, "");
    screen_close(&s);
}

TEST(wide_characters_take_two_cells_and_wrap_whole) {
    struct screen s;
    screen_open(&s);
    feed(&s, "日本語123本");
    CHECK_INT(cell_at(&s, 0, 0).width, 2);
    CHECK_INT(cell_at(&s, 0, 1).width, 0);
    CHECK_ROW(&s, 0, "日本語123");
    CHECK_ROW(&s, 1, "本");
    CHECK(vt_row_wraps(s.vt, 0));
    screen_close(&s);
}

TEST(half_of_a_wide_character_is_none) {
    struct screen s;
    screen_open(&s);
    feed(&s, "日本\033[1;2Hx");
    CHECK_ROW(&s, 0, " x本");
    feed(&s, "\033[1;3Hy");
    CHECK_ROW(&s, 0, " xy");
    CHECK_INT(cell_at(&s, 0, 3).width, 1);
    screen_close(&s);
}

TEST(modern_emoji_are_wide) {
    struct screen s;
    screen_open(&s);
    feed(&s, "\U0001FAE0\U0001F680\U0001FABF");
    CHECK_CURSOR(&s, 6, 0);
    screen_close(&s);
}

TEST(marks_join_the_character_before_them) {
    struct screen s;
    screen_open(&s);
    feed(&s, "e\u0301\u0308 \u65e5\u3099x");
    CHECK_STR(cell_at(&s, 0, 0).text, "e\u0301\u0308");
    CHECK_STR(cell_at(&s, 0, 2).text, "\u65e5\u3099");
    CHECK_INT(cell_at(&s, 0, 2).width, 2);
    CHECK_CURSOR(&s, 5, 0);
    screen_close(&s);
}

TEST(a_cell_holds_so_many_marks_and_no_more) {
    struct screen s;
    screen_open(&s);
    feed(&s, "e");
    for (int i = 0; i < 1000; i++)
        feed(&s, "\u0301");
    CHECK_INT(cell_at(&s, 0, 0).text_bytes, 63);
    CHECK_CURSOR(&s, 1, 0);
    screen_close(&s);
}

TEST(insert_mode_pushes_to_the_right) {
    struct screen s;
    screen_open(&s);
    feed(&s, "abcdefghij\033[4h\033[1;3HXY");
    CHECK_ROW(&s, 0, "abXYcdefgh");
    feed(&s, "\033[4l_");
    CHECK_ROW(&s, 0, "abXY_defgh");
    screen_close(&s);
}

TEST(drawing_characters) {
    struct screen s;
    screen_open(&s);
    feed(&s, "\033(0lqk\033(Bq\033)0\016x\017x");
    CHECK_ROW(&s, 0, "┌─┐q│x");
    screen_close(&s);
}

TEST(the_last_character_is_repeated) {
    struct screen s;
    screen_open(&s);
    feed(&s, "a\033[4bé\033[2b");
    CHECK_ROW(&s, 0, "aaaaaééé");
    feed(&s, "\r\n\033[5b");
    CHECK_ROW(&s, 1, "");
    screen_close(&s);
}

TESTS(RUN(text_stands_where_the_cursor_is), RUN(the_last_column_waits_for_the_next_character),
      RUN(without_wrapping_the_last_column_is_overwritten),
      RUN(wide_characters_take_two_cells_and_wrap_whole), RUN(half_of_a_wide_character_is_none),
      RUN(modern_emoji_are_wide), RUN(marks_join_the_character_before_them),
      RUN(a_cell_holds_so_many_marks_and_no_more), RUN(insert_mode_pushes_to_the_right),
      RUN(drawing_characters), RUN(the_last_character_is_repeated))
