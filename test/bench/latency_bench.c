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

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RUNS_MAX = 100000, SESSIONS = 100, MESSAGE_BYTES_MAX = 64 << 20, PAUSE_NS = 2000000 };

static char message[MESSAGE_BYTES_MAX + 1];

static NORETURN void die(const char *what) {
    (void)fprintf(stderr, "latency_bench: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double now_us(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void receive(int fd, void *to, size_t n) {
    for (char *p = to; n;) {
        ssize_t got = recv(fd, p, n, 0);
        if (got <= 0) die("the connection ended");
        p += got;
        n -= (size_t)got;
    }
}

static int connect_board(uint16_t port) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to) < 0) die("connect");
    char request[512];
    int n = snprintf(request, sizeof request,
                     "GET /ws HTTP/1.1\r\nHost: localhost:%u\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                     "Sec-WebSocket-Protocol: ostler.board.v1\r\n\r\n",
                     port);
    if (send(fd, request, (size_t)n, 0) != n) die("send");
    char tail[5] = "";
    while (strcmp(tail, "\r\n\r\n") != 0) {
        memmove(tail, tail + 1, 3);
        receive(fd, tail + 3, 1);
    }
    return fd;
}

/* The next message as a string; the server's frames are not masked. */
static void next_message(int fd) {
    unsigned char head[2], more[8];
    receive(fd, head, 2);
    uint64_t n = head[1] & 127;
    size_t extra = n == 126 ? 2 : n == 127 ? 8 : 0;
    if (extra) {
        receive(fd, more, extra);
        n = 0;
        for (size_t i = 0; i < extra; i++)
            n = n << 8 | more[i];
    }
    if (n > MESSAGE_BYTES_MAX) die("a message is too large");
    receive(fd, message, n);
    message[n] = '\0';
}

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
        next_message(fd);
    while (!strstr(message, mark));
    double took = now_us() - start;
    (void)waitpid(pid, NULL, 0);
    (void)nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    return took;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
    long runs = argc == 4 ? strtol(argv[3], NULL, 10) : 0, port = argc == 4 ? strtol(argv[1], NULL, 10) : 0;
    if (runs < 1 || runs > RUNS_MAX || port < 1 || port > UINT16_MAX) {
        (void)fprintf(stderr, "usage: latency_bench PORT HOOK RUNS\n");
        return 2;
    }
    AUTO(fd) int fd = connect_board((uint16_t)port);
    AUTO(free) double *times = calloc((size_t)runs, sizeof *times);
    if (!times) die("memory");
    for (long i = 0; i < runs; i++)
        times[i] = run_once(fd, argv[2], i);
    qsort(times, (size_t)runs, sizeof *times, by_size);
    (void)printf("min %.0f us  p50 %.0f us  p95 %.0f us  p99 %.0f us  (%ld runs)\n", times[0],
                 times[runs / 2], times[runs - 1 - runs / 20], times[runs - 1 - runs / 100], runs);
    return 0;
}
