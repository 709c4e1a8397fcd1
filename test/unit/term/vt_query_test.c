#include "vt_check.h"

static void check_answer(const char *question, const char *answer) {
    struct screen s;
    screen_open(&s);
    vt_set_colors(s.vt, 0xd0d1d2, 0x101112);
    char want[256];
    (void)snprintf(want, sizeof want, *answer ? "reply %s\n" : "%s", answer);
    feed(&s, question);
    CHECK_HEARD(&s, want);
    screen_close(&s);
}

TEST(what_programs_ask) {
    check_answer("\033[c", "\033[?1;2c");
    check_answer("\033[>c", "\033[>0;276;0c");
    check_answer("\033[>q", "\033P>|ostler(" OSTLER_VERSION ")\033\\");
    check_answer("\033[5n", "\033[0n");
    check_answer("\033[3;4H\033[6n", "\033[3;4R");
    check_answer("\033[3;4H\033[?6n", "\033[?3;4R");
    check_answer("\033[18t", "\033[8;4;10t");
    check_answer("\033[21t", "");
    check_answer("\033[?2026$p", "\033[?2026;2$y");
    check_answer("\033[?2004h\033[?2004$p", "\033[?2004;1$y");
    check_answer("\033[?12345$p", "\033[?12345;0$y");
    check_answer("\033[4$p", "\033[4;2$y");
    check_answer("\033[2;3r\033P$qr\033\\", "\033P1$r2;3r\033\\");
    check_answer("\033[1;48:2::1:2:3m\033P$qm\033\\", "\033P1$r0;1;48;2;1;2;3m\033\\");
    check_answer("\033[5 q\033P$q q\033\\", "\033P1$r5 q\033\\");
    check_answer("\033P$qx\033\\", "\033P0$r\033\\");
    check_answer("\033P+q544e\033\\", "\033P0+r\033\\");
    check_answer("\033[?996n", "\033[?997;1n");
}

TEST(colours_are_told_and_set) {
    check_answer("\033]10;?\a", "\033]10;rgb:d0d0/d1d1/d2d2\033\\");
    check_answer("\033]11;?\033\\", "\033]11;rgb:1010/1111/1212\033\\");
    check_answer("\033]11;#abc\a\033]11;?\a", "\033]11;rgb:a0a0/b0b0/c0c0\033\\");
    check_answer("\033]11;rgb:ff/80/00\a\033]111\a\033]11;?\a", "\033]11;rgb:1010/1111/1212\033\\");
    check_answer("\033]4;1;rgb:1/2/3\a\033]4;1;?\a", "\033]4;1;rgb:1111/2222/3333\033\\");
    check_answer("\033]4;196;?\a", "\033]4;196;rgb:ffff/0000/0000\033\\");
    check_answer("\033]10;nonsense\a\033]10;?\a", "\033]10;rgb:d0d0/d1d1/d2d2\033\\");
}

TEST(what_is_replayed_is_not_answered) {
    struct screen s;
    screen_open(&s);
    vt_set_answering(s.vt, false);
    feed(&s, "\033[6n\033[c\033]10;?\a");
    CHECK_HEARD(&s, "");
    vt_set_answering(s.vt, true);
    feed(&s, "\033[6n");
    CHECK_HEARD(&s, "reply \033[1;1R\n");
    screen_close(&s);
}

TESTS(RUN(what_programs_ask), RUN(colours_are_told_and_set), RUN(what_is_replayed_is_not_answered))
