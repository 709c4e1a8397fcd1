/* One request a connection, answered with Content-Length: what the daemon always sends. */
#include "cli/client.h"

#include "base/cleanup.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static int no_daemon(struct err *err) {
    return err_set(err, -ENOENT, "no daemon is running: start it with ostler serve");
}

int client_find(struct daemon_info *ret, struct err *err) {
    struct paths paths;
    int r = paths_resolve(&paths, err);
    if (r < 0) return r;
    r = daemon_file_read(&paths, ret);
    if (r == -ENOENT) return no_daemon(err);
    if (r < 0) return err_sys(err, r, "cannot read %s/daemon.json", paths.run);
    return 0;
}

static int connect_to(uint16_t port, struct err *err) {
    AUTO(fd) int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return err_sys(err, -errno, "cannot open a socket");
    struct timeval limit = {.tv_sec = CLIENT_TIMEOUT_S};
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0) return TAKE_FD(fd);
    /* daemon.json was left by a daemon that was killed. */
    if (errno == ECONNREFUSED) return no_daemon(err);
    return err_sys(err, -errno, "cannot reach the daemon on port %u", port);
}

static int send_request(int fd, const struct daemon_info *daemon, const char *path, struct err *err) {
    char request[2048];
    int n =
        snprintf(request, sizeof request,
                 "GET %s HTTP/1.1\r\nHost: localhost:%u\r\nConnection: close\r\n\r\n", path, daemon->port);
    if (n < 0 || n >= (int)sizeof request) return err_set(err, -ENAMETOOLONG, "the request is too long");
    if (send(fd, request, (size_t)n, MSG_NOSIGNAL) != n)
        return err_sys(err, -EIO, "cannot send to the daemon");
    return 0;
}

int client_get(const struct daemon_info *daemon, const char *path, struct buf *body, struct err *err) {
    int connected = connect_to(daemon->port, err);
    if (connected < 0) return connected;
    AUTO(fd) int fd = connected;
    int r = send_request(fd, daemon, path, err);
    if (r < 0) return r;
    for (;;) {
        char *room = buf_reserve(body, 64 << 10);
        if (!room) return err_set(err, -ENOBUFS, "the daemon's answer is too large");
        ssize_t n = recv(fd, room, 64 << 10, 0);
        if (n == 0) break;
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN)
            return err_set(err, -ETIMEDOUT, "the daemon (pid %lld) does not answer", (long long)daemon->pid);
        if (n < 0) return err_sys(err, -errno, "the daemon's answer was cut off");
        buf_grew(body, (size_t)n);
    }
    const char *end = body->n ? memmem(body->p, body->n, "\r\n\r\n", 4) : NULL;
    uint64_t status;
    if (!end || body->n < 12 || !span_u64(span_of(body->p + 9, 3), &status))
        return err_set(err, -EPROTO, "port %u does not answer like an ostler", daemon->port);
    buf_consume(body, (size_t)(end + 4 - body->p));
    return (int)status;
}
