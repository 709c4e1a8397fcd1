/* Which screens ask something; the rows are those of the real programs. */
#include "core/screen_rule.h"

#include "test.h"

/* The rows of a text, the last one first. */
static bool asks(enum cli cli, const char *screen, const char *question) {
    struct span rows[SCREEN_RULE_ROWS], rest = span_str(screen), found = SPAN_NONE;
    size_t count = 0;
    while (rest.n)
        rows[count++] = span_split(&rest, '\n');
    for (size_t i = 0; i < count / 2; i++) {
        struct span row = rows[i];
        rows[i] = rows[count - 1 - i];
        rows[count - 1 - i] = row;
    }
    bool yes = screen_rule_asks(cli, rows, count, &found);
    return yes && question ? span_eq_str(found, question) : yes;
}

static const char trust[] =
    " Accessing workspace:\n /srv/app\n"
    " Quick safety check: Is this a project you created or one you trust? (Like your own code,\n"
    " project, or work from your team).\n\n ❯ No, exit\n   Yes, I trust this folder\n\n"
    " Enter to confirm · Esc to cancel\n\n\n";

TEST(dialogs_are_known_by_their_foot) {
    CHECK(asks(CLI_CLAUDE, trust,
               "Quick safety check: Is this a project you created or one you trust? (Like your own code,"));
    CHECK(asks(CLI_CODEX,
               "  Would you like to run the following command?\n  $ touch a\n› 1. Yes, proceed (y)\n"
               "  3. No (esc)\n\n  Press enter to confirm or esc to cancel\n",
               "Would you like to run the following command?"));
    CHECK(
        asks(CLI_CODEX, "Implement this plan?\n› 1. Yes\n\nenter select · esc back", "Implement this plan?"));
    CHECK(asks(
        CLI_GEMINI,
        "│ Allow execution of [Shell]?      │\n│ ● 1. Allow once    │\n│   3. No, suggest changes (esc) │\n╰──╯",
        "Allow execution of [Shell]?"));
    CHECK(asks(CLI_COPILOT,
               "│ Do you want to run this command? │\n↑/↓ to navigate · enter to select · esc to cancel\n",
               "Do you want to run this command?"));
    CHECK(asks(CLI_OPENCODE,
               "┃ △ Permission required\n┃ Allow once   Allow always   Reject   ⇆ select  enter confirm",
               "It asks something in its terminal"));
}

TEST(what_is_above_a_dialog_is_not_its_question) {
    CHECK(asks(
        CLI_COPILOT,
        "   └ Prefer a visual workspace? Try out the app\n ❯ Please\n╭────────╮\n│ Plan Ready for Review │\n"
        "│ ─────────── │\n│ ❯ 1. Accept it │\n│   2. Suggest changes │\n"
        "│ ↑/↓ to navigate · enter to select · esc to cancel │\n╰────────╯",
        "Plan Ready for Review"));
}

TEST(what_an_agent_only_writes_about_a_dialog_is_none) {
    CHECK(!asks(CLI_CODEX, trust, NULL));
    CHECK(
        !asks(CLI_CLAUDE,
              "● It says: Enter to confirm · Esc to cancel\nand then\n─────\n❯ \n─────\n  ? for shortcuts\n",
              NULL));
    CHECK(!asks(CLI_CODEX, "› Ask Codex to do anything\n  ? for shortcuts", NULL));
    CHECK(!asks(CLI_CLAUDE, "", NULL));
}

TESTS(RUN(dialogs_are_known_by_their_foot), RUN(what_is_above_a_dialog_is_not_its_question),
      RUN(what_an_agent_only_writes_about_a_dialog_is_none))
