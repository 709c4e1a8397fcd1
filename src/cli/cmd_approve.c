#include "base/cleanup.h"
#include "base/jscan.h"
#include "cli/ask.h"
#include "cli/inbox_choices.h"
#include "cli/inbox_edit.h"
#include "cli/inbox_pick.h"
#include "cli/screen.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>

enum {
    ANSWERS_MAX = 64,
    LINE_BYTES = 16 << 10,
    PROMPT_BYTES = 512,
    DEPTH_MAX = 256,
    SHOWN_BYTES_MAX = 64 << 20
};

/* What the command line asks for. */
struct wanted {
    struct inbox_wish wish;
    bool always, edit, json;
    const char *answers[ANSWERS_MAX];
    size_t answer_count;
};

/* False after a sentence. */
static bool take_option(struct wanted *w, int option) {
    struct inbox_wish *wish = &w->wish;
    switch (option) {
    case 'A': w->always = true; break;
    case 'e': w->edit = true; break;
    case 'j': w->json = true; break;
    case 'm': wish->mode = span_str(optarg); break;
    case 'w': wish->where = span_str(optarg); break;
    case 'i':
        wish->input = span_trim(span_str(optarg));
        if (jvalid(wish->input, DEPTH_MAX) == 0 && jscan_kind(wish->input) == JKIND_OBJECT) break;
        (void)cmd_fail(&cmd_approve, CMD_USAGE, "--input takes the whole input as a JSON object");
        return false;
    case 'r':
        if (wish->rule_count < REPLY_RULES_MAX) {
            wish->rules[wish->rule_count++] = span_str(optarg);
            break;
        }
        (void)cmd_fail(&cmd_approve, CMD_USAGE, "no more than %d rules", REPLY_RULES_MAX);
        return false;
    case 'a':
        if (w->answer_count < ANSWERS_MAX) {
            w->answers[w->answer_count++] = optarg;
            break;
        }
        (void)cmd_fail(&cmd_approve, CMD_USAGE, "no more than %d answers", ANSWERS_MAX);
        return false;
    default: break;
    }
    return true;
}

/* What does not go together; NULL: all does. */
static const char *check(const struct wanted *w) {
    const struct inbox_wish *wish = &w->wish;
    if (wish->rule_count && !w->always) return "--rule goes with --always";
    if (wish->where.n && !w->always) return "--where goes with --always";
    if (wish->where.n && !wish->rule_count)
        return "--where goes with --rule: those that are suggested have their places";
    if (w->edit && wish->input.n) return "--edit and --input: please choose one";
    if (w->edit && w->json) return "--edit needs a person, --json has none";
    if (w->answer_count && (w->always || w->edit || wish->input.n || wish->mode.n))
        return "--answer answers a question, and takes nothing else";
    return NULL;
}

/* Asks each question at the terminal. */
static int ask_questions(const struct inbox_request *r, struct inbox_choices *choices, struct arena *arena,
                         struct err *err) {
    struct span rest = r->questions;
    struct inbox_question q;
    for (size_t i = 0; inbox_question_next(r, &rest, &q); i++) {
        char line[LINE_BYTES], prompt[PROMPT_BYTES];
        (void)snprintf(prompt, sizeof prompt, "%.*s\n%s", SPAN_ARG(span_take(q.question, PROMPT_BYTES / 2)),
                       q.many ? "Numbers with commas, or text of your own" : "A number, or text of your own");
        int failed = ask_line(prompt, NULL, line, sizeof line, err);
        if (failed == 0) failed = inbox_choices_typed(choices, r, i, arena_dup(arena, span_str(line)), err);
        if (failed < 0) return failed;
    }
    return 0;
}

static int write_answers(const struct wanted *w, const struct inbox_request *r, struct buf *out,
                         struct arena *arena, struct err *err) {
    struct inbox_choices choices = {0};
    int failed = 0;
    for (size_t i = 0; failed == 0 && i < w->answer_count; i++)
        failed = inbox_choices_add(&choices, r, span_str(w->answers[i]), err);
    if (failed == 0 && !w->answer_count && !w->json && ask_has_person())
        failed = ask_questions(r, &choices, arena, err);
    return failed < 0 ? failed : inbox_choices_write(&choices, r, out, err);
}

static void show(const struct inbox_pick *p) {
    AUTO(buf) struct buf text = BUF_INIT(SHOWN_BYTES_MAX);
    struct inbox_look look = inbox_look();
    for (size_t i = 0; i < p->n; i++)
        inbox_text_open(&text, p->v[i], &look);
    inbox_print(&text);
}

