/*
 * A viewer of a terminal, as fast as one can be.
 *
 *     tty_bench PORT PATH drain        what keeper_bench prints, every byte: "bytes N  seconds S"
 *     tty_bench PORT PATH echo RUNS    a key is typed, its echo waited for; the distribution
 *     tty_bench PORT PATH attach RUNS  a connection until its first screen is there; the distribution, and its bytes
 */
#include "base/cleanup.h"
#include "ws_peer.h"

#include <unistd.h>

enum { HEAD = 24, ACK_BYTES = 128 << 10, PAUSE_NS = 1000000 };

static bool is_output(size_t n) {
    return n > HEAD && ws_message[0] == 1;
}

static uint64_t end_offset(size_t n) {
    uint64_t offset;
    memcpy(&offset, ws_message + 16, sizeof offset);
    return offset + n - HEAD;
}

/* keeper_bench prints this when it waits for a key: before and behind its lines. */
#define MARK "~ready~"

static bool ends_with_mark(size_t n) {
    size_t mark = sizeof MARK - 1;
    return n >= HEAD + mark && memcmp(ws_message + n - mark, MARK, mark) == 0;
}

static void drain(int fd) {
    uint64_t bytes = 0, acked = 0;
    double start = 0;
    ws_send(fd, "\r", 1, true);
    for (;;) {
        size_t n = ws_next(fd);
        if (!is_output(n)) continue;
        if (start > 0) bytes += n - HEAD;
        if (ends_with_mark(n)) {
            if (start > 0) break;
            start = now_us();
            ws_send(fd, "\r", 1, true);
        }
        if (bytes - acked < ACK_BYTES) continue;
        acked = bytes;
        char ack[64];
        int k = snprintf(ack, sizeof ack, "{\"type\":\"ack\",\"offset\":%llu}",
                         (unsigned long long)end_offset(n));
        ws_send(fd, ack, (size_t)k, false);
    }
    (void)printf("bytes %llu  seconds %.6f\n", (unsigned long long)bytes, (now_us() - start) / 1e6);
}

static double echo_once(int fd, char key) {
    double start = now_us();
    ws_send(fd, &key, 1, true);
    for (;;) {
        size_t n = ws_next(fd);
        if (is_output(n) && memchr(ws_message + HEAD, key, n - HEAD)) return now_us() - start;
    }
}

int main(int argc, char **argv) {
    long port = argc >= 4 ? strtol(argv[1], NULL, 10) : 0, runs = argc == 5 ? strtol(argv[4], NULL, 10) : 1;
    if (port < 1 || port > UINT16_MAX || runs < 1 || runs > 1000000) {
        (void)fprintf(stderr, "usage: tty_bench PORT PATH drain|echo|attach [RUNS]\n");
        return 2;
    }
    AUTO(free) double *times = calloc((size_t)runs, sizeof *times);
    if (!times) die("memory");
    if (strcmp(argv[3], "attach") == 0) {
        size_t n = 0;
        for (long i = 0; i < runs; i++) {
            double start = now_us();
            AUTO(fd) int fd = ws_connect((uint16_t)port, argv[2], "ostler.tty.v1");
            do
                n = ws_next(fd);
            while (ws_message[0] != 2);
            times[i] = now_us() - start;
            ws_begin = ws_end = 0;
        }
        (void)printf("bytes %zu  ", n);
        print_quantiles(times, (size_t)runs);
        return 0;
    }
    AUTO(fd) int fd = ws_connect((uint16_t)port, argv[2], "ostler.tty.v1");
    if (strcmp(argv[3], "drain") == 0) {
        drain(fd);
        return 0;
    }
    for (long i = 0; i < runs; i++) {
        times[i] = echo_once(fd, (char)('a' + i % 26));
        (void)nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    }
    print_quantiles(times, (size_t)runs);
    return 0;
}
