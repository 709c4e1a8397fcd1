/*
 * How long an agent waits for a hook: starts a command N times, one after the other, with a payload on its stdin, and
 * prints the time from the start to the end of the process.
 *
 *     spawn_bench RUNS PAYLOAD-BYTES COMMAND [ARGUMENT …] [-- COMMAND [ARGUMENT …]]
 *
 * Two commands take turns, so that whatever else the machine does meets both of them.
 */
#include "base/cleanup.h"
#include "base/compiler.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { RUNS_MAX = 1000000, PAYLOAD_BYTES_MAX = 60000 /* fits a pipe: no writer is needed beside the wait */ };

static int64_t now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* A hook event of `n` bytes. */
static char *make_payload(size_t n) {
    static const char head[] =
        "{\"session_id\":\"bench\",\"hook_event_name\":\"PreToolUse\",\"cwd\":\"/tmp\",\"pad\":\"";
    size_t least = sizeof head + 2;
    if (n < least) n = least;
    char *p = malloc(n);
    if (!p) abort();
    memset(p, 'x', n);
    memcpy(p, head, sizeof head - 1);
    memcpy(p + n - 2, "\"}", 2);
    return p;
}

/* One run in nanoseconds; negative when the command could not be started or failed. */
static int64_t run_once(char **command, const char *payload, size_t n) {
    int ends[2];
    if (pipe(ends) < 0) return -1;
    posix_spawn_file_actions_t actions;
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    (void)posix_spawn_file_actions_addclose(&actions, ends[0]);
    int64_t start = now_ns();
    /* Before the start, so that the command never waits for us: it is its own time that counts. */
    ssize_t wrote = write(ends[1], payload, n);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t pid;
    int r = posix_spawnp(&pid, command[0], &actions, NULL, command, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(ends[0]);
    (void)close(ends[1]);
    int status = 0;
    if (r != 0 || waitpid(pid, &status, 0) < 0 || status != 0) return -1;
    return wrote == (ssize_t)n ? now_ns() - start : -1;
}

/* The arguments behind "--", which becomes the end of the first command; NULL when there is no second one. */
static char **second_command(char **argv) {
    for (; *argv; argv++) {
        if (strcmp(*argv, "--") != 0) continue;
        *argv = NULL;
        return argv + 1;
    }
    return NULL;
}

static void print_times(int64_t *times, size_t runs, const char *name) {
    qsort(times, runs, sizeof *times, by_size);
    (void)printf("min %.0f us  p50 %.0f us  p95 %.0f us  p99 %.0f us  (%zu runs)  %s\n",
                 (double)times[0] / 1e3, (double)times[runs / 2] / 1e3,
                 (double)times[runs - 1 - runs / 20] / 1e3, (double)times[runs - 1 - runs / 100] / 1e3, runs,
                 name);
}

int main(int argc, char **argv) {
    long runs = argc > 3 ? strtol(argv[1], NULL, 10) : 0, bytes = argc > 3 ? strtol(argv[2], NULL, 10) : 0;
    if (runs < 1 || runs > RUNS_MAX || bytes < 1 || bytes > PAYLOAD_BYTES_MAX) {
        (void)fprintf(
            stderr, "usage: spawn_bench RUNS PAYLOAD-BYTES COMMAND [ARGUMENT …] [-- COMMAND [ARGUMENT …]]\n");
        return 2;
    }
    char **commands[2] = {argv + 3, second_command(argv + 3)};
    AUTO(free) char *payload = make_payload((size_t)bytes);
    AUTO(free) int64_t *times = calloc((size_t)runs * 2, sizeof *times);
    if (!times) abort();
    (void)signal(SIGPIPE, SIG_IGN);
    for (long i = 0; i < runs; i++) {
        for (long c = 0; c < 2 && commands[c]; c++) {
            int64_t took = run_once(commands[c], payload, (size_t)bytes);
            if (took < 0) {
                (void)fprintf(stderr, "spawn_bench: %s failed\n", commands[c][0]);
                return 1;
            }
            times[c * runs + i] = took;
        }
    }
    for (long c = 0; c < 2 && commands[c]; c++)
        print_times(times + c * runs, (size_t)runs, commands[c][0]);
    return 0;
}
