/* What the dialogs of the real CLIs offer, and which keys answer them. */
#include "core/dialog.h"

#include "screen_file.h"

#include <errno.h>

#define LONG_COMMAND                                                                                      \
    "touch second.txt && echo a very long command line that goes on and on and wraps around the width of" \
    " the terminal because it has to be read whole by whoever decides about it, really"

struct looked {
    struct screen_file screen;
    struct dialog dialog;
    bool known;
};

static struct looked look(const char *name) {
    struct looked l = {.screen = screen_file_read(name)};
    l.known = dialog_read(l.screen.cli, l.screen.rows, l.screen.count, &l.screen.arena, &l.dialog);
    return l;
}

static void done(struct looked *l) {
    screen_file_fini(&l->screen);
}

/* The keys for a wish as a text: "-" when it is not possible, "!" behind the last ones. */
static void check_keys(const char *name, struct dialog_wish wish, const char *expected) {
    struct looked l = look(name);
    if (!l.known) fail_msg("%s is not known", name);
    struct buf keys = BUF_INIT(4096);
    bool last = false;
    int r = dialog_step(&l.dialog, &wish, true, &l.screen.arena, &keys, &last);
    if (r == 0 && last) (void)buf_append_char(&keys, '!');
    if (r < 0) buf_clear(&keys);
    if (r < 0) (void)buf_append_char(&keys, '-');
    if (!span_eq_str(buf_span(&keys), expected))
        fail_msg("%s: \"%.*s\", not \"%s\"", name, SPAN_ARG(buf_span(&keys)), expected);
    buf_fini(&keys);
    done(&l);
}

static const struct dialog_wish allow = {.decision = DECISION_ALLOW};
static const struct dialog_wish always = {.decision = DECISION_ALWAYS};
static const struct dialog_wish deny = {.decision = DECISION_DENY};

static struct dialog_wish because(const char *message) {
    return (struct dialog_wish){.decision = DECISION_DENY, .message = span_str(message)};
}

static struct dialog_wish saying(const char *answers) {
    return (struct dialog_wish){.decision = DECISION_ALLOW, .answers = span_str(answers)};
}

static void check_can(const char *name, unsigned can) {
    struct looked l = look(name);
    if (!l.known) fail_msg("%s is not known", name);
    if (dialog_can(&l.dialog) != can) fail_msg("%s: can 0x%x, not 0x%x", name, dialog_can(&l.dialog), can);
    done(&l);
}

enum {
    DECIDES = CAN_ALLOW | CAN_DENY | CAN_STOP,
    ANSWERS = CAN_ANSWERS | CAN_DENY | CAN_STOP,
};

TEST(every_dialog_says_what_can_be_decided) {
    check_can("gemini-shell", DECIDES | CAN_ALWAYS);
    check_can("gemini-write", DECIDES | CAN_ALWAYS);
    check_can("gemini-plan", DECIDES | CAN_MESSAGE);
    check_can("gemini-questions-1", ANSWERS);
    check_can("gemini-multi", ANSWERS & ~CAN_ANSWERS);
    check_can("copilot-shell", DECIDES | CAN_ALWAYS | CAN_MESSAGE);
    check_can("copilot-write", DECIDES | CAN_ALWAYS | CAN_MESSAGE);
    check_can("copilot-plan", DECIDES | CAN_MESSAGE);
    check_can("copilot-question", ANSWERS);
    check_can("copilot-multi", ANSWERS);
    check_can("claude-shell", DECIDES | CAN_MESSAGE); /* a directory for good is more than was asked for */
    check_can("claude-write", DECIDES | CAN_MESSAGE);
    check_can("claude-plan", DECIDES | CAN_MESSAGE);
    check_can("claude-question", ANSWERS);
    check_can("codex-shell", DECIDES | CAN_ALWAYS);
    check_can("codex-huge", DECIDES);
    check_can("codex-question", ANSWERS);
}

TEST(approvals_are_answered_by_their_numbers) {
    check_keys("gemini-shell", allow, "1!");
    check_keys("gemini-shell", always, "2!");
    check_keys("gemini-shell", deny, "3!");
    check_keys("gemini-write", deny, "4!");
    check_keys("gemini-shell", because("no"), "-");
    check_keys("copilot-shell", allow, "1!");
    check_keys("copilot-shell", always, "2!");
    check_keys("copilot-shell", deny, "\x1b!");
    check_keys("claude-shell", allow, "1!");
    check_keys("claude-shell", always, "-");
    check_keys("claude-shell", deny, "4!");
    check_keys("claude-write", always, "-");
    check_keys("codex-shell", allow, "1!");
    check_keys("codex-shell", always, "2!");
    check_keys("codex-shell", deny, "3!");
    check_keys("codex-huge", deny, "2!");
    check_keys("codex-huge", always, "-");
}

