#include "vt_check.h"

TEST(sequences_are_whole_however_they_are_cut) {
    static const char text[] = "a\033[1;31mb\033]2;t\xc3\xaftle\033\\\xe6\x97\xa5\033[2;3Hc\033P$qr\033\\";
    for (size_t cut = 1; cut < sizeof text - 1; cut++) {
        struct screen s;
        screen_open(&s);
        vt_feed(s.vt, text, cut);
        vt_feed(s.vt, text + cut, sizeof text - 1 - cut);
        CHECK_ROW(&s, 0, "ab日");
        CHECK_ROW(&s, 1, "  c");
        CHECK_SPAN(vt_title(s.vt), "tïtle");
        CHECK_INT(cell_at(&s, 0, 1).foreground.value, 1);
        CHECK_HEARD(&s, "title tïtle\nreply \033P1$r1;4r\033\\\n");
        screen_close(&s);
    }
}

TEST(malformed_text_is_dropped) {
    struct screen s;
    screen_open(&s);
    feed(&s, "a\xff\x80\xc3(\xe2\x82z\xed\xa0\x80\xf5\x80\x80\x80\xc0\xaf\xef\xbb\xbf\xe2\x82\xac");
    CHECK_ROW(&s, 0, "a(z€");
    screen_close(&s);
}

TEST(controls_act_within_a_sequence) {
    struct screen s;
    screen_open(&s);
    feed(&s, "abc\033[2\rCx");
    CHECK_ROW(&s, 0, "abx");
    screen_close(&s);
}

TEST(can_and_escape_break_off) {
    struct screen s;
    screen_open(&s);
    feed(&s, "\033[31\030mx\033]2;lost\032\033[1\033[2Cy");
    CHECK_ROW(&s, 0, "mx  y");
    CHECK_SPAN(vt_title(s.vt), "");
    screen_close(&s);
}

TEST(c1_controls_come_as_characters) {
    struct screen s;
    screen_open(&s);
    feed(&s, "\xc2\x9b"
             "3Cx\xc2\x85y\xc2\x9d"
             "2;name\xc2\x9c");
    CHECK_ROW(&s, 0, "   x");
    CHECK_ROW(&s, 1, "y");
    CHECK_SPAN(vt_title(s.vt), "name");
    screen_close(&s);
}

TEST(what_nobody_knows_shows_nothing) {
    struct screen s;
    screen_open(&s);
    feed(&s, "\033[?5;6$~\033[>4;2m\033_apc\033\\\033^pm\033\\\033P1;2|ab\033\\\033]9999;x\a\033[99z\033%Z.");
    CHECK_ROW(&s, 0, ".");
    screen_close(&s);
}

TEST(numbers_without_end_are_the_largest) {
    struct screen s;
    screen_open(&s);
    feed(&s, "\033[99999999999999999999999;99999999999999Hx\033[999999999999999999D\033[4294967297Cy");
    CHECK_ROW(&s, 3, "         y");
    screen_close(&s);
}

TEST(parameters_without_end_are_ignored) {
    struct screen s;
    screen_open(&s);
    feed(&s, "\033[");
    for (int i = 0; i < 5000; i++)
        feed(&s, "1;4:3:");
    feed(&s, "31mx");
    CHECK_ROW(&s, 0, "x");
    CHECK(cell_at(&s, 0, 0).attrs & VT_BOLD);
    screen_close(&s);
}

TEST(a_string_that_is_too_long_is_swallowed_whole) {
    struct screen s;
    screen_open(&s);
    size_t before = vt_memory(s.vt);
    feed(&s, "\033]2;");
    for (int i = 0; i < VT_OSC_BYTES_MAX; i++)
        feed(&s, "xy");
    CHECK(vt_memory(s.vt) < before + 2 * VT_OSC_BYTES_MAX);
    feed(&s, "\ashown");
    CHECK_ROW(&s, 0, "shown");
    CHECK_SPAN(vt_title(s.vt), "");
    CHECK(vt_memory(s.vt) < before + 4096);
    screen_close(&s);
}

TEST(after_a_gap_it_begins_anew) {
    struct screen s;
    screen_open(&s);
    feed(&s, "\033]2;half of a ti");
    vt_gap(s.vt);
    feed(&s, "text\033[3");
    vt_gap(s.vt);
    feed(&s, "1m\xe6\x97");
    vt_gap(s.vt);
    feed(&s, "\xa5");
    CHECK_ROW(&s, 0, "text1m");
    CHECK_SPAN(vt_title(s.vt), "");
    screen_close(&s);
}

TESTS(RUN(sequences_are_whole_however_they_are_cut), RUN(malformed_text_is_dropped),
      RUN(controls_act_within_a_sequence), RUN(can_and_escape_break_off), RUN(c1_controls_come_as_characters),
      RUN(what_nobody_knows_shows_nothing), RUN(numbers_without_end_are_the_largest),
      RUN(parameters_without_end_are_ignored), RUN(a_string_that_is_too_long_is_swallowed_whole),
      RUN(after_a_gap_it_begins_anew))
