#include "base/buf.h"
#include "base/cleanup.h"
#include "term/escape.h"
#include "test.h"

/* A letter a byte: t(ext), c(ontrol), o(sc), p(art). */
static const char *kinds(struct span bytes) {
    static char out[256];
    enum escape_state state = ESCAPE_GROUND;
    for (size_t i = 0; i < bytes.n; i++)
        out[i] = "tcop"[escape_step(&state, (unsigned char)bytes.p[i])];
    out[bytes.n] = 0;
    return out;
}

TEST(text_is_what_is_no_sequence) {
    CHECK_STR(kinds(SPAN("ab\r\n\tc")), "ttccct");
    CHECK_STR(kinds(SPAN("\xE2\x82\xAC")), "ttt");
    CHECK_STR(kinds(SPAN("a\177b")), "tct");
}

TEST(sequences_end_where_they_end_on_the_screen) {
    CHECK_STR(kinds(SPAN("\033[1;31mx")), "pppppppt");
    CHECK_STR(kinds(SPAN("\033[?25hx")), "ppppppt");
    CHECK_STR(kinds(SPAN("\033(Bx")), "pppt");
    CHECK_STR(kinds(SPAN("\0337x")), "ppt");
    CHECK_STR(kinds(SPAN("\033=x")), "ppt");
    CHECK_STR(kinds(SPAN("\033#8x")), "pppt");
}

TEST(strings_end_with_their_terminator) {
    CHECK_STR(kinds(SPAN("\033]0;ab\007x")), "ppoooopt");
    CHECK_STR(kinds(SPAN("\033]0;ab\033\\x")), "ppoooo"
                                               "ppt");
    CHECK_STR(kinds(SPAN("\033Pq#0\033\\x")), "ppppp"
                                              "ppt");
    CHECK_STR(kinds(SPAN("\033_Gab\007c\033\\x")), "ppppppp"
                                                   "ppt");
}

TEST(controls_work_inside_and_some_break_off) {
    CHECK_STR(kinds(SPAN("\033[3\n1mx")), "pppcppt");
    CHECK_STR(kinds(SPAN("\033[3\030mx")), "pppctt");
    CHECK_STR(kinds(SPAN("\033]0;a\032bx")), "ppooo"
                                             "ctt");
    CHECK_STR(kinds(SPAN("\033[3\033[4mx")), "ppp"
                                             "ppppt");
}

TESTS(RUN(text_is_what_is_no_sequence), RUN(sequences_end_where_they_end_on_the_screen),
      RUN(strings_end_with_their_terminator), RUN(controls_work_inside_and_some_break_off))