TEST(a_reason_is_typed_where_there_is_a_field_for_it) {
    check_keys("copilot-deny", because("use another way"), "3");
    check_keys("copilot-deny-0", because("use another way"), "\x1b[200~use another way\x1b[201~");
    check_keys("copilot-deny-1", because("use another way"), "\r!");
    check_keys("copilot-deny-1", because("something else"), "-");
    check_keys("claude-shell", because("use another way"), "\x1b[B\x1b[B\x1b[B");
    check_keys("gemini-plan", because("do it better"), "3");
    check_keys("gemini-plan-feedback", because("do it better"), "\r!");
    check_keys("copilot-plan", because("do it better"), "4");
    check_keys("copilot-plan-feedback", because("do it better"), "\r!");
    check_keys("claude-plan", because("do it better"), "3");
    check_keys("claude-plan-feedback", because("do it better"), "\r!");
    check_keys("copilot-deny-0", because("a\nb\x1b[201~\t c\x7f"), "\x1b[200~a b [201~ c\x1b[201~");
    char longer[DIALOG_TEXT_BYTES_MAX + 2];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    check_keys("copilot-deny-0", because(longer), "-");
}

TEST(plans_are_allowed_without_giving_more) {
    check_keys("gemini-plan", allow, "2!");
    check_keys("copilot-plan", allow, "1!");
    check_keys("claude-plan", allow, "2!");
    check_keys("gemini-plan", deny, "\x1b!");
}

TEST(questions_are_answered_part_by_part) {
    struct dialog_wish both = saying("{\"Which colour?\":\"Blue\",\"Which sizes?\":[\"Large\"]}");
    check_keys("gemini-questions-1", both, "2");
    check_keys("gemini-questions-2", both, "2");
    check_keys("gemini-questions-review", both, "\r!");
    check_keys("claude-questions-0", both, "2");
    check_keys("claude-questions-1", both, "2");
    check_keys("claude-questions-3", both, "1"); /* Small was ticked and is not wanted */
    check_keys("claude-questions-4", both, "1!");
    check_keys("claude-questions-4", saying("{\"Which colour?\":\"Red\"}"), "-");
    check_keys("codex-questions-0", both, "2");
    check_keys("copilot-questions-0", both, "\x1b[B");
    check_keys("copilot-questions-2", both, "\x1b[B");
    check_keys("copilot-multi", saying("{\"Which sizes?\":[\"Small\"]}"), " ");
    check_keys("copilot-multi-0", saying("{\"Which sizes?\":[\"Small\"]}"), "\r!");
    check_keys("claude-multi-0", saying("{\"Which sizes?\":\"Small\"}"), "\x1b[C");
    check_keys("claude-question", saying("{\"Which colour?\":\"Red\"}"), "1!");
    check_keys("codex-question", saying("{\"Which colour?\":\"Blue\"}"), "2!");
    check_keys("copilot-question", saying("{\"Which colour?\":\"Red\"}"), "\r!");
    check_keys("copilot-question", deny, "\x1b!");
}

TEST(an_answer_of_ones_own_is_typed) {
    check_keys("claude-question", saying("{\"Which colour?\":\"Green please\"}"), "3");
    check_keys("claude-custom-1", saying("{\"Which colour?\":\"Green please\"}"),
               "\x1b[200~Green please\x1b[201~");
    check_keys("claude-custom-2", saying("{\"Which colour?\":\"Green please\"}"), "\r!");
    check_keys("gemini-custom", saying("{\"Which colour?\":\"Green, please\"}"), "\r!");
    check_keys("copilot-question", saying("{\"Which colour?\":\"Green please\"}"), "\x1b[B\x1b[B");
    check_keys("copilot-other-0", saying("{\"Which colour?\":\"Green please\"}"),
               "\x1b[200~Green please\x1b[201~");
    check_keys("copilot-other-1", saying("{\"Which colour?\":\"Green please\"}"), "\r!");
    check_keys("codex-question", saying("{\"Which colour?\":\"Green please\"}"), "-");
}

