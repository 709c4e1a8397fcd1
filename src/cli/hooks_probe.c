#include "cli/hooks_probe.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jscan.h"
#include "base/strv.h"
#include "core/event.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>

enum { ID_BYTES_MAX = 40, SAID_MAX = 4096, PAUSE_MS = 20 };

static int64_t now_ms(void) {
    return usec_to_msec(clock_mono(&clock_system));
}

static void make_id(char out[ID_BYTES_MAX]) {
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) < 0) number = (uint64_t)clock_wall(&clock_system);
    (void)snprintf(out, ID_BYTES_MAX, "probe-%016llx", (unsigned long long)number);
}

/* Codex runs hooks by the user's login shell, the others by sh. */
static int start(enum cli cli, const char *command, int in, int out, pid_t *ret) {
    const char *user_shell = getenv("SHELL");
    const char *shell = cli == CLI_CODEX && user_shell && user_shell[0] == '/' ? user_shell : "/bin/sh";
    AUTO(strv) char **argv = NULL, **env = NULL;
    strv_push(&argv, span_str(shell));
    strv_push(&argv, cli == CLI_CODEX ? SPAN("-lc") : SPAN("-c"));
    strv_push(&argv, span_str(command));
    for (char **e = environ; *e;
         e++) /* in a terminal of ours the hook would leave the telling to another one */
        if (strncmp(*e, "OSTLER_HOSTED=", 14) != 0) strv_push(&env, span_str(*e));
    posix_spawn_file_actions_t actions;
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    (void)posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    (void)posix_spawn_file_actions_adddup2(&actions, out, STDERR_FILENO);
    int r = posix_spawn(ret, shell, &actions, NULL, argv, env);
    (void)posix_spawn_file_actions_destroy(&actions);
    return -r;
}

/* Everything it prints, up to its end; false when it takes too long. */
static bool listen_to(int fd, struct buf *said) {
    int64_t deadline = now_ms() + PROBE_HOOK_MS;
    for (;;) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int64_t left = deadline - now_ms();
        if (left <= 0 || poll(&p, 1, (int)left) == 0) return false;
        char bytes[512];
        ssize_t n = read(fd, bytes, sizeof bytes);
        if (n <= 0) return true;
        (void)buf_append(said, bytes, MIN((size_t)n, said->cap - said->n));
    }
}

static int judge(int status, bool in_time, struct span said, struct err *err) {
    if (!in_time) return err_set(err, -ETIMEDOUT, "the hook did not end in 10 seconds");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return err_set(err, -EIO, "the hook ended with status %d%s%.*s",
                       WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), said.n ? ": " : "",
                       SPAN_ARG(span_take(span_trim(said), 200)));
    if (said.n)
        return err_set(err, -EIO, "something was printed, which the agent would read: %.*s",
                       SPAN_ARG(span_take(span_trim(said), 200)));
    return 0;
}

static int run_hook(enum cli cli, const char *command, struct span payload, int64_t *ret_ms,
                    struct err *err) {
    int in[2], out[2], status = 0;
    pid_t pid;
    if (pipe2(in, O_CLOEXEC) < 0) return err_sys(err, -errno, "no pipe could be made");
    AUTO(fd) int in_read = in[0], in_write = in[1];
    if (pipe2(out, O_CLOEXEC) < 0) return err_sys(err, -errno, "no pipe could be made");
    AUTO(fd) int out_read = out[0], out_write = out[1];
    AUTO(buf) struct buf said = BUF_INIT(SAID_MAX);
    int64_t begun = now_ms();
    int r = start(cli, command, in_read, out_write, &pid);
    if (r < 0) return err_sys(err, r, "no shell could be started");
    ssize_t n = write(in_write, payload.p, payload.n); /* fits the pipe */
    (void)n;
    (void)close(TAKE_FD(in_write));
    (void)close(TAKE_FD(out_write));
    bool in_time = listen_to(out_read, &said);
    if (!in_time) (void)kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    *ret_ms = now_ms() - begun;
    return judge(status, in_time, buf_span(&said), err);
}

/* The newest probe of the CLI that the daemon knows of. */
static bool is_seen(struct span body, enum cli cli, const char *id) {
    struct jmember all = JMEMBER("clis"), one = {.name = span_str(cli_to_str(cli))},
                   last = JMEMBER("lastProbe");
    AUTO(arena) struct arena arena = ARENA_INIT(4096);
    struct span seen;
    return jscan_object(body, &all, 1) == 1 && jscan_object(all.value, &one, 1) == 1 &&
           jscan_object(one.value, &last, 1) == 1 && jscan_string(last.value, &arena, &seen) == 0 &&
           span_eq_str(seen, id);
}

static int wait_for(const struct daemon_info *daemon, enum cli cli, const char *id, struct err *err) {
    int64_t deadline = now_ms() + PROBE_DAEMON_MS;
    while (now_ms() < deadline) {
        AUTO(buf) struct buf body = BUF_INIT(CLIENT_BODY_MAX);
        int r = client_get(daemon, "/api/hooks/status", &body, err);
        if (r < 0) return r;
        if (is_seen(buf_span(&body), cli, id)) return 0;
        (void)poll(NULL, 0, PAUSE_MS);
    }
    return err_set(err, -ETIMEDOUT,
                   "the hook ran, but the daemon did not hear of it: do both use the same OSTLER_HOME?");
}

int hooks_probe(const struct daemon_info *daemon, enum cli cli, const char *command, int64_t *ret_ms,
                struct err *err) {
    char id[ID_BYTES_MAX], payload[256];
    make_id(id);
    int n =
        snprintf(payload, sizeof payload,
                 "{\"session_id\":\"%s\",\"hook_event_name\":\"" EVENT_PROBE_NAME "\",\"cwd\":\"/\"}", id);
    (void)signal(SIGPIPE, SIG_IGN); /* a command that reads nothing */
    int r = run_hook(cli, command, span_of(payload, (size_t)n), ret_ms, err);
    return r < 0 ? r : wait_for(daemon, cli, id, err);
}
