#include "vt_check.h"

/* Text that leaves something of everything behind. */
static const char rich[] =
    "first line\r\n\033[1;31mred \033[4:3mcurly\033[0m 日本 e\xcc\x81\r\n"
    "\033[44mblue to the end\033[K\033[m\r\n0123456789012345678901234567890123456789wrapped\r\n"
    "\033]8;;http://link\alinked\033]8;;\a\033[38;2;1;2;3;48;5;200;2;7mcolours\033[m\r\n"
    "\033[5;30H\033[7mfar\033[m\033[3;5H\0337\033[2;4r\033[?6h\033[?1;25;2004;1003;1006h\033[?25l"
    "\033[5 q\033[1;5H\033H\033)0\033]2;title\a\033[32;58;5;9m";

static void check_modes(const struct vt *a, const struct vt *b) {
    struct vt_modes x, y;
    vt_modes(a, &x);
    vt_modes(b, &y);
    CHECK(x.application_cursor == y.application_cursor && x.application_keypad == y.application_keypad);
    CHECK(x.origin == y.origin && x.wrap == y.wrap && x.insert == y.insert && x.newline == y.newline);
    CHECK(x.bracketed_paste == y.bracketed_paste && x.focus == y.focus && x.synchronized == y.synchronized);
    CHECK(x.reverse_wrap == y.reverse_wrap && x.win32_input == y.win32_input);
    CHECK_INT(x.mouse, y.mouse);
    CHECK_INT(x.mouse_encoding, y.mouse_encoding);
    CHECK_INT(x.cursor_style, y.cursor_style);
    CHECK_INT(x.scroll_top, y.scroll_top);
    CHECK_INT(x.scroll_bottom, y.scroll_bottom);
}

static void check_same(const struct vt *a, const struct vt *b) {
    struct vt_view va, vb;
    vt_view(a, &va);
    vt_view(b, &vb);
    CHECK_INT(va.cursor_col, vb.cursor_col);
    CHECK_INT(va.cursor_row, vb.cursor_row);
    CHECK_INT(va.scrollback, vb.scrollback);
    CHECK(va.cursor_visible == vb.cursor_visible && va.alternate == vb.alternate);
    check_modes(a, b);
    CHECK(span_eq(vt_title(a), vt_title(b)));
    for (int row = -(int)va.scrollback; row < (int)va.rows; row++) {
        CHECK(vt_row_wraps(a, row) == vt_row_wraps(b, row));
        for (unsigned col = 0; col < va.cols; col++) {
            struct vt_cell ca, cb;
            vt_cell(a, row, col, &ca);
            vt_cell(b, row, col, &cb);
            CHECK_STR(ca.text, cb.text);
            CHECK_INT(ca.width, cb.width);
            CHECK_INT(ca.attrs, cb.attrs);
            CHECK_INT(ca.underline, cb.underline);
            CHECK_INT(ca.foreground.value, cb.foreground.value);
            CHECK_INT(ca.background.value, cb.background.value);
            CHECK_INT(ca.background.kind, cb.background.kind);
            CHECK(span_eq(vt_link(a, ca.link), vt_link(b, cb.link)));
        }
    }
}

/* Feeds a snapshot into a terminal that is in the middle of something else. */
static void copy(const struct vt *vt, struct screen *ret) {
    struct vt_view view;
    vt_view(vt, &view);
    screen_open_sized(ret, view.cols, view.rows, 100);
    feed(ret, "\033[?1049h\033[31;4mother\033[2;3r\033[4h\033[?1000h\033[20h\033[?25l\033(0\033]2;half");
    struct buf bytes = BUF_INIT(1 << 20);
    vt_snapshot(vt, 1000, &bytes);
    vt_feed(ret->vt, bytes.p, bytes.n);
    buf_fini(&bytes);
}

TEST(everything_comes_back) {
    struct screen s, c;
    screen_open_sized(&s, 40, 5, 100);
    feed(&s, rich);
    copy(s.vt, &c);
    check_same(s.vt, c.vt);
    /* And what cannot be seen: the pen, what was saved, tabs and character sets. */
    static const char more[] = "pen\033[?6l\r\tt\016qq\017\0338saved\033[!p\r\n";
    feed(&s, more);
    feed(&c, more);
    check_same(s.vt, c.vt);
    screen_close(&c);
    screen_close(&s);
}

TEST(both_screens_come_back) {
    struct screen s, c;
    screen_open_sized(&s, 40, 5, 100);
    feed(&s, rich);
    feed(&s, "\033[?1049h\033[H\033[2Jfull screen\033[3;3Hx");
    copy(s.vt, &c);
    check_same(s.vt, c.vt);
    feed(&s, "\033[?1049l.");
    feed(&c, "\033[?1049l.");
    check_same(s.vt, c.vt);
    screen_close(&c);
    screen_close(&s);
}

