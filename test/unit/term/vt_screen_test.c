#include "vt_check.h"

static void fill(struct screen *s) {
    feed(s, "\033[H\033[2Jaaaa\r\nbbbb\r\ncccc\r\ndddd");
}

TEST(lines_scroll_into_the_scrollback) {
    struct screen s;
    screen_open(&s);
    fill(&s);
    feed(&s, "\r\neeee\r\nffff");
    CHECK_ROW(&s, 0, "cccc");
    CHECK_ROW(&s, 3, "ffff");
    CHECK_INT(scrollback_of(&s), 2);
    CHECK_ROW(&s, -1, "bbbb");
    CHECK_ROW(&s, -2, "aaaa");
    CHECK_ROW(&s, -3, "");
    screen_close(&s);
}

TEST(regions_scroll_alone) {
    struct screen s;
    screen_open(&s);
    fill(&s);
    feed(&s, "\033[2;3r\033[3;1H\n");
    CHECK_ROW(&s, 0, "aaaa");
    CHECK_ROW(&s, 1, "cccc");
    CHECK_ROW(&s, 2, "");
    CHECK_ROW(&s, 3, "dddd");
    CHECK_INT(scrollback_of(&s), 0);
    feed(&s, "\033[2;1H\033M");
    CHECK_ROW(&s, 1, "");
    CHECK_ROW(&s, 2, "cccc");
    screen_close(&s);
}

TEST(a_region_at_the_top_feeds_the_scrollback) {
    struct screen s;
    screen_open(&s);
    fill(&s);
    feed(&s, "\033[1;3r\033[3;1H\n");
    CHECK_ROW(&s, -1, "aaaa");
    CHECK_ROW(&s, 1, "cccc");
    CHECK_ROW(&s, 2, "");
    CHECK_ROW(&s, 3, "dddd");
    screen_close(&s);
}

TEST(origin_is_where_the_region_is) {
    struct screen s;
    screen_open(&s);
    feed(&s, "\033[2;3r\033[?6h\033[1;1Hx\033[9;9Hy");
    CHECK_ROW(&s, 1, "x");
    CHECK_ROW(&s, 2, "        y");
    screen_close(&s);
}

TEST(lines_are_inserted_and_deleted) {
    struct screen s;
    screen_open(&s);
    fill(&s);
    feed(&s, "\033[2;3H\033[L");
    CHECK_ROW(&s, 1, "");
    CHECK_ROW(&s, 2, "bbbb");
    CHECK_CURSOR(&s, 0, 1);
    feed(&s, "\033[2M");
    CHECK_ROW(&s, 1, "cccc");
    CHECK_ROW(&s, 2, "");
    feed(&s, "\033[99L\033[99T\033[99S");
    CHECK_ROW(&s, 0, "");
    CHECK_INT(scrollback_of(&s), 0);
    screen_close(&s);
}

TEST(cells_are_inserted_deleted_and_erased) {
    struct screen s;
    screen_open(&s);
    feed(&s, "0123456789\033[1;3H\033[2@");
    CHECK_ROW(&s, 0, "01  234567");
    feed(&s, "\033[3P");
    CHECK_ROW(&s, 0, "0134567");
    feed(&s, "\033[2X");
    CHECK_ROW(&s, 0, "01  567");
    feed(&s, "\033[1K");
    CHECK_ROW(&s, 0, "    567");
    feed(&s, "\033[K");
    CHECK_ROW(&s, 0, "");
    screen_close(&s);
}

TEST(erasing_takes_the_background_along) {
    struct screen s;
    screen_open(&s);
    feed(&s, "abc\033[1;44m\033[1;2H\033[K");
    CHECK_INT(cell_at(&s, 0, 5).background.kind, 1);
    CHECK_INT(cell_at(&s, 0, 5).background.value, 4);
    CHECK_INT(cell_at(&s, 0, 5).attrs, 0);
    CHECK_INT(cell_at(&s, 0, 0).background.kind, 0);
    screen_close(&s);
}

TEST(what_is_protected_stays) {
    struct screen s;
    screen_open(&s);
    feed(&s, "ab\033[1\"qcd\033[0\"qef\033[?2K");
    CHECK_ROW(&s, 0, "  cd");
    feed(&s, "\033[2K");
    CHECK_ROW(&s, 0, "");
    screen_close(&s);
}

