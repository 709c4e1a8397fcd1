#include "app/daemon_file.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "cli/cmd.h"
#include "cli/screen.h"
#include "platform/pidfd.h"
#include "platform/proc.h"

#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>

enum { PATIENCE_S = 30, LOOK_MS = 20 };

/* daemon.json as a file: a new one is there when the daemon is. */
static struct stat file_now(const struct paths *paths) {
    char file[PATH_BYTES];
    struct stat st = {0};
    if (path_join(file, paths->run, "daemon.json") < 0 || stat(file, &st) < 0) st = (struct stat){0};
    return st;
}

static bool is_other(const struct stat *a, const struct stat *b) {
    return a->st_ino != b->st_ino || a->st_ctim.tv_sec != b->st_ctim.tv_sec ||
           a->st_ctim.tv_nsec != b->st_ctim.tv_nsec;
}

static int tell(const struct paths *paths) {
    struct daemon_info info;
    if (daemon_file_read(paths, &info) < 0)
        return cmd_fail(&cmd_restart, CMD_FAILED, "the daemon has stopped again");
    screen_print("ostler %s is back at %s (pid %lld).\n", info.version, info.url, (long long)info.pid);
    return CMD_OK;
}

static int wait_for(const struct paths *paths, const struct daemon_process *daemon, int fd,
                    const struct stat *before) {
    usec_t until = clock_mono(&clock_system) + PATIENCE_S * USEC_PER_SEC;
    while (clock_mono(&clock_system) < until) {
        struct stat now = file_now(paths);
        if (now.st_ino && is_other(&now, before)) return tell(paths);
        if (!proc_alive(daemon->pid, daemon->start))
            return cmd_fail(
                &cmd_restart, CMD_FAILED,
                "the daemon has stopped and not come back: its log says why; ostler serve starts it");
        struct pollfd p = {.fd = fd, .events = POLLIN};
        (void)poll(&p, 1, LOOK_MS);
    }
    return cmd_fail(&cmd_restart, CMD_FAILED, "the daemon (pid %lld) has not come back after %d s",
                    (long long)daemon->pid, PATIENCE_S);
}

static int run(int argc, char **argv) {
    int status;
    while (cmd_option(&cmd_restart, argc, argv, &status) != -1) {}
    if (status >= 0) return status;
    struct paths paths;
    struct daemon_process daemon;
    struct err err = {0};
    if (paths_resolve(&paths, &err) < 0) return cmd_fail(&cmd_restart, CMD_FAILED, "%s", err.msg);
    struct stat before = file_now(&paths);
    if (daemon_running(&paths, &daemon) < 0)
        return cmd_fail(&cmd_restart, CMD_FAILED, "no daemon is running: start it with ostler serve");
    AUTO(fd) int fd = pidfd_hold(daemon.pid, daemon.start);
    int r = pidfd_signal_one(fd, daemon.pid, daemon.start, SIGUSR2);
    if (r < 0)
        return cmd_fail(&cmd_restart, CMD_FAILED, "cannot ask the daemon (pid %lld): %s",
                        (long long)daemon.pid, strerror(-r));
    return wait_for(&paths, &daemon, fd, &before);
}

const struct cmd cmd_restart = {
    .name = "restart",
    .group = CMD_DAEMON,
    .summary = "start the daemon anew, after an upgrade; terminals go on",
    .about =
        "Has the daemon stop and start anew in its place: the same process, terminal or service, the same options, the "
        "program that is installed now. Terminals go on, boards reconnect by themselves. Comes back when it listens.",
    .run = run,
};
