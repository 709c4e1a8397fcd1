/* Where the next prompt is typed, on the screens of the real CLIs. */
#include "core/input_box.h"

#include "screen_file.h"

#include <errno.h>

/* The rows of a text, the last one first. */
static size_t read_rows(const char *screen, struct span rows[DIALOG_ROWS]) {
    struct span all[DIALOG_ROWS], rest = span_str(screen);
    size_t count = 0;
    while (rest.n)
        all[count++] = span_split(&rest, '\n');
    for (size_t i = 0; i < count; i++)
        rows[i] = all[count - 1 - i];
    return count;
}

static bool is_empty(enum cli cli, const char *screen) {
    struct span rows[DIALOG_ROWS];
    size_t count = read_rows(screen, rows);
    return input_box_is_empty(cli, rows, count);
}

TEST(an_empty_place_is_known_in_each_cli) {
    CHECK(is_empty(CLI_CLAUDE, "──────\n❯\xc2\xa0\n──────\n  ? for shortcuts\n\n"));
    CHECK(is_empty(CLI_CLAUDE, "──────\n❯ Try \"fix it\"\n──────\n  ? for shortcuts"));
    CHECK(is_empty(CLI_CODEX,
                   "• Working (0s • esc to interrupt)\n› Ask Codex to do anything\n  ? for shortcuts"));
    CHECK(is_empty(CLI_GEMINI, "▄▄▄▄\n >   Type your message or @path/to/file\n▀▀▀▀\n ~/project\n\n\n\n"));
    CHECK(is_empty(CLI_COPILOT, "╻────\n┃\n╹────\n ? help"));
    CHECK(is_empty(CLI_OPENCODE, "     I will.\n  ┃\n  ┃\n  ┃\n  ┃  Build · Scripted\n  ╹▀▀▀\n   ~/project"));
    CHECK(is_empty(CLI_OPENCODE, "x\n  ┃\n  ┃  Ask anything… \"What?\"\n  ┃\n  ┃  Build · Scripted\n  ╹▀▀▀"));
}

TEST(what_somebody_has_typed_is_not_typed_over) {
    CHECK(!is_empty(CLI_CLAUDE, "──────\n❯ mine\n──────\n  ? for shortcuts"));
    CHECK(!is_empty(CLI_CLAUDE, "❯ Please\n● I will.\n"));
    CHECK(!is_empty(CLI_CODEX, "› mine\n  ? for shortcuts"));
    CHECK(!is_empty(CLI_GEMINI, " > mine\n▀▀▀▀"));
    CHECK(!is_empty(CLI_COPILOT, "╻────\n┃ mine\n╹────\n ? help"));
    CHECK(!is_empty(CLI_OPENCODE, "x\n  ┃\n  ┃  mine\n  ┃\n  ┃  Build · Scripted\n  ╹▀▀▀"));
    CHECK(!is_empty(CLI_CLAUDE, ""));
}

TEST(a_dialog_is_no_place_to_type) {
    static const char *const names[] = {"gemini-shell",       "copilot-shell", "copilot-other-0",
                                        "claude-shell",       "codex-shell",   "claude-question",
                                        "opencode-shell-long"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct screen_file s = screen_file_read(names[i]);
        if (input_box_is_empty(s.cli, s.rows, s.count)) fail_msg("%s is a dialog", names[i]);
        screen_file_fini(&s);
    }
}

TEST(who_works_says_how_it_is_interrupted) {
    static const struct {
        const char *screen;
        enum cli cli;
        bool yes;
    } cases[] = {{"  manual mode on · esc to interrupt · ← for agents", CLI_CLAUDE, true},
                 {"  manual mode on · ? for shortcuts", CLI_CLAUDE, false},
                 {"• Working (0s • esc to interrupt)\n› Ask Codex to do anything", CLI_CODEX, true},
                 {" Thinking (esc to cancel, 3s)\n > ", CLI_GEMINI, true},
                 {" ● Working · 331 B esc esc interrupt", CLI_COPILOT, true},
                 {"   ⬝⬝  esc again to interrupt", CLI_OPENCODE, true},
                 {"   ~/project   ctrl+p commands", CLI_OPENCODE, false}};
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct span rows[DIALOG_ROWS], key;
        size_t count = read_rows(cases[i].screen, rows);
        CHECK_INT(input_box_can_interrupt(cases[i].cli, rows, count, &key), cases[i].yes);
    }
}

TEST(a_prompt_is_pasted_without_control_characters) {
    struct buf keys = BUF_INIT(1024);
    CHECK_INT(input_box_put(&keys, SPAN(" a\n\tb\x1b[201~c\x7f "), true), 0);
    CHECK_SPAN(buf_span(&keys), "\x1b[200~a\r    b[201~c\x1b[201~");
    buf_clear(&keys);
    CHECK_INT(input_box_put(&keys, SPAN("one\ntwo"), false), -EINVAL);
    CHECK_INT(input_box_put(&keys, SPAN(" \n "), true), -EINVAL);
    CHECK_INT(input_box_put(&keys, SPAN("\xff"), true), -EINVAL);
    buf_fini(&keys);
}

TESTS(RUN(an_empty_place_is_known_in_each_cli), RUN(what_somebody_has_typed_is_not_typed_over),
      RUN(a_dialog_is_no_place_to_type), RUN(who_works_says_how_it_is_interrupted),
      RUN(a_prompt_is_pasted_without_control_characters))