TEST(the_scrollback_can_be_cleared) {
    struct screen s;
    screen_open(&s);
    fill(&s);
    feed(&s, "\r\ne\r\nf\033[3J");
    CHECK_INT(scrollback_of(&s), 0);
    CHECK_ROW(&s, 3, "f");
    screen_close(&s);
}

TEST(tabs_are_set_and_cleared) {
    struct screen s;
    screen_open_sized(&s, 40, 4, 0);
    feed(&s, "\ta\033[1;4H\033H\r\tb\r\033[2Ic\r\033[3g\td");
    CHECK_STR(cell_at(&s, 0, 3).text, "b");
    CHECK_STR(cell_at(&s, 0, 8).text, "c");
    CHECK_STR(cell_at(&s, 0, 39).text, "d");
    screen_close(&s);
}

TEST(the_other_screen_leaves_this_one_alone) {
    struct screen s;
    screen_open(&s);
    feed(&s, "shell\r\n$ \033[31m\033[?1049h\033[Hfull\033[32m\r\n\n\n\n\n\n");
    struct vt_view view;
    vt_view(s.vt, &view);
    CHECK(view.alternate);
    CHECK_ROW(&s, 0, "");
    CHECK_INT(view.scrollback, 0);
    feed(&s, "\033[?1049lx");
    CHECK_ROW(&s, 0, "shell");
    CHECK_ROW(&s, 1, "$ x");
    CHECK_INT(cell_at(&s, 1, 2).foreground.value, 1);
    screen_close(&s);
}

TEST(the_cursor_is_saved_with_its_pen) {
    struct screen s;
    screen_open(&s);
    feed(&s, "\033[2;3H\033[1;32m\033(0\0337\033[m\033(B\033[Hx\0338q");
    CHECK_ROW(&s, 1, "  ─");
    CHECK(cell_at(&s, 1, 2).attrs & VT_BOLD);
    CHECK_INT(cell_at(&s, 1, 2).foreground.value, 2);
    screen_close(&s);
}

TEST(resets) {
    struct screen s;
    screen_open(&s);
    fill(&s);
    feed(&s, "\033[2;3r\033[?1;6;1003;2004h\033[4h\033[!p");
    struct vt_modes modes;
    vt_modes(s.vt, &modes);
    CHECK(!modes.application_cursor && !modes.origin && !modes.bracketed_paste && !modes.insert &&
          modes.wrap);
    CHECK_INT(modes.scroll_bottom, 3);
    CHECK_INT(modes.mouse, 1003);
    CHECK_ROW(&s, 0, "aaaa");
    feed(&s, "\033c");
    vt_modes(s.vt, &modes);
    CHECK_INT(modes.mouse, 0);
    CHECK_ROW(&s, 0, "");
    screen_close(&s);
}

TEST(a_new_program_begins_below) {
    struct screen s;
    screen_open(&s);
    feed(&s, "one\r\n\033[31mtwo\033[?1049h\033[?2004hx\033]2;half");
    vt_restart(s.vt);
    feed(&s, "$");
    CHECK_ROW(&s, -2, "one");
    CHECK_ROW(&s, -1, "two");
    CHECK_ROW(&s, 0, "$");
    CHECK_INT(cell_at(&s, 0, 0).foreground.kind, 0);
    struct vt_modes modes;
    vt_modes(s.vt, &modes);
    CHECK(!modes.bracketed_paste);
    screen_close(&s);
}

TESTS(RUN(lines_scroll_into_the_scrollback), RUN(regions_scroll_alone),
      RUN(a_region_at_the_top_feeds_the_scrollback), RUN(origin_is_where_the_region_is),
      RUN(lines_are_inserted_and_deleted), RUN(cells_are_inserted_deleted_and_erased),
      RUN(erasing_takes_the_background_along), RUN(what_is_protected_stays),
      RUN(the_scrollback_can_be_cleared), RUN(tabs_are_set_and_cleared),
      RUN(the_other_screen_leaves_this_one_alone), RUN(the_cursor_is_saved_with_its_pen), RUN(resets),
      RUN(a_new_program_begins_below))
