#include "app/daemon_end.h"
#include "cli/cmd.h"
#include "cli/screen.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>

enum { PATIENCE_S = 10, PATIENCE_S_MAX = 3600, KILLED_MS = 5000 };

static int stop(const struct daemon_process *daemon, unsigned patience_s, bool force) {
    struct err err = {0};
    int r = daemon_end(daemon, SIGTERM, patience_s * 1000, &err);
    bool killed = r == -ETIMEDOUT && force;
    if (killed) r = daemon_end(daemon, SIGKILL, KILLED_MS, &err);
    if (r == -ETIMEDOUT && !force)
        return cmd_fail(&cmd_stop, CMD_FAILED, "%s: it goes on stopping, and ostler stop --force kills it",
                        err.msg);
    if (r < 0) return cmd_fail(&cmd_stop, CMD_FAILED, "%s", err.msg);
    screen_print("The daemon (pid %lld) has %s. Its terminals go on, and events wait in the spool.\n",
                 (long long)daemon->pid, killed ? "been killed" : "stopped");
    return CMD_OK;
}

static int run(int argc, char **argv) {
    bool force = false;
    uint64_t patience = PATIENCE_S;
    int option, status;
    while ((option = cmd_option(&cmd_stop, argc, argv, &status)) != -1) {
        force |= option == 'f';
        if (option == 't' && !cmd_number(&cmd_stop, "--timeout", optarg, 0, PATIENCE_S_MAX, &patience))
            return CMD_USAGE;
    }
    if (status >= 0) return status;

    struct paths paths;
    struct daemon_process daemon;
    struct err err = {0};
    if (paths_resolve(&paths, &err) < 0) return cmd_fail(&cmd_stop, CMD_FAILED, "%s", err.msg);
    if (daemon_running(&paths, &daemon) == 0) return stop(&daemon, (unsigned)patience, force);
    screen_print("No daemon is running.\n");
    return CMD_OK;
}

static const struct cmd_opt options[] = {
    {"force", 'f', .help = "kill it if it has not stopped by then; nothing is lost"},
    {"timeout", 't', .value = "SECONDS", .help = "how long to wait (default 10)"},
    {0},
};

const struct cmd cmd_stop = {
    .name = "stop",
    .group = CMD_DAEMON,
    .summary = "stop the daemon; terminals go on",
    .about =
        "Stops the daemon and waits until it has ended. Terminals go on without it, hooks go on writing to the spool, and "
        "the next daemon takes up both. When none runs there is nothing to do, and the exit status is 0.",
    .options = options,
    .run = run,
};
