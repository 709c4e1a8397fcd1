#include "base/clock.h"
#include "platform/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

static int start(const char *const *argv, const char *const *env, int out, pid_t *ret) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    (void)sigemptyset(&none);
    (void)posix_spawnattr_init(&attributes);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    (void)posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    (void)posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int r = posix_spawn(ret, argv[0], &actions, &attributes, (char *const *)argv, (char *const *)env);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)posix_spawnattr_destroy(&attributes);
    return -r;
}

static int64_t now_ms(void) {
    return usec_to_msec(clock_mono(&clock_system));
}

static int listen_to(int fd, int limit_ms, struct buf *out) {
    int64_t deadline = now_ms() + limit_ms;
    for (;;) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int64_t left = deadline - now_ms();
        if (left <= 0) return -ETIMEDOUT;
        if (poll(&p, 1, (int)left) <= 0) continue;
        char bytes[512];
        ssize_t n = read(fd, bytes, sizeof bytes);
        if (n == 0) return 0;
        if (n < 0 && errno != EINTR) return -errno;
        if (n > 0) (void)buf_append(out, bytes, MIN((size_t)n, out->cap - out->n));
    }
}

int capture_output(const char *const *argv, const char *const *env, int limit_ms, struct buf *out) {
    int ends[2];
    pid_t pid;
    if (pipe2(ends, O_CLOEXEC) < 0) return -errno;
    int r = start(argv, env, ends[1], &pid);
    (void)close(ends[1]);
    if (r == 0) {
        r = listen_to(ends[0], limit_ms, out);
        (void)kill(-pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
    }
    (void)close(ends[0]);
    return r;
}