TEST(what_does_not_fit_the_questions_is_not_answered) {
    check_keys("claude-questions-0", saying("{\"Which shape?\":\"Blue\"}"), "-");
    check_keys("claude-question", saying("{\"Which colour?\":[\"Red\",\"Blue\"]}"), "-");
    check_keys("claude-question", saying("{\"Which colour?\":[]}"), "-");
    check_keys("claude-question", saying("{\"Which colour?\":7}"), "-");
    check_keys("claude-question", saying("{}"), "-");
    check_keys("claude-question", saying("nonsense"), "-");
    check_keys("claude-question", always, "-");
    check_keys("gemini-questions-2", saying("{\"Which colour?\":\"Blue\",\"Which sizes?\":[\"Huge\"]}"), "-");
}

static void check_about(const char *name, const struct request *r, bool about) {
    struct looked l = look(name);
    if (!l.known) fail_msg("%s is not known", name);
    if (dialog_is_about(&l.dialog, r, &l.screen.arena) != about)
        fail_msg("%s: %s", name, about ? "it is about that" : "it is not about that");
    done(&l);
}

static void check_command(const char *name, const char *command, bool about) {
    AUTO(free) char *detail = strdup(command);
    struct request r = {.kind = ATTENTION_APPROVAL,
                        .form = TEXT_FORM_COMMAND,
                        .text = (char[]){"Run it"},
                        .detail = detail,
                        .tool = (char[]){"Bash"}};
    check_about(name, &r, about);
}

TEST(a_dialog_is_about_the_command_that_it_shows_whole) {
    static const char *const clis[] = {"gemini", "copilot", "claude", "codex"};
    char name[64];
    for (size_t i = 0; i < ARRAY_LEN(clis); i++) {
        (void)snprintf(name, sizeof name, "%s-shell", clis[i]);
        check_command(name, "touch made.txt", true);
        check_command(name, "# in /srv\n# outside the sandbox\ntouch made.txt", true);
        check_command(name, "touch other.txt", false);
        check_command(name, "touch made.txt && rm other.txt", false);
    }
    check_command("gemini-shell-long", LONG_COMMAND, true);
    check_command("copilot-deny", LONG_COMMAND, true);
    check_command("claude-shell-long", LONG_COMMAND, true);
    check_command("codex-deny", LONG_COMMAND, true);
    check_command("codex-deny", LONG_COMMAND " and", false);
}

TEST(what_a_dialog_cuts_off_may_be_anything) {
    char whole[4096];
    int n = snprintf(whole, sizeof whole, "cat > made.txt <<END\n");
    for (int i = 0; i < 60; i++)
        n += snprintf(whole + n, sizeof whole - (size_t)n, "line %d of the text\n", i);
    (void)snprintf(whole + n, sizeof whole - (size_t)n, "END");
    check_command("codex-huge", whole, false);
    check_command("gemini-huge", whole, false);
    static const char *const taller[] = {"copilot-huge", "claude-huge"};
    for (size_t i = 0; i < ARRAY_LEN(taller); i++) { /* they begin above the screen */
        struct looked l = look(taller[i]);
        CHECK(!l.known);
        done(&l);
    }
}

TEST(a_dialog_is_about_the_file_and_its_lines) {
    static const char *const names[] = {"gemini-write", "copilot-write", "claude-write"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct request r = {.kind = ATTENTION_APPROVAL,
                            .form = TEXT_FORM_DIFF,
                            .text = (char[]){"Write a.txt"},
                            .detail = (char[]){"/home/ada/project/a.txt\n+one\n+two\n+three"},
                            .tool = (char[]){"Write"}};
        check_about(names[i], &r, true);
        r.detail = (char[]){"/home/ada/project/b.txt\n+one\n+two\n+three"};
        check_about(names[i], &r, false);
        r.detail = (char[]){"/home/ada/project/a.txt\n+one\n+two\n+seven"};
        check_about(names[i], &r, false);
    }
}

TEST(a_dialog_is_about_the_files_of_a_patch) {
    struct request r = {.kind = ATTENTION_APPROVAL,
                        .form = TEXT_FORM_DIFF,
                        .text = (char[]){"Change a.txt"},
                        .tool = (char[]){"apply_patch"}};
    r.detail =
        (char[]){"\ndiff --git a/project/a.txt b/project/a.txt\nindex 0000000..0000000\n--- a/dev/null\n"
                 "+++ b/project/a.txt\n@@ -1,0 +1,3 @@\n+one\n+two\n+three\n"};
    check_about("copilot-write", &r, true);
    r.detail = (char[]){"*** Begin Patch\n*** Add File: project/a.txt\n+one\n+two\n*** End Patch"};
    check_about("copilot-write", &r, true);
    r.detail = (char[]){"*** Begin Patch\n*** Add File: a.txt\n+one\n*** Update File: b.txt\n+two\n"};
    check_about("copilot-write", &r, false);
    r.detail = (char[]){"*** Begin Patch\n+one\n"};
    check_about("copilot-write", &r, false);
}

