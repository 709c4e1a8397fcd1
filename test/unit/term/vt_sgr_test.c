#include "vt_check.h"

TEST(attributes) {
    struct screen s;
    screen_open(&s);
    feed(&s, "\033[1;2;3;5;7;8;9;53ma\033[22;23;25;27;28;29;55mb");
    CHECK_INT(cell_at(&s, 0, 0).attrs,
              VT_BOLD | VT_DIM | VT_ITALIC | VT_BLINK | VT_INVERSE | VT_INVISIBLE | VT_STRIKE | VT_OVERLINE);
    CHECK_INT(cell_at(&s, 0, 1).attrs, 0);
    screen_close(&s);
}

static void check_color(struct vt_color color, unsigned kind, unsigned value) {
    CHECK_INT(color.kind, kind);
    CHECK_INT(color.value, value);
}

TEST(colours_in_every_syntax) {
    static const struct {
        const char *sgr;
        unsigned kind, value;
    } cases[] = {
        {"31", 1, 1},
        {"97", 1, 15},
        {"38;5;200", 1, 200},
        {"38:5:201", 1, 201},
        {"38;2;1;2;3", 2, 0x010203},
        {"38:2::1:2:4", 2, 0x010204},
        {"38:2:1:2:3:5", 2, 0x020305}, /* the first is the colour space */
        {"38;2;1;2;3;39", 0, 0},
        {"38;2", 2, 0},
        {"38;7;5", 0, 0},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct screen s;
        screen_open(&s);
        feed(&s, "\033[");
        feed(&s, cases[i].sgr);
        feed(&s, "mx");
        check_color(cell_at(&s, 0, 0).foreground, cases[i].kind, cases[i].value);
        screen_close(&s);
    }
}

TEST(underlines_have_kinds_and_colours) {
    struct screen s;
    screen_open(&s);
    feed(&s, "\033[4:3;58;2;9;8;7ma\033[21mb\033[59mc\033[4:0md\033[4me\033[24mf");
    CHECK_INT(cell_at(&s, 0, 0).underline, 3);
    check_color(cell_at(&s, 0, 0).underline_color, 2, 0x090807);
    CHECK_INT(cell_at(&s, 0, 1).underline, 2);
    check_color(cell_at(&s, 0, 2).underline_color, 0, 0);
    CHECK_INT(cell_at(&s, 0, 3).underline, 0);
    CHECK_INT(cell_at(&s, 0, 4).underline, 1);
    CHECK_INT(cell_at(&s, 0, 5).underline, 0);
    screen_close(&s);
}

TEST(more_styles_than_fit_are_near_ones) {
    struct screen s;
    screen_open_sized(&s, 1000, 100, 10);
    for (unsigned i = 0; i < 200000; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, "\033[38;2;%u;%u;%u;48;2;%u;0;0mx", i & 255, i >> 8 & 255, i >> 16,
                       i % 7);
        feed(&s, text);
    }
    CHECK(vt_memory(s.vt) < 16 << 20);
    feed(&s, "\033[2J\033[3J\033[H\033[38;2;1;2;3mx");
    check_color(cell_at(&s, 0, 0).foreground, 2, 0x010203);
    screen_close(&s);
}

TESTS(RUN(attributes), RUN(colours_in_every_syntax), RUN(underlines_have_kinds_and_colours),
      RUN(more_styles_than_fit_are_near_ones))
