#include "cli/cmd.h"
#include "cli/help.h"
#include "cli/manual.h"

#include <getopt.h>
#include <stdio.h>

static void print_names(void) {
    for (const struct cmd *const *c = commands; *c; c++)
        (void)puts((*c)->name);
}

static int explain(const struct cmd *c, const char *word, bool manual) {
    const struct cmd_action *action = word ? cmd_find_action(c, word) : NULL;
    if (word && !action) return cmd_unknown_action(c, word);
    if (manual)
        manual_print(c, stdout);
    else
        help_print(c, action, stdout);
    return CMD_OK;
}

static int run(int argc, char **argv) {
    bool manual = false, names = false;
    int option, status;
    while ((option = cmd_option(&cmd_help, argc, argv, &status)) != -1) {
        manual |= option == 'm';
        names |= option == 'n';
    }
    if (status >= 0) return status;
    if (argc - optind > 2)
        return cmd_fail(&cmd_help, CMD_USAGE, "one command at a time, please: ostler help COMMAND [ACTION]");
    if (optind < argc) {
        const struct cmd *c = cmd_find(argv[optind]);
        return c ? explain(c, argv[optind + 1], manual) : cmd_unknown(argv[optind]);
    }
    if (names)
        print_names();
    else if (manual)
        manual_print_main(stdout);
    else
        help_print_list(stdout);
    return CMD_OK;
}

static const struct cmd_opt options[] = {
    {"man", 'm', .help = "as a page of the manual, for man: ostler help --man run | man -l -"},
    {"names", 'n', .help = "only the commands' names, one a line"},
    {0},
};

const struct cmd cmd_help = {
    .name = "help",
    .group = CMD_MORE,
    .summary = "list the commands, or tell what one does",
    .words = "[COMMAND [ACTION]]",
    .complete = "@command",
    .about = "Tells what a command does, what it takes, and gives examples; without one lists them all.",
    .options = options,
    .examples = "ostler help run\n"
                "ostler help repair fix",
    .run = run,
};