TEST(a_dialog_is_about_its_question_or_its_plan) {
    struct request q = {.kind = ATTENTION_QUESTION,
                        .form = TEXT_FORM_QUESTION,
                        .text = (char[]){"Which colour?"},
                        .detail = (char[]){"Which colour?\n- Red: Take Red\n- Blue: Take Blue"},
                        .tool = (char[]){"AskUserQuestion"}};
    static const char *const asking[] = {"gemini-custom", "copilot-question", "claude-question",
                                         "codex-question"};
    for (size_t i = 0; i < ARRAY_LEN(asking); i++)
        check_about(asking[i], &q, true);
    q.detail = (char[]){"Which shape?\n- Red: Take Red\n- Blue: Take Blue"};
    for (size_t i = 0; i < ARRAY_LEN(asking); i++)
        check_about(asking[i], &q, false);
    check_about("claude-shell", &q, false);
    struct request p = {.kind = ATTENTION_PLAN,
                        .form = TEXT_FORM_MARKDOWN,
                        .text = (char[]){"Review the plan: The plan"},
                        .detail = (char[]){"# The plan\n\n1. Make it."},
                        .tool = (char[]){"ExitPlanMode"}};
    static const char *const plans[] = {"gemini-plan", "copilot-plan", "claude-plan"};
    for (size_t i = 0; i < ARRAY_LEN(plans); i++)
        check_about(plans[i], &p, true);
    p.detail = (char[]){"# Another one\n\n1. Take care."};
    for (size_t i = 0; i < ARRAY_LEN(plans); i++)
        check_about(plans[i], &p, false);
}

TEST(other_screens_are_no_dialogs) {
    static const char *const names[] = {"gemini-half-drawn", "opencode-shell-long", "opencode-questions-0"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct looked l = look(names[i]);
        CHECK(!l.known);
        done(&l);
    }
    struct looked l = look("codex-shell"); /* the same rows above an input box: the agent only wrote them */
    struct span rows[DIALOG_ROWS];
    rows[0] = SPAN("  ? for shortcuts");
    rows[1] = SPAN("› Ask Codex to do anything");
    memcpy(rows + 2, l.screen.rows, (DIALOG_ROWS - 2) * sizeof *rows);
    CHECK(!dialog_read(CLI_CODEX, rows, MIN(l.screen.count + 2, (size_t)DIALOG_ROWS), &l.screen.arena,
                       &l.dialog));
    CHECK(!dialog_read(CLI_CLAUDE, l.screen.rows, l.screen.count, &l.screen.arena, &l.dialog));
    CHECK(!dialog_read(CLI_CODEX, NULL, 0, &l.screen.arena, &l.dialog));
    done(&l);
}

TEST(what_is_shown_tells_one_state_from_another) {
    static const char *const pairs[][2] = {{"copilot-deny", "copilot-deny-0"},
                                           {"copilot-deny-0", "copilot-deny-1"},
                                           {"claude-questions-0", "claude-questions-1"},
                                           {"copilot-other-0", "copilot-other-1"}};
    for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
        struct looked a = look(pairs[i][0]), b = look(pairs[i][1]), c = look(pairs[i][0]);
        CHECK(!span_eq(a.dialog.shown, b.dialog.shown));
        CHECK(span_eq(a.dialog.shown, c.dialog.shown));
        done(&a);
        done(&b);
        done(&c);
    }
}

TESTS(RUN(every_dialog_says_what_can_be_decided), RUN(approvals_are_answered_by_their_numbers),
      RUN(a_reason_is_typed_where_there_is_a_field_for_it), RUN(plans_are_allowed_without_giving_more),
      RUN(questions_are_answered_part_by_part), RUN(an_answer_of_ones_own_is_typed),
      RUN(what_does_not_fit_the_questions_is_not_answered),
      RUN(a_dialog_is_about_the_command_that_it_shows_whole), RUN(what_a_dialog_cuts_off_may_be_anything),
      RUN(a_dialog_is_about_the_file_and_its_lines), RUN(a_dialog_is_about_the_files_of_a_patch),
      RUN(a_dialog_is_about_its_question_or_its_plan), RUN(other_screens_are_no_dialogs),
      RUN(what_is_shown_tells_one_state_from_another))
