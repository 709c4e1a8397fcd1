#include "cli/cmd.h"

#include <getopt.h>
#include <stdio.h>

static int run(int argc, char **argv) {
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
    int status;
    while (cmd_option(&cmd_version, argc, argv, ":h", options, &status) != -1) {}
    if (status >= 0) return status;
    (void)puts("ostler " OSTLER_VERSION);
    return CMD_OK;
}

const struct cmd cmd_version = {
    .name = "version",
    .summary = "print the version",
    .help = "usage: ostler version\n\nPrints the version of this program.\n",
    .run = run,
};
