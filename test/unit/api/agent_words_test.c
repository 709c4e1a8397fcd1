/* What is said again of a command line, CLI by CLI. Words are separated by '|'. */
#include "api/agent_words.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/str.h"
#include "test.h"

#include <errno.h>

static char **split(const char *line) {
    char **words = NULL;
    struct span rest = span_str(line);
    for (size_t n = 0; n == 0 || rest.n; n++)
        strv_push(&words, span_split(&rest, '|'));
    return words;
}

static void check_words(char *const *words, const char *expected) {
    AUTO(buf) struct buf line = BUF_INIT(64 << 10);
    for (size_t i = 0; words[i]; i++)
        (void)buf_printf(&line, "%s%s", i ? "|" : "", words[i]);
    CHECK_STR(line.p, expected);
}

struct resumed {
    const char *started, *resumed;
};

static void check_resumed(enum cli cli, const struct resumed *cases, size_t n) {
    for (size_t i = 0; i < n; i++) {
        AUTO(strv) char **words = split(cases[i].started);
        AUTO(strv) char **again = agent_words_again(cli, (const char *const *)words);
        agent_words_resume(&again, cli, SPAN("ID"));
        check_words(again, cases[i].resumed);
        /* What was resumed is resumed again in the same way. */
        AUTO(strv) char **twice = agent_words_again(cli, (const char *const *)again);
        agent_words_resume(&twice, cli, SPAN("ID"));
        check_words(twice, cases[i].resumed);
    }
}

TEST(claude_keeps_its_options) {
    const struct resumed cases[] = {
        {"claude", "claude|--resume|ID"},
        {"/opt/bin/claude|fix the bug", "/opt/bin/claude|--resume|ID"},
        {"claude|--model|opus|--dangerously-skip-permissions|fix the bug",
         "claude|--model|opus|--dangerously-skip-permissions|--resume|ID"},
        {"claude|fix the bug|--permission-mode|plan|--effort=high",
         "claude|--permission-mode|plan|--effort=high|--resume|ID"},
        {"claude|--resume|other|--fork-session|-c|--session-id|u|--model=x", "claude|--model=x|--resume|ID"},
        {"claude|-r|--verbose", "claude|--verbose|--resume|ID"},
        {"claude|-rother|go on", "claude|--resume|ID"},
        {"claude|-p|fix the bug|--output-format|json|--max-turns|3|--model|opus",
         "claude|--model|opus|--resume|ID"},
        {"claude|--add-dir|/a|/b|--allowedTools|Bash(git *)|Edit|--|fix the bug",
         "claude|--add-dir|/a|/b|--allowedTools|Bash(git *)|Edit|--resume|ID"},
        {"claude|--append-system-prompt|-be brief-|hello",
         "claude|--append-system-prompt|-be brief-|--resume|ID"},
        {"claude|-w|feature|--tmux=classic|--settings|{}|prompt", "claude|--settings|{}|--resume|ID"},
        {"claude|--bg|do it|-n|night", "claude|-n|night|--resume|ID"},
        {"claude|--from-the-future|fix the bug|--model|opus", "claude|--model|opus|--resume|ID"},
        {"claude|--from-the-future|--its-value=7|-", "claude|--from-the-future|--its-value=7|--resume|ID"},
    };
    check_resumed(CLI_CLAUDE, cases, ARRAY_LEN(cases));
    /* An option without its value takes the next word, as the CLI itself would have it. */
    AUTO(strv) char **words = split("claude|--model");
    AUTO(strv) char **again = agent_words_again(CLI_CLAUDE, (const char *const *)words);
    check_words(again, "claude|--model");
}

TEST(codex_keeps_its_options) {
    const struct resumed cases[] = {
        {"codex", "codex|resume|ID"},
        {"codex|-m|gpt-5|-a|never|-s|read-only|fix the bug",
         "codex|resume|ID|-m|gpt-5|-a|never|-s|read-only"},
        {"codex|--yolo|-c|model_reasoning_effort=high|-mgpt-5",
         "codex|resume|ID|--yolo|-c|model_reasoning_effort=high|-mgpt-5"},
        {"codex|resume|OLD|go on|--no-daemon", "codex|resume|ID|--no-daemon"},
        {"codex|resume|--last|--all|-C|sub", "codex|resume|ID|-C|sub"},
        {"codex|fork|OLD|--search", "codex|resume|ID|--search"},
        {"codex|exec|--json|--color|never|-o|out.txt|--sandbox|workspace-write|fix the bug",
         "codex|resume|ID|--sandbox|workspace-write"},
        {"codex|-i|a.png|b.png|what is this?", "codex|resume|ID"},
        {"codex|--dangerously-bypass-approvals-and-sandbox|--|-m|is no option here",
         "codex|resume|ID|--dangerously-bypass-approvals-and-sandbox"},
    };
    check_resumed(CLI_CODEX, cases, ARRAY_LEN(cases));
}

