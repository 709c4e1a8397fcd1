#include "base/cleanup.h"
#include "cli/inbox_pick.h"

#include <getopt.h>

enum { SHOWN_BYTES_MAX = 64 << 20 };

static void show(const struct inbox_pick *p) {
    AUTO(buf) struct buf text = BUF_INIT(SHOWN_BYTES_MAX);
    struct inbox_look look = inbox_look();
    for (size_t i = 0; i < p->n; i++)
        inbox_text_open(&text, p->v[i], &look);
    inbox_print(&text);
}

static int run(int argc, char **argv) {
    struct inbox_wish wish = {.decision = "deny"};
    bool json = false;
    int option, status;
    while ((option = cmd_option(&cmd_deny, argc, argv, &status)) != -1) {
        if (option == 'm') wish.message = span_str(optarg);
        wish.stop |= option == 's';
        json |= option == 'j';
    }
    if (status >= 0) return status;
    struct inbox_pick p;
    status = inbox_pick(&cmd_deny, argv + optind, (size_t)(argc - optind), &p);
    if (status == CMD_OK && !json) show(&p);
    if (status == CMD_OK) status = inbox_answer_all(&cmd_deny, &p, &wish, json);
    inbox_pick_fini(&p);
    return status;
}

static const struct cmd_opt options[] = {
    {"message", 'm', .has_letter = true, .value = "TEXT",
     .help = "tell the agent why, or what to do instead; of a plan: what to change"},
    {"stop", 's', .help = "and end its turn: it waits for your next prompt"},
    {"json", 'j', .help = "for programs: one object a line, {id, state} or {id, error, status}"},
    {0},
};

const struct cmd cmd_deny = {
    .name = "deny",
    .group = CMD_AGENTS,
    .summary = "deny what an agent asks for",
    .words = "[ID…]",
    .complete = "@request",
    .about =
        "Denies what an agent asks for, as if it were done in the agent's own dialog. ostler inbox shows what is asked, and the ids. "
        "Without an ID it is the only request that is open. Several IDs are fine where they ask for the same.",
    .options = options,
    .notes =
        "The exit status is 0 when the agent has the answer, 1 when it was refused or came too late, 2 when the command line, or which "
        "request it means, is not clear.",
    .examples = "ostler deny r1x7 --message 'use the staging database'\n"
                "ostler deny --stop",
    .run = run,
};
