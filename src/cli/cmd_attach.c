#include "base/cleanup.h"
#include "cli/attach.h"
#include "cli/client.h"
#include "cli/cmd.h"
#include "cli/meant.h"

#include <getopt.h>
#include <stdio.h>

enum { ANSWER_MAX = 4096 };

/* Who looks at a terminal has seen what its card wanted to be seen. It is no matter when that cannot be told. */
static void tell_seen(const struct roster *roster, const struct roster_entry *e) {
    AUTO(buf) struct buf body = BUF_INIT(ANSWER_MAX);
    struct err err = {0};
    char path[PATH_BYTES];
    int n = snprintf(path, sizeof path, "/api/sessions/%.*s/seen", SPAN_ARG(e->id));
    if (roster->has_daemon && n > 0 && n < (int)sizeof path)
        (void)client_call(&roster->daemon, "POST", path, SPAN("{}"), &body, NULL, &err);
}

static int run(int argc, char **argv) {
    char prefix = CHORD_PREFIX;
    int status;
    while (cmd_option(&cmd_attach, argc, argv, &status) != -1)
        if (!attach_chord(&cmd_attach, optarg, &prefix)) return CMD_USAGE;
    if (status >= 0) return status;
    if (argc - optind > 1) return cmd_fail(&cmd_attach, CMD_USAGE, "one terminal at a time, please");

    AUTO(roster) struct roster roster;
    struct err err = {0};
    if (roster_load(&roster, &err) < 0) return cmd_fail(&cmd_attach, CMD_FAILED, "%s", err.msg);
    const struct roster_entry *e;
    status = optind < argc ? meant_find(&cmd_attach, &roster, argv[optind], &e)
                           : meant_only(&cmd_attach, &roster, &e);
    if (status != CMD_OK) return status;
    tell_seen(&roster, e);
    return attach_terminal(&cmd_attach, &roster, e, prefix);
}

static const struct cmd_opt options[] = {
    {"chord", 'c', .value = "KEY", .help = "another key than Ctrl-], like ^A or Ctrl-\\"}, {0}};

const struct cmd cmd_attach = {
    .name = "attach",
    .group = CMD_AGENTS,
    .summary = "show a terminal and type into it",
    .words = "[TERMINAL]",
    .complete = "@terminal",
    .about =
        "Shows a terminal and types into it, until you detach: the program goes on without you. TERMINAL is its id, "
        "its name, its session's id, or the beginning of one; without it the only one that runs. It works without "
        "a daemon, too, and goes on when the daemon stops.\n"
        "\n"
        "Keys, with Ctrl-] (on many keyboards also Ctrl-5) before them:\n"
        "  d        detach\n"
        "  k        end the program\n"
        "  ?        show these keys\n"
        "  Ctrl-]   type Ctrl-]",
    .options = options,
    .notes =
        "The exit status is the program's when it ends (128 + the signal's number when a signal ended it), 0 after "
        "a detach.",
    .examples = "ostler attach              the only terminal there is\n"
                "ostler attach x7f3ab       by the id that ostler ls shows\n"
                "ostler attach build        by name",
    .run = run,
};
