#include "vt_check.h"

TEST(titles) {
    struct screen s;
    screen_open(&s);
    feed(&s, "\033]0;one\a\033]2;two\033\\\033]1;icon\a\033]2;two\a");
    CHECK_HEARD(&s, "title one\ntitle two\n");
    feed(&s, "\033[22;0t\033]2;three\a\033[23;0t\033[23;0t");
    CHECK_HEARD(&s, "title three\ntitle two\n");
    CHECK_SPAN(vt_title(s.vt), "two");
    screen_close(&s);
}

TEST(a_title_is_cut_at_a_character) {
    struct screen s;
    screen_open(&s);
    feed(&s, "\033]2;x");
    for (int i = 0; i < 1000; i++)
        feed(&s, "é");
    feed(&s, "\a");
    CHECK_INT(vt_title(s.vt).n, VT_TITLE_BYTES_MAX - 1);
    screen_close(&s);
}

TEST(directory_bell_and_clipboard) {
    struct screen s;
    screen_open(&s);
    feed(&s, "\033]7;file://host/tmp/a%20b\033\\\a\033]52;c;aGVsbG8=\a\033]52;c;?\a");
    CHECK_HEARD(&s, "directory file://host/tmp/a%20b\nbell \nclipboard aGVsbG8=\n");
    screen_close(&s);
}

TEST(links) {
    struct screen s;
    screen_open(&s);
    feed(
        &s,
        "\033]8;;http://a;b\033\\one\033]8;;\033\\-\033]8;id=x;http://c\ay\033]8;;\a\r\n\033]8;id=x;http://c\az");
    CHECK_SPAN(vt_link(s.vt, cell_at(&s, 0, 0).link), "http://a;b");
    CHECK_INT(cell_at(&s, 0, 3).link, 0);
    CHECK_SPAN(vt_link(s.vt, cell_at(&s, 0, 4).link), "http://c");
    CHECK_INT(cell_at(&s, 1, 0).link, cell_at(&s, 0, 4).link);
    screen_close(&s);
}

TEST(links_live_as_long_as_their_text) {
    struct screen s;
    screen_open_sized(&s, 20, 4, 1000);
    feed(&s, "\033]8;;http://kept\akept\033]8;;\a\r\n");
    for (int i = 0; i < 20000; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, "\033]8;;http://host/%d\a\rx\033]8;;\a", i);
        feed(&s, text);
        if (i % 100 == 0) feed(&s, "\r\n");
    }
    CHECK_SPAN(vt_link(s.vt, cell_at(&s, -(int)scrollback_of(&s), 0).link), "http://kept");
    CHECK(vt_memory(s.vt) < 1 << 20);
    screen_close(&s);
}

TEST(a_shell_tells_its_commands) {
    struct screen s;
    screen_open_sized(&s, 20, 4, 100);
    feed(&s, "\033]133;A\a$ \033]133;B\als -l\r\n\033]133;C\afile\r\n\033]133;D;3\a");
    CHECK_HEARD(&s, "mark 0 -1\nmark 1 -1\ncommand ls -l\nmark 2 -1\nmark 3 3\n");
    feed(&s, "\033]133;D\a");
    CHECK_HEARD(&s, "mark 3 -1\n");
    screen_close(&s);
}

TEST(a_command_goes_over_rows_and_into_the_scrollback) {
    struct screen s;
    screen_open_sized(&s, 10, 2, 100);
    feed(&s, "$ \033]133;B\aecho 0123456789abcdef\r\n> more\r\n\033]133;C\a");
    CHECK_HEARD(&s, "mark 1 -1\ncommand echo 0123456789abcdef\n> more\nmark 2 -1\n");
    screen_close(&s);
}

TEST(a_command_that_the_shell_spells_out) {
    struct screen s;
    screen_open(&s);
    feed(&s, "\033]633;B\axyz\033]633;E;echo \\x3b \\\\n;nonce\a\r\n\033]633;C\a");
    CHECK_HEARD(&s, "mark 1 -1\ncommand echo ; \\n\nmark 2 -1\n");
    screen_close(&s);
}

TESTS(RUN(titles), RUN(a_title_is_cut_at_a_character), RUN(directory_bell_and_clipboard), RUN(links),
      RUN(links_live_as_long_as_their_text), RUN(a_shell_tells_its_commands),
      RUN(a_command_goes_over_rows_and_into_the_scrollback), RUN(a_command_that_the_shell_spells_out))
