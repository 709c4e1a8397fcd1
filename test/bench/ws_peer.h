/* A WebSocket client that blocks, and what measuring programs share with it. */
#pragma once

#include "base/compiler.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { WS_MESSAGE_MAX = 64 << 20, WS_BUFFERED = 1 << 20 };

static char ws_message[WS_MESSAGE_MAX + 1];

static NORETURN void die(const char *what) {
    (void)fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

static inline double now_us(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* What was received and not yet asked for; of the one connection there is. */
static char ws_waiting[WS_BUFFERED];
static size_t ws_begin, ws_end;

static inline void ws_receive(int fd, char *to, size_t n) {
    while (n) {
        if (ws_begin == ws_end && n >= WS_BUFFERED / 2) {
            ssize_t got = recv(fd, to, n, 0);
            if (got <= 0) die("the connection ended");
            to += got;
            n -= (size_t)got;
            continue;
        }
        if (ws_begin == ws_end) {
            ssize_t got = recv(fd, ws_waiting, sizeof ws_waiting, 0);
            if (got <= 0) die("the connection ended");
            ws_begin = 0;
            ws_end = (size_t)got;
        }
        size_t part = MIN(n, ws_end - ws_begin);
        memcpy(to, ws_waiting + ws_begin, part);
        ws_begin += part;
        to += part;
        n -= part;
    }
}

static inline int ws_connect(uint16_t port, const char *path, const char *protocol) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to) < 0) die("connect");
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    char request[1024];
    int n = snprintf(request, sizeof request,
                     "GET %s HTTP/1.1\r\nHost: localhost:%u\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                     "Sec-WebSocket-Protocol: %s\r\n\r\n",
                     path, port, protocol);
    if (send(fd, request, (size_t)n, 0) != n) die("send");
    char tail[5] = "";
    while (strcmp(tail, "\r\n\r\n") != 0) {
        memmove(tail, tail + 1, 3);
        ws_receive(fd, tail + 3, 1);
    }
    return fd;
}

/* The next message, with a NUL behind it; the server's frames are not masked. Returns its bytes. */
static inline size_t ws_next(int fd) {
    char head[2], more[8];
    ws_receive(fd, head, 2);
    uint64_t n = head[1] & 127;
    size_t extra = n == 126 ? 2 : n == 127 ? 8 : 0;
    if (extra) {
        ws_receive(fd, more, extra);
        n = 0;
        for (size_t i = 0; i < extra; i++)
            n = n << 8 | (unsigned char)more[i];
    }
    if (n > WS_MESSAGE_MAX) die("a message is too large");
    ws_receive(fd, ws_message, n);
    ws_message[n] = '\0';
    return n;
}

/* A short message, masked with zeros. */
static inline void ws_send(int fd, const char *p, size_t n, bool binary) {
    char frame[6 + 125] = {(char)(binary ? 0x82 : 0x81), (char)(0x80 | n)};
    if (n > 125) die("a message is too long");
    memcpy(frame + 6, p, n);
    if (send(fd, frame, 6 + n, 0) != (ssize_t)(6 + n)) die("send");
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static inline void print_quantiles(double *times, size_t n) {
    qsort(times, n, sizeof *times, by_size);
    (void)printf("min %.0f us  p50 %.0f us  p95 %.0f us  p99 %.0f us  (%zu runs)\n", times[0], times[n / 2],
                 times[n - 1 - n / 20], times[n - 1 - n / 100], n);
}