/* Nobody has named it: then it was not looked at before. */
static bool is_agreed(const struct inbox_pick *p, const struct wanted *w, struct err *err) {
    bool yes = false;
    if (p->named || w->json || w->wish.answers.n || !ask_has_person()) return true;
    (void)ask_yes_no(w->always ? "Allow this, and write the rule?" : "Allow this?", false, &yes, err);
    return yes;
}

static int approve(const struct inbox_pick *p, struct wanted *w) {
    AUTO(buf) struct buf answers = BUF_INIT(INBOX_ANSWER_BYTES_MAX), input = BUF_INIT(INBOX_ANSWER_BYTES_MAX);
    AUTO(arena) struct arena arena = ARENA_INIT(INBOX_ANSWER_BYTES_MAX);
    const struct inbox_request *first = p->v[0];
    struct err err = {0};
    int failed = 0;
    if (!w->json) show(p);
    if (first->can && (w->answer_count || first->questions.n)) {
        failed = write_answers(w, first, &answers, &arena, &err);
        w->wish.answers = buf_span(&answers);
    }
    if (failed == 0 && w->edit) {
        failed = inbox_edit(first, &input, &err);
        w->wish.input = span_trim(buf_span(&input));
    }
    if (failed < 0) return cmd_fail(&cmd_approve, failed == -EINVAL ? CMD_USAGE : CMD_FAILED, "%s", err.msg);
    if (!is_agreed(p, w, &err)) {
        screen_print("Nothing was answered.\n");
        return CMD_FAILED;
    }
    w->wish.decision = w->always ? "always" : "allow";
    if (w->always && !w->wish.rule_count) inbox_wish_suggested(&w->wish, first);
    return inbox_answer_all(&cmd_approve, p, &w->wish, w->json);
}

static int run(int argc, char **argv) {
    struct wanted w = {0};
    int option, status;
    while ((option = cmd_option(&cmd_approve, argc, argv, &status)) != -1)
        if (!take_option(&w, option)) return CMD_USAGE;
    if (status >= 0) return status;
    const char *wrong = check(&w);
    if (wrong) return cmd_fail(&cmd_approve, CMD_USAGE, "%s", wrong);
    struct inbox_pick p;
    status = inbox_pick(&cmd_approve, argv + optind, (size_t)(argc - optind), &p);
    if (status == CMD_OK) status = approve(&p, &w);
    inbox_pick_fini(&p);
    return status;
}

static const struct cmd_opt options[] = {
    {"always", 'A', .help = "and write the rules that ostler inbox shows into the CLI's own settings"},
    {"rule", 'r', .value = "RULE", .help = "with --always: this rule instead; may be given several times"},
    {"where", 'w', .value = "PLACE",
     .help = "with --rule: where it is written, localSettings unless it is said",
     .complete = "session localSettings projectSettings userSettings"},
    {"edit", 'e', .has_letter = true, .help = "change the command, or the input, in an editor first"},
    {"input", 'i', .value = "JSON", .help = "allow the call with this input instead, whole"},
    {"answer", 'a', .has_letter = true, .value = "QUESTION=LABEL",
     .help =
         "an answer to a question: its text, its header or its number, and a label or text of your own; may be given several times"},
    {"mode", 'm', .value = "MODE", .help = "of a plan: the mode to go on in",
     .complete = "default acceptEdits auto"},
    {"json", 'j', .help = "for programs: one object a line, {id, state} or {id, error, status}"},
    {0},
};

const struct cmd cmd_approve = {
    .name = "approve",
    .group = CMD_AGENTS,
    .summary = "allow what an agent asks for, or answer its question",
    .words = "[ID…]",
    .complete = "@request",
    .about =
        "Allows what an agent asks for, answers its question or approves its plan, as if it were done in the agent's own dialog. "
        "ostler inbox shows what is asked, and the ids. Without an ID it is the only request that is open: it is shown, and you are asked "
        "before it is allowed. Several IDs are fine where they ask for the same.\n"
        "\n"
        "What was shown is what is answered: a request that has changed, has ended or was answered elsewhere a moment ago is refused, "
        "and nothing is ever applied twice.",
    .options = options,
    .notes =
        "The exit status is 0 when the agent has the answer, 1 when it was refused or came too late, 2 when the command line, or which "
        "request it means, is not clear.",
    .examples = "ostler approve                                  the only one, after a look at it\n"
                "ostler approve r1x7\n"
                "ostler approve r1x7 --always --rule 'Bash(npm test:*)'\n"
                "ostler approve r1x9 --answer 'Which colour?=Blue'\n"
                "ostler approve r1xa --mode acceptEdits          a plan",
    .run = run,
};
