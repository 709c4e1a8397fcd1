#include "base/cleanup.h"
#include "cli/client.h"
#include "cli/cmd.h"
#include "cli/complete.h"
#include "cli/inbox_answer.h"
#include "cli/roster.h"
#include "cli/screen.h"

#include <ctype.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE_S = 1 };

static int script(int argc, char **argv) {
    int status;
    const char *shell = argv[0];
    while (cmd_option(&cmd_completion, argc, argv, &status) != -1) {}
    if (status >= 0) return status;
    if (strcmp(shell, "bash") == 0)
        complete_bash(stdout);
    else if (strcmp(shell, "zsh") == 0)
        complete_zsh(stdout);
    else
        complete_fish(stdout);
    return CMD_OK;
}

/* A name that no shell reads anything into; others can be reached by their ids. */
static bool is_plain(struct span s) {
    for (size_t i = 0; i < s.n; i++)
        if (!isalnum((unsigned char)s.p[i]) && !(i > 0 && strchr("._-", s.p[i]))) return false;
    return s.n > 0;
}

static void on_late(int number UNUSED) {
    _exit(CMD_FAILED);
}

/* Somebody waits with a finger on the Tab key: it is quick, or it is silent. The exit status; negative: go on. */
static int hurry(int argc, char **argv) {
    int status;
    while (cmd_option(&cmd_completion, argc, argv, &status) != -1) {}
    if (status >= 0) return status;
    (void)signal(SIGALRM, on_late);
    (void)alarm(PATIENCE_S);
    return -1;
}

static int requests(int argc, char **argv) {
    int status = hurry(argc, argv);
    if (status >= 0) return status;
    AUTO(inbox_list) struct inbox_list list = INBOX_LIST_INIT;
    struct daemon_info daemon;
    struct err err = {0};
    if (client_find(&daemon, &err) < 0 || inbox_load(&daemon, &list, &err) < 0) return CMD_FAILED;
    for (size_t i = 0; i < list.open; i++)
        if (is_plain(list.v[i]->id)) screen_print("%.*s\n", SPAN_ARG(list.v[i]->id));
    return CMD_OK;
}

static int terminals(int argc, char **argv) {
    int status = hurry(argc, argv);
    if (status >= 0) return status;
    AUTO(roster) struct roster roster;
    struct err err = {0};
    if (roster_load(&roster, &err) < 0) return CMD_FAILED;
    for (size_t i = 0; i < roster.n; i++) {
        const struct roster_entry *e = &roster.entries[i];
        struct span id = roster_short(e->id);
        if (is_plain(id)) screen_print("%.*s\n", SPAN_ARG(id));
        if (is_plain(e->title) && !span_eq(e->title, id)) screen_print("%.*s\n", SPAN_ARG(e->title));
    }
    return CMD_OK;
}

static const struct cmd_action actions[] = {
    {"bash", NULL, NULL, NULL, "the script for bash", script},
    {"zsh", NULL, NULL, NULL, "the script for zsh", script},
    {"fish", NULL, NULL, NULL, "the script for fish", script},
    {"terminals", NULL, NULL, NULL, "what the scripts ask for: ids and names of terminals, one a line",
     terminals},
    {"requests", NULL, NULL, NULL, "what the scripts ask for: ids of open requests, one a line", requests},
    {0},
};

const struct cmd cmd_completion = {
    .name = "completion",
    .group = CMD_MORE,
    .summary = "what the Tab key completes, for bash, zsh and fish",
    .about =
        "Prints a script that makes a shell complete ostler's commands, options, terminals and requests. An installed ostler "
        "has put them where shells look already.",
    .actions = actions,
    .examples = "source <(ostler completion bash)                              in ~/.bashrc\n"
                "ostler completion zsh >~/.zfunc/_ostler                       a directory of $fpath\n"
                "ostler completion fish >~/.config/fish/completions/ostler.fish",
};
