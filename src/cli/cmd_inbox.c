#include "base/cleanup.h"
#include "cli/cells.h"
#include "cli/client.h"
#include "cli/inbox_pick.h"
#include "cli/inbox_watch.h"
#include "cli/screen.h"
#include "cli/tty.h"

enum { SHOWN_BYTES_MAX = 256 << 20 };

struct wanted {
    bool all, json, once;
};

static void print_json(const struct inbox_list *l, bool all) {
    AUTO(buf) struct buf out = BUF_INIT(SHOWN_BYTES_MAX);
    struct jwrite w = JWRITE_INIT(&out);
    jwrite_object(&w);
    jwrite_key(&w, "approvals");
    jwrite_array(&w);
    for (size_t i = 0; i < (all ? l->n : l->open); i++)
        jwrite_raw(&w, span_str(l->v[i]->json));
    jwrite_array_end(&w);
    jwrite_key(&w, "away");
    jwrite_raw(&w, l->away.n ? l->away : SPAN("null"));
    jwrite_object_end(&w);
    screen_json(buf_span(&out));
}

static void print_open(struct buf *out, const struct inbox_list *l, const struct inbox_look *look) {
    const struct cells_margin margin = {.width = look->width};
    bool answers = false;
    for (size_t i = 0; i < l->open; i++) {
        inbox_text_open(out, l->v[i], look);
        (void)buf_append_char(out, '\n');
        answers |= l->v[i]->can != 0;
    }
    if (!l->open) (void)buf_append_span(out, SPAN("Nothing is asked.\n"));
    if (answers) cells_wrap(SPAN("ostler approve ID allows, ostler deny ID denies."), &margin, out);
}

static void print_list(const struct inbox_list *l, bool all) {
    AUTO(buf) struct buf out = BUF_INIT(SHOWN_BYTES_MAX);
    struct inbox_look look = inbox_look();
    inbox_text_away(&out, l->away, &look);
    print_open(&out, l, &look);
    if (all && l->n > l->open) (void)buf_append_span(&out, SPAN("\nEnded:\n"));
    for (size_t i = l->open; all && i < l->n; i++)
        inbox_text_ended(&out, l->v[i], &look);
    inbox_print(&out);
}

static int show_once(const struct wanted *w) {
    struct daemon_info daemon;
    struct inbox_list list = INBOX_LIST_INIT;
    struct err err = {0};
    int r = client_find(&daemon, &err);
    if (r == 0) r = inbox_load(&daemon, &list, &err);
    if (r < 0) return cmd_fail(&cmd_inbox, CMD_FAILED, "%s", err.msg);
    if (w->json)
        print_json(&list, w->all);
    else
        print_list(&list, w->all);
    inbox_list_fini(&list);
    return CMD_OK;
}

static int run(int argc, char **argv) {
    struct wanted w = {0};
    int option, status;
    while ((option = cmd_option(&cmd_inbox, argc, argv, &status)) != -1) {
        w.all |= option == 'a';
        w.json |= option == 'j';
        w.once |= option == '1';
    }
    if (status >= 0) return status;
    return !w.once && !w.json && !w.all && tty_is_one() ? inbox_watch(&cmd_inbox) : show_once(&w);
}

static const struct cmd_opt options[] = {
    {"all", 'a', .has_letter = true, .help = "with the last hundred that ended: how, by whom, from where"},
    {"once", '1', .has_letter = true, .help = "print them and exit, at a terminal too"},
    {"json", 'j', .help = "for programs: {approvals, away}, as GET /api/approvals answers it"},
    {0},
};

const struct cmd cmd_inbox = {
    .name = "inbox",
    .group = CMD_AGENTS,
    .summary = "what every agent asks, whole, to be answered",
    .about =
        "Shows everything that agents ask a person, the oldest first: commands, changes, plans and questions, whole; who asks, since "
        "when, how certain that is, and what can be answered from here. At a terminal it stays, shows what comes and goes, and "
        "answers by keys; with --once or --all, or elsewhere, it prints and ends. ostler approve and ostler deny answer, too.\n"
        "\n"
        "Keys:\n"
        "  a          allow, or approve the plan; A: always, after a look at the rule, which may be changed\n"
        "  d          deny; D: with words for the agent; s: and end its turn\n"
        "  1 to 9     choose an option, or the mode that a plan goes on in; t: answer in your own words; Enter: send\n"
        "  e          change the command, or the input, in $EDITOR before it is allowed\n"
        "  o          open the agent's terminal, if it is one of ours; Ctrl-] d comes back\n"
        "  n, p       the next request, the one before; space, b, j, k: scroll\n"
        "  q          quit\n"
        "\n"
        "Nothing is answered that was not on the screen for 0.3 s, nothing is allowed before its end was seen, and keys that come "
        "several at once (a paste) answer nothing.",
    .options = options,
    .examples = "ostler inbox\n"
                "ostler inbox --all --once",
    .run = run,
};
