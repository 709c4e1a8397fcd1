/* What somebody who is attached sees: what is painted is played to another screen, which stands for their terminal. */
#include "cli/paint.h"
#include "test.h"

enum { COLS = 20, ROWS = 5 };

struct seat {
    struct paint paint;
    struct vt *outer;
};

static struct seat *sit(void) {
    struct seat *s = calloc(1, sizeof *s);
    CHECK(s);
    s->outer = vt_new(COLS, ROWS, 1000, NULL, NULL);
    vt_feed(s->outer, "$ ostler attach", 15);
    paint_init(&s->paint, COLS, ROWS, NULL, NULL);
    return s;
}

static void stand_up(struct seat *s) {
    vt_free(s->outer);
    paint_fini(&s->paint);
    free(s);
}

static void show(struct seat *s) {
    vt_feed(s->outer, s->paint.out.p ? s->paint.out.p : "", s->paint.out.n);
    buf_clear(&s->paint.out);
}

static void screen(struct seat *s, unsigned cols, unsigned rows, const char *bytes) {
    paint_screen(&s->paint, &(struct tap_screen){.cols = cols, .rows = rows, .bytes = span_str(bytes)});
    show(s);
}

static void output(struct seat *s, const char *bytes) {
    paint_output(&s->paint, span_str(bytes));
    show(s);
}

/* Rows of a screen, each followed by a bar; `from` may be negative. */
static void check_rows(const struct vt *vt, int from, const char *expected) {
    struct buf text = BUF_INIT(1 << 16);
    for (int row = from; row < ROWS; row++) {
        vt_row_text(vt, row, &text);
        CHECK_INT(buf_append_char(&text, '|'), 0);
    }
    CHECK_STR(text.p, expected);
    buf_fini(&text);
}

TEST(the_screen_then_what_comes) {
    struct seat *s = sit();
    screen(s, COLS, ROWS, "old\r\nnew");
    output(s, "er\r\nnext");
    check_rows(s->outer, 0, "old|newer|next|||");
    check_rows(s->outer, -1, "$ ostler attach|old|newer|next|||"); /* what was there is kept above */
    stand_up(s);
}

TEST(its_scrollback_comes_along_once) {
    struct seat *s = sit();
    screen(s, COLS, ROWS, "1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7");
    check_rows(s->outer, -3, "$ ostler attach|1|2|3|4|5|6|7|");
    screen(s, COLS, ROWS, "1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8");
    check_rows(s->outer, -3, "$ ostler attach|1|2|4|5|6|7|8|");
    stand_up(s);
}

TEST(a_screen_of_another_size_fits) {
    struct seat *s = sit();
    screen(s, 40, 12, "a line that is too long for us\r\nb");
    check_rows(s->outer, 0, "a line that is too l|ong for us|b|||");
    stand_up(s);
}

TEST(a_note_leaves_no_trace) {
    struct seat *s = sit();
    screen(s, COLS, ROWS,
           "\x1b[31m1\r\n2\r\n3\r\n4\r\n5\x1b[2;3H\x1b"
           "7");
    paint_note(&s->paint, "detach: Ctrl-] d, and more than fits");
    show(s);
    check_rows(s->outer, 0, "1|2|3|4| detach: Ctrl-] d…|");
    struct vt_view v;
    vt_view(s->outer, &v);
    CHECK_INT(v.cursor_row, 1);
    CHECK_INT(v.cursor_col, 2);
    output(s, "x\x1b[5;1H\x1b"
              "8y");
    check_rows(s->outer, 0, "1|2 y|3|4|5|");
    struct vt_cell cell;
    vt_cell(s->outer, 1, 2, &cell);
    CHECK_INT(cell.foreground.value, 1);
    stand_up(s);
}

TEST(questions_do_not_reach_the_terminal) {
    struct seat *s = sit();
    screen(s, COLS, ROWS, "");
    paint_output(&s->paint, SPAN("a\x1b[c\x1b]11;?\ab"));
    CHECK_SPAN(buf_span(&s->paint.out), "ab");
    stand_up(s);
}

static void check_left(const char *bytes, const char *rows, unsigned cursor) {
    struct seat *s = sit();
    screen(s, COLS, ROWS, bytes);
    paint_note(&s->paint, "note");
    paint_leave(&s->paint, false);
    show(s);
    check_rows(s->outer, 0, rows);
    struct vt_view v;
    struct vt_modes m;
    vt_view(s->outer, &v);
    vt_modes(s->outer, &m);
    CHECK_INT(v.cursor_row, cursor);
    CHECK_INT(v.cursor_col, 0);
    CHECK(v.cursor_visible && !v.alternate);
    CHECK(!m.application_cursor && !m.application_keypad && !m.origin && m.wrap && !m.insert && !m.newline &&
          !m.bracketed_paste && !m.focus && !m.synchronized && !m.reverse_wrap);
    CHECK_INT(m.mouse, 0);
    CHECK_INT(m.mouse_encoding, 0);
    CHECK_INT(m.cursor_style, 0);
    CHECK_INT(m.scroll_top, 0);
    CHECK_INT(m.scroll_bottom, ROWS - 1);
    vt_feed(s->outer, "x", 1);
    struct vt_cell cell;
    vt_cell(s->outer, (int)cursor, 0, &cell);
    CHECK_INT(cell.foreground.kind, 0);
    CHECK_INT(cell.attrs, 0);
    stand_up(s);
}

