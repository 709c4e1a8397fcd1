#include "cli/cmd.h"

#include <stdio.h>

static int run(int argc, char **argv) {
    int status;
    while (cmd_option(&cmd_version, argc, argv, &status) != -1) {}
    if (status >= 0) return status;
    (void)puts("ostler " OSTLER_VERSION);
    return CMD_OK;
}

const struct cmd cmd_version = {
    .name = "version",
    .summary = "print the version",
    .about = "Prints the version of this program.",
    .run = run,
};
