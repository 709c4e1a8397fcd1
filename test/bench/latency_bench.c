/*
 * From the start of a hook's process to the WebSocket message at a board: starts the hook N times, each time waits for
 * the message that tells of it, and prints the distribution.
 *
 *     latency_bench PORT HOOK RUNS
 *
 * Runs take turns among many sessions, because a session's second change within 50 ms is held back on purpose.
 */
#include "base/cleanup.h"
#include "base/compiler.h"
#include "start_hook.h"
#include "ws_peer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RUNS_MAX = 100000, SESSIONS = 100, PAUSE_NS = 2000000 };

static double run_once(int fd, char *hook, long i) {
    char payload[512], mark[64];
    (void)snprintf(mark, sizeof mark, "run %ld of many", i);
    (void)snprintf(
        payload, sizeof payload,
        "{\"session_id\":\"bench-%ld\",\"hook_event_name\":\"UserPromptSubmit\",\"cwd\":\"/srv/p\",\"prompt\":\"%s\"}",
        i % SESSIONS, mark);
    double start = now_us();
    pid_t pid = start_hook(hook, payload);
    if (!pid) die(hook);
    do
        (void)ws_next(fd);
    while (!strstr(ws_message, mark));
    double took = now_us() - start;
    (void)waitpid(pid, NULL, 0);
    (void)nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    return took;
}

int main(int argc, char **argv) {
    long runs = argc == 4 ? strtol(argv[3], NULL, 10) : 0, port = argc == 4 ? strtol(argv[1], NULL, 10) : 0;
    if (runs < 1 || runs > RUNS_MAX || port < 1 || port > UINT16_MAX) {
        (void)fprintf(stderr, "usage: latency_bench PORT HOOK RUNS\n");
        return 2;
    }
    AUTO(fd) int fd = ws_connect((uint16_t)port, "/ws", "ostler.board.v1");
    AUTO(free) double *times = calloc((size_t)runs, sizeof *times);
    if (!times) die("memory");
    for (long i = 0; i < runs; i++)
        times[i] = run_once(fd, argv[2], i);
    print_quantiles(times, (size_t)runs);
    return 0;
}