TEST(the_terminal_is_left_in_order) {
    check_left("", "|||||", 0);
    check_left("a\r\nb\r\n", "a|b||||", 2);
    check_left("a\r\nb", "a|b||||", 2);
    check_left("1\r\n2\r\n3\r\n4\r\n5", "2|3|4|5||", 4);
    check_left("1\r\n\r\n\r\n4\x1b[H", "1|||4||", 4);
    check_left(
        "a\x1b[1;31m\x1b[?1h\x1b=\x1b[?25l\x1b[4h\x1b[20h\x1b[?7l\x1b[?1003;1006h\x1b[?1004;2004;2026h\x1b[2;4r\x1b[?6h"
        "\x1b[5 q\x1b(0",
        "a|||||", 1);
    check_left("sh\r\n\x1b[?1049h\x1b[2;4r\x1b[?1000h\x1b[44mfull", "sh|||||", 2);
}

static bool wrote(const struct seat *s, const char *bytes) {
    return s->paint.out.n && memmem(s->paint.out.p, s->paint.out.n, bytes, strlen(bytes));
}

TEST(the_palette_stays_the_persons) {
    struct seat *s = sit();
    screen(s, COLS, ROWS, "a\x1b]4;1;#123456\a\x1b]11;#ffffff\a");
    paint_output(&s->paint, SPAN("\x1b]4;2;#123456\a\x1b]10;#ffffff\a"));
    CHECK_INT(s->paint.out.n, 0);
    stand_up(s);
}

TEST(a_title_is_shown_clean_and_taken_back) {
    struct seat *s = sit();
    paint_screen(&s->paint,
                 &(struct tap_screen){.cols = COLS, .rows = ROWS, .bytes = SPAN("\x1b]2;first\a")});
    CHECK(wrote(s, "\x1b[22;0t") && wrote(s, "\x1b]2;first\x1b\\"));
    show(s);
    paint_output(&s->paint, SPAN("x\x1b]0;b\u202ead t\xff\ae"));
    CHECK_SPAN(buf_span(&s->paint.out), "xe\x1b]2;b\ufffdad t\x1b\\");
    show(s);
    stand_up(s);
}

TEST(titles_come_back_from_the_programs_own_stack) {
    struct seat *s = sit();
    screen(s, COLS, ROWS, "\x1b]2;one\a");
    paint_output(&s->paint, SPAN("\x1b[22;0t\x1b]2;two\a"));
    CHECK_SPAN(buf_span(&s->paint.out), "\x1b]2;two\x1b\\");
    show(s);
    paint_output(&s->paint, SPAN("\x1b[23;0t\x1b[23;0t\x1b[23;0t"));
    CHECK_SPAN(buf_span(&s->paint.out), "\x1b]2;one\x1b\\"); /* never ours, which is below */
    show(s);
    paint_leave(&s->paint, false);
    CHECK(wrote(s, "\x1b]2;\x1b\\\x1b[23;0t"));
    stand_up(s);
}

TEST(tab_stops_are_put_back) {
    struct seat *s = sit();
    screen(s, COLS, ROWS, "a");
    paint_leave(&s->paint, false);
    CHECK(!wrote(s, "\x1b[3g"));
    show(s);
    output(s, "\x1b[3g\x1b[4G\x1bH\r");
    paint_leave(&s->paint, false);
    show(s);
    vt_feed(s->outer, "\r\t", 2);
    struct vt_view v;
    vt_view(s->outer, &v);
    CHECK_INT(v.cursor_col, 8);
    stand_up(s);
}

TEST(left_in_place_nothing_moves) {
    struct seat *s = sit();
    screen(s, COLS, ROWS, "a\r\nb\x1b[?25l");
    vt_feed(s->outer, "\r\nKilled\r\n> ", 12);
    paint_leave(&s->paint, true);
    show(s);
    vt_feed(s->outer, "ls", 2);
    check_rows(s->outer, 0, "a|b|Killed|> ls||");
    stand_up(s);
}

TEST(our_terminal_may_be_resized) {
    struct seat *s = sit();
    screen(s, COLS, ROWS, "twenty characters do fit\r\nb");
    vt_resize(s->outer, 10, ROWS);
    paint_resize(&s->paint, 10, ROWS);
    show(s);
    check_rows(s->outer, 0, "twenty cha|racters do| fit|b||");
    output(s, "c");
    check_rows(s->outer, 0, "twenty cha|racters do| fit|bc||");
    stand_up(s);
}

TESTS(RUN(the_screen_then_what_comes), RUN(its_scrollback_comes_along_once),
      RUN(a_screen_of_another_size_fits), RUN(a_note_leaves_no_trace),
      RUN(questions_do_not_reach_the_terminal), RUN(the_terminal_is_left_in_order),
      RUN(the_palette_stays_the_persons), RUN(a_title_is_shown_clean_and_taken_back),
      RUN(titles_come_back_from_the_programs_own_stack), RUN(tab_stops_are_put_back),
      RUN(left_in_place_nothing_moves), RUN(our_terminal_may_be_resized))