TEST(gemini_keeps_its_options) {
    const struct resumed cases[] = {
        {"gemini", "gemini|--resume|ID"},
        {"gemini|-m|pro|--yolo|fix the bug", "gemini|-m|pro|--yolo|--resume|ID"},
        {"gemini|-ys|-i|fix the bug", "gemini|-y|-s|--resume|ID"},
        {"gemini|-p|fix the bug|--output-format=json|--approval-mode|auto_edit",
         "gemini|--approval-mode|auto_edit|--resume|ID"},
        {"gemini|-r|latest|--include-directories|/a|/b", "gemini|--include-directories|/a|/b|--resume|ID"},
        {"gemini|--session-id|u|-w|--debug", "gemini|--debug|--resume|ID"},
    };
    check_resumed(CLI_GEMINI, cases, ARRAY_LEN(cases));
}

TEST(opencode_keeps_its_options) {
    const struct resumed cases[] = {
        {"opencode", "opencode|--session|ID"},
        {"opencode|/p/alpha|-m|anthropic/opus|--agent|build",
         "opencode|/p/alpha|-m|anthropic/opus|--agent|build|--session|ID"},
        {"opencode|alpha|--prompt|fix the bug|--auto",
         "opencode|--auto|--session|ID"}, /* it has gone there */
        {"opencode|-s|OLD|--fork|-c", "opencode|--session|ID"},
        {"opencode|run|fix|the|bug|--model|a/b|--format|json", "opencode|--model|a/b|--session|ID"},
    };
    check_resumed(CLI_OPENCODE, cases, ARRAY_LEN(cases));
}

TEST(copilot_keeps_its_options) {
    const struct resumed cases[] = {
        {"copilot", "copilot|--resume=ID"},
        {"copilot|--model|gpt-5|--yolo|-i|fix the bug", "copilot|--model|gpt-5|--yolo|--resume=ID"},
        {"copilot|-p|fix the bug|--allow-all-tools|-s", "copilot|--allow-all-tools|--resume=ID"},
        {"copilot|--resume|OLD|--continue|--session-id=x|-n|name", "copilot|--resume=ID"},
        {"copilot|-C|/p/alpha|--plan", "copilot|-C|/p/alpha|--plan|--resume=ID"},
        {"copilot|-C|alpha|--plan", "copilot|--plan|--resume=ID"},
        {"copilot|--allow-tool=shell(git:*)|--deny-tool|write|shell(rm)",
         "copilot|--allow-tool=shell(git:*)|--deny-tool|write|shell(rm)|--resume=ID"},
    };
    check_resumed(CLI_COPILOT, cases, ARRAY_LEN(cases));
}

static int choose(const char *line, const char *model, const char *effort, const char *expected) {
    AUTO(strv) char **words = split(line);
    struct err err = {0};
    int r =
        agent_words_choose(&words, agent_find(span_str(words[0])), span_str(model), span_str(effort), &err);
    if (r < 0)
        CHECK_STR(err.msg, expected);
    else
        check_words(words, expected);
    return r;
}

TEST(models_and_efforts_are_told_as_each_cli_wants_them) {
    CHECK_INT(choose("claude|hi", "opus", "max", "claude|--model|opus|--effort|max|hi"), 0);
    CHECK_INT(
        choose("codex|hi", "gpt-5", "minimal", "codex|--model|gpt-5|-c|model_reasoning_effort=minimal|hi"),
        0);
    CHECK_INT(choose("gemini", "pro", "", "gemini|--model|pro"), 0);
    CHECK_INT(choose("opencode", "anthropic/opus", "", "opencode|--model|anthropic/opus"), 0);
    CHECK_INT(choose("copilot", "", "xhigh", "copilot|--effort|xhigh"), 0);
    CHECK_INT(choose("claude|--model|x", "", "", "claude|--model|x"), 0);
}

TEST(what_a_cli_does_not_know_is_refused_in_words) {
    CHECK_INT(choose("gemini", "", "high", "effortLevel: gemini cannot be told one on its command line"),
              -EINVAL);
    CHECK_INT(choose("opencode", "", "high", "effortLevel: opencode cannot be told one on its command line"),
              -EINVAL);
    CHECK_INT(choose("claude", "", "enormous", "effortLevel: claude knows low, medium, high, xhigh, max"),
              -EINVAL);
    CHECK_INT(
        choose("aider", "opus", "", "model: how aider is told one is not known here: say it in command"),
        -EINVAL);
    CHECK_INT(choose("aider", "", "high", "effortLevel: aider cannot be told one on its command line"),
              -EINVAL);
    CHECK_INT(choose("claude", "--yolo", "", "model must be one word, and no option"), -EINVAL);
    CHECK_INT(choose("claude", "two words", "", "model must be one word, and no option"), -EINVAL);
    CHECK_INT(choose("claude|--model=x", "opus", "", "model: the command line has one already"), -EINVAL);
    CHECK_INT(choose("codex|-mx", "opus", "", "model: the command line has one already"), -EINVAL);
    CHECK_INT(choose("codex|-c|model_reasoning_effort=low", "", "high",
                     "effortLevel: the command line has one already"),
              -EINVAL);
    CHECK_INT(
        choose("copilot|--reasoning-effort|low", "", "high", "effortLevel: the command line has one already"),
        -EINVAL);
}

TESTS(RUN(claude_keeps_its_options), RUN(codex_keeps_its_options), RUN(gemini_keeps_its_options),
      RUN(opencode_keeps_its_options), RUN(copilot_keeps_its_options),
      RUN(models_and_efforts_are_told_as_each_cli_wants_them),
      RUN(what_a_cli_does_not_know_is_refused_in_words))
