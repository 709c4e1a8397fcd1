#include "vt_check.h"

TEST(a_line_of_text_takes_little_more_than_its_text) {
    struct screen s;
    screen_open_sized(&s, 120, 40, VT_SCROLLBACK);
    size_t before = vt_memory(s.vt);
    char line[128];
    for (unsigned i = 0; i < VT_SCROLLBACK + 100; i++) {
        (void)snprintf(line, sizeof line,
                       "%08u \033[32mthe quick brown fox\033[m jumps over the lazy dog, again and again\r\n",
                       i);
        feed(&s, line);
    }
    CHECK_INT(scrollback_of(&s), VT_SCROLLBACK);
    CHECK((vt_memory(s.vt) - before) / VT_SCROLLBACK <= 110);
    CHECK_ROW(&s, -VT_SCROLLBACK, "00000061 the quick brown fox jumps over the lazy dog, again and again");
    CHECK_ROW(&s, -1, "00010060 the quick brown fox jumps over the lazy dog, again and again");
    screen_close(&s);
}

TEST(an_idle_terminal_is_small) {
    struct screen s;
    screen_open_sized(&s, 120, 40, VT_SCROLLBACK);
    feed(&s, "\033]2;~/src\a\033[01;32mme@host\033[00m:\033[01;34m~/src\033[00m$ ");
    CHECK(vt_memory(s.vt) < 6 << 10);
    screen_close(&s);
}

TEST(cells_come_back_whatever_they_hold) {
    struct screen s;
    screen_open(&s);
    feed(&s,
         "a\033[3C\033[45m\033[2X\033[m\033[8Ge\u0301日\r\n\033[44m\033[K\033[m\r\n\u0301x\r\n日\033[1;7mb");
    struct vt_cell before[3][10], after;
    for (int row = 0; row < 3; row++)
        for (unsigned col = 0; col < 10; col++)
            vt_cell(s.vt, row, col, &before[row][col]);
    feed(&s, "\r\n\n\n\n\n\n");
    int top = -(int)scrollback_of(&s);
    for (int row = 0; row < 3; row++) {
        for (unsigned col = 0; col < 10; col++) {
            vt_cell(s.vt, top + row, col, &after);
            CHECK_STR(after.text, before[row][col].text);
            CHECK_INT(after.width, before[row][col].width);
            CHECK_INT(after.background.value, before[row][col].background.value);
            CHECK_INT(after.attrs, before[row][col].attrs);
        }
    }
    screen_close(&s);
}

TEST(none_is_kept_where_none_is_wanted) {
    struct screen s;
    screen_open_sized(&s, 10, 2, 0);
    feed(&s, "a\r\nb\r\nc\r\nd");
    CHECK_INT(scrollback_of(&s), 0);
    CHECK_ROW(&s, 0, "c");
    screen_close(&s);
}

TESTS(RUN(a_line_of_text_takes_little_more_than_its_text), RUN(an_idle_terminal_is_small),
      RUN(cells_come_back_whatever_they_hold), RUN(none_is_kept_where_none_is_wanted))