TEST(it_goes_on_in_the_middle_of_anything) {
    for (size_t cut = 0; cut < sizeof rich - 1; cut++) {
        struct screen s, c;
        screen_open_sized(&s, 40, 5, 100);
        vt_feed(s.vt, rich, cut);
        copy(s.vt, &c);
        check_same(s.vt, c.vt);
        feed(&s, rich + cut);
        feed(&c, rich + cut);
        check_same(s.vt, c.vt);
        screen_close(&c);
        screen_close(&s);
    }
}

TEST(a_mark_finds_its_character) {
    struct screen s, c;
    screen_open(&s);
    feed(&s, "\033[31me");
    copy(s.vt, &c);
    feed(&c, "\u0301");
    CHECK_STR(cell_at(&c, 0, 0).text, "e\u0301");
    screen_close(&c);
    screen_close(&s);
}

TEST(as_many_lines_as_are_asked_for) {
    struct screen s, c;
    screen_open(&s);
    for (int i = 0; i < 50; i++)
        feed(&s, "line\r\n");
    struct buf bytes = BUF_INIT(1 << 20);
    vt_snapshot(s.vt, 7, &bytes);
    screen_open(&c);
    vt_feed(c.vt, bytes.p, bytes.n);
    CHECK_INT(scrollback_of(&c), 7);
    buf_fini(&bytes);
    screen_close(&c);
    screen_close(&s);
}

TEST(a_cursor_above_its_margin_is_written_as_near_as_can_be) {
    static const char stream[] = "\033[3r\033[?1049h\033[?6h\033[?47l";
    struct vt *vt = vt_new(2, 4, 0, NULL, NULL);
    vt_feed(vt, stream, sizeof stream - 1);
    struct buf bytes = BUF_INIT(1 << 20);
    vt_snapshot(vt, 0, &bytes);
    CHECK(memmem(bytes.p, bytes.n, "4294967295", 10) == NULL);
    buf_fini(&bytes);
    vt_free(vt);
}

static void copy_unsized(const struct vt *vt, struct screen *ret, unsigned rows) {
    struct vt_view view;
    vt_view(vt, &view);
    screen_open_sized(ret, view.cols, rows, 100);
    struct buf bytes = BUF_INIT(1 << 20);
    vt_snapshot_unsized(vt, 1000, &bytes);
    vt_feed(ret->vt, bytes.p, bytes.n);
    buf_fini(&bytes);
}

TEST(in_a_window_of_any_size_nothing_scrolls_away_for_blank_rows) {
    struct screen s, c;
    screen_open_sized(&s, 20, 40, 100);
    feed(&s, "one\r\ntwo\r\n$ ls");
    const unsigned rows[] = {3, 4, 24, 40, 60};
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        copy_unsized(s.vt, &c, rows[i]);
        CHECK_ROW(&c, 0, "one");
        CHECK_ROW(&c, 2, "$ ls");
        CHECK_CURSOR(&c, 4, 2);
        CHECK_INT(scrollback_of(&c), 0);
        screen_close(&c);
    }
    screen_close(&s);
}

TEST(in_a_window_of_any_size_the_cursor_is_beside_what_it_was_beside) {
    struct screen s, c;
    screen_open_sized(&s, 20, 10, 100);
    /* Margins and a saved cursor, which mean rows of this screen; a status line below the cursor; a full row. */
    feed(&s, "a\r\nb\r\n\033[2;5r\033[4;1H\0337\033[r\033[8;1Hstatus\033[3;5H\033[?2004h\033[31m");
    copy_unsized(s.vt, &c, 6);
    CHECK_ROW(&c, 5, "status");
    CHECK_CURSOR(&c, 4, 0);
    feed(&c, "x");
    CHECK_ROW(&c, 0, "    x");
    CHECK_INT(cell_at(&c, 0, 4).foreground.value, 1);
    struct vt_modes modes;
    vt_modes(c.vt, &modes);
    CHECK(modes.bracketed_paste);
    CHECK_INT(modes.scroll_bottom, 5);
    screen_close(&c);

    feed(&s, "\033[m\033[2J\033[H01234567890123456789");
    copy_unsized(s.vt, &c, 4);
    feed(&c, "+");
    CHECK_ROW(&c, 0, "01234567890123456789");
    CHECK_ROW(&c, 1, "+");
    screen_close(&c);

    feed(&s, "\033[?1049h\033[2;3Hfull");
    copy_unsized(s.vt, &c, 10);
    CHECK_ROW(&c, 1, "  full");
    CHECK_CURSOR(&c, 6, 1);
    screen_close(&c);
    screen_close(&s);
}

TESTS(RUN(in_a_window_of_any_size_nothing_scrolls_away_for_blank_rows),
      RUN(in_a_window_of_any_size_the_cursor_is_beside_what_it_was_beside),
      RUN(a_cursor_above_its_margin_is_written_as_near_as_can_be), RUN(everything_comes_back),
      RUN(both_screens_come_back), RUN(it_goes_on_in_the_middle_of_anything), RUN(a_mark_finds_its_character),
      RUN(as_many_lines_as_are_asked_for))
