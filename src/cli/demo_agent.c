#include "cli/demo_agent.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAYLOAD_BYTES_MAX = 64 << 10 };

/* Payload on the hook's standard input, and waits for it. */
static int run_hook(const char *hook, const char *cli, struct span payload) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return -errno;
    posix_spawn_file_actions_t actions;
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    char name[] = "ostler-hook", option[] = "--cli", value[16];
    (void)snprintf(value, sizeof value, "%s", cli);
    char *const args[] = {name, option, value, NULL};
    pid_t pid;
    int r = -posix_spawn(&pid, hook, &actions, NULL, args, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(ends[0]);
    if (r == 0 && write(ends[1], payload.p, payload.n) < 0) r = -errno;
    (void)close(ends[1]);
    if (r == 0) (void)waitpid(pid, NULL, 0);
    return r;
}

/* The child: one message, one run of the hook, one answer, until the other end closes. */
static void serve(int channel, const char *hook, const char *cli) {
    static char payload[PAYLOAD_BYTES_MAX];
    ssize_t n;
    while ((n = recv(channel, payload, sizeof payload, 0)) > 0) {
        int r = run_hook(hook, cli, span_of(payload, (size_t)n));
        if (send(channel, &r, sizeof r, MSG_NOSIGNAL) < 0) return;
    }
}

int demo_agent_start(struct demo_agent *a, const char *hook, const char *cli, const char *const *env) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) return -errno;
    pid_t pid = fork();
    if (pid < 0) {
        int r = -errno;
        (void)close(ends[0]);
        (void)close(ends[1]);
        return r;
    }
    if (pid > 0) {
        (void)close(ends[1]);
        *a = (struct demo_agent){.pid = pid, .channel = ends[0]};
        return 0;
    }
    /* Ctrl-C is for the demo, which lets its agents say goodbye; and nobody outlives it. */
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)setpgid(0, 0);
    (void)signal(SIGTERM, SIG_DFL);
    (void)prctl(PR_SET_NAME, cli);
    for (; *env; env++) {
        char copy[512];
        (void)snprintf(copy, sizeof copy, "%s", *env);
        char *value = strchr(copy, '=');
        if (!value) continue;
        *value = '\0';
        (void)setenv(copy, value + 1, 1);
    }
    serve(ends[1], hook, cli);
    _exit(0);
}

int demo_agent_say(struct demo_agent *a, struct span payload) {
    if (send(a->channel, payload.p, payload.n, MSG_NOSIGNAL) < 0) return -errno;
    int r;
    ssize_t n;
    do
        n = recv(a->channel, &r, sizeof r, 0);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof r ? r : -EPIPE;
}

void demo_agent_stop(struct demo_agent *a) {
    /* Agents that started later have a copy of the channel: closing it alone would not be noticed. */
    (void)kill(a->pid, SIGKILL);
    (void)close(a->channel);
    (void)waitpid(a->pid, NULL, 0);
}
