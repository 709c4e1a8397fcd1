#include "base/path.h"
#include "cli/cmd.h"
#include "cli/wizard_run.h"
#include "config/config.h"

static int run(int argc, char **argv) {
    bool yes = false;
    int option, status;
    while ((option = cmd_option(&cmd_setup, argc, argv, &status)) != -1)
        yes |= option == 'y';
    if (status >= 0) return status;
    char file[PATH_BYTES];
    struct paths paths;
    struct err err = {0};
    if (paths_resolve(&paths, &err) < 0) return cmd_fail(&cmd_setup, CMD_FAILED, "%s", err.msg);
    if (config_path(&paths, file) < 0)
        return cmd_fail(&cmd_setup, CMD_FAILED, "the configuration file's path is too long");
    return wizard_run(&cmd_setup, file, yes);
}

static const struct cmd_opt options[] = {
    {"yes", 'y', true, .help = "ask nothing: what is set stays, the rest gets its default"},
    {0},
};

const struct cmd cmd_setup = {
    .name = "setup",
    .group = CMD_SETUP,
    .summary = "answer six questions, and connect the agents",
    .about =
        "Asks what there is to decide, with what is set now as the answers, and saves it in the configuration file. "
        "Nothing is changed before the end, where all of it is shown once more.\n\n"
        "Without a terminal nothing is asked, as with --yes.",
    .options = options,
    .notes =
        "Exit status: 0 when it is saved, 130 when you left with q or Ctrl-C, 1 when something went wrong.",
    .run = run,
};
