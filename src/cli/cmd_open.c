#include "app/browser.h"
#include "base/cleanup.h"
#include "cli/client.h"
#include "cli/cmd.h"
#include "cli/screen.h"

#include <getopt.h>
#include <stdio.h>

static int run(int argc, char **argv) {
    bool print = false;
    int option, status;
    while ((option = cmd_option(&cmd_open, argc, argv, &status)) != -1)
        print |= option == 'p';
    if (status >= 0) return status;
    struct daemon_info daemon;
    struct err err = {0};
    if (client_find(&daemon, &err) < 0) return cmd_fail(&cmd_open, CMD_FAILED, "%s", err.msg);
    AUTO(fd) int fd = client_connect(&daemon, &err);
    if (fd < 0) return cmd_fail(&cmd_open, CMD_FAILED, "%s", err.msg);
    if (print || !browser_open(daemon.url)) screen_print("%s\n", daemon.url);
    return CMD_OK;
}

static const struct cmd_opt options[] = {{"print", 'p', .help = "only print the address"}, {0}};

const struct cmd cmd_open = {
    .name = "open",
    .group = CMD_DAEMON,
    .summary = "show the board in a browser",
    .about = "Opens the board in the browser. Where there is no desktop it prints the address.",
    .options = options,
    .run = run,
};
