#include "term/shell_ready.h"
#include "test.h"

/* What is known once `output` has settled. */
static enum shell_ready_state settled(const char *output) {
    static struct shell_ready s;
    shell_ready_init(&s, 1000, SHELL_READY_LOCAL_MS);
    shell_ready_output(&s, span_str(output), 1500);
    CHECK_INT(shell_ready_look(&s, 1599), SHELL_WAITING);
    CHECK_INT(shell_ready_next_ms(&s), 1600);
    return shell_ready_look(&s, 1600);
}

TEST(prompts_are_recognised) {
    static const char *const prompts[] = {
        "$ ",
        "# ",
        "user@host:~$ ",
        "host% ",
        "fish> ",
        "PS C:\\>",
        "Last login: today\r\n\r\nuser@host:~$ ",
        "$ \r\n\r\n   ",
        "\033[1;32muser@host\033[0m:\033[1;34m~\033[0m$ ",
        "\033]0;user@host: ~\007\033[01;32muser@host\033[00m$ ",
        "\033]133;A\033\\$ \033]133;B\033\\",
        "\033[?2004huser@host:~# ",
        "caf\xC3\xA9 \xE2\x9E\x9C ~ % \033[K\033[?2004h",
    };
    for (size_t i = 0; i < ARRAY_LEN(prompts); i++)
        if (settled(prompts[i]) != SHELL_READY) fail_msg("not seen as a prompt: %s", prompts[i]);
}

TEST(other_lines_are_not) {
    static const char *const lines[] = {
        "\r\n\r\n",        "Password: ",        "Welcome to <host>\r\nLast login: today\r\n",
        "Costs 5 $ today", "\033]0;title$\007", "\033[32$",
        "loading...\r\n",
    };
    for (size_t i = 0; i < ARRAY_LEN(lines); i++)
        if (settled(lines[i]) != SHELL_WAITING) fail_msg("seen as a prompt: %s", lines[i]);
}

TEST(a_line_is_what_stands_there_in_the_end) {
    /* zsh marks an unfinished line and writes over the mark. */
    CHECK_INT(settled("\033[7m%\033[27m                \r \r"), SHELL_WAITING);
    CHECK_INT(settled("\033[7m%\033[27m                \r \r\r\033[0m\033[J~ % \033[K"), SHELL_READY);
    CHECK_INT(settled("loading > done\r$ \033[K"), SHELL_READY);
    CHECK_INT(settled("$ x\b\033[K"), SHELL_READY);
    CHECK_INT(settled("~> \033[K\r\033[3C"), SHELL_READY);
}

TEST(a_prompt_is_short) {
    char line[SHELL_READY_LINE_MAX + 2] = {0};
    memset(line, 'a', SHELL_READY_LINE_MAX);
    line[SHELL_READY_LINE_MAX - 1] = '$';
    CHECK_INT(settled(line), SHELL_WAITING);
    line[SHELL_READY_LINE_MAX - 2] = '$';
    line[SHELL_READY_LINE_MAX - 1] = ' ';
    CHECK_INT(settled(line), SHELL_READY);
    char wide[2 * SHELL_READY_LINE_MAX + 1] = {0}; /* characters count, not bytes */
    for (size_t i = 0; i < SHELL_READY_LINE_MAX - 2; i++) {
        wide[2 * i] = '\xC3';
        wide[2 * i + 1] = '\xA9';
    }
    wide[2 * (SHELL_READY_LINE_MAX - 2)] = '>';
    CHECK_INT(settled(wide), SHELL_READY);
}

TEST(only_silence_counts) {
    static struct shell_ready s;
    shell_ready_init(&s, 0, SHELL_READY_LOCAL_MS);
    CHECK_INT(shell_ready_next_ms(&s), SHELL_READY_LOCAL_MS);
    for (int64_t at = 10; at < 1000; at += 90) { /* a message of the day with lines that look like prompts */
        shell_ready_output(&s, SPAN("see <https://example.org>\r\n"), at);
        CHECK_INT(shell_ready_next_ms(&s), at + SHELL_READY_SETTLE_MS);
        CHECK_INT(shell_ready_look(&s, at + 89), SHELL_WAITING);
    }
    shell_ready_output(&s, SPAN("still busy\r\n"), 1000);
    CHECK_INT(shell_ready_look(&s, 1100), SHELL_WAITING);
    CHECK_INT(shell_ready_next_ms(&s), SHELL_READY_LOCAL_MS);
    shell_ready_output(&s, SPAN("user@ho"), 1200);
    shell_ready_output(&s, SPAN("st:~\033[0"), 1210);
    shell_ready_output(&s, SPAN("m$ "), 1220);
    CHECK_INT(shell_ready_look(&s, 1319), SHELL_WAITING);
    CHECK_INT(shell_ready_look(&s, 1320), SHELL_READY);
    CHECK_INT(shell_ready_look(&s, 99999), SHELL_READY);
}

TEST(waiting_ends) {
    static struct shell_ready s;
    shell_ready_init(&s, 1000, SHELL_READY_REMOTE_MS);
    shell_ready_output(&s, SPAN("Password: "), 1100);
    CHECK_INT(shell_ready_look(&s, 15999), SHELL_WAITING);
    CHECK_INT(shell_ready_look(&s, 16000), SHELL_TIMED_OUT);
    shell_ready_output(&s, SPAN("$ "), 16001);
    shell_ready_exited(&s);
    CHECK_INT(shell_ready_look(&s, 17000), SHELL_TIMED_OUT);

    shell_ready_init(&s, 0, SHELL_READY_LOCAL_MS);
    shell_ready_output(&s, SPAN("$ "), 10);
    shell_ready_exited(&s);
    CHECK_INT(shell_ready_look(&s, 110), SHELL_GONE);
}

TEST(the_newest_bytes_are_kept) {
    static struct shell_ready s;
    static char flood[3 * SHELL_READY_BYTES];
    memset(flood, 'x', sizeof flood);
    shell_ready_init(&s, 0, SHELL_READY_LOCAL_MS);
    shell_ready_output(&s, span_of(flood, sizeof flood), 1);
    shell_ready_output(&s, SPAN("\r\n$ "), 2);
    CHECK_INT(s.n, SHELL_READY_BYTES);
    CHECK_INT(shell_ready_look(&s, 102), SHELL_READY);
}

TESTS(RUN(prompts_are_recognised), RUN(other_lines_are_not), RUN(a_line_is_what_stands_there_in_the_end),
      RUN(a_prompt_is_short), RUN(only_silence_counts), RUN(waiting_ends), RUN(the_newest_bytes_are_kept))
