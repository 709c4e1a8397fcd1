/* One request a connection, answered with Content-Length: what the daemon always sends. */
#include "cli/client.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/jscan.h"
#include "platform/peers.h"
#include "platform/unixsock.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static int no_daemon(struct err *err) {
    return err_set(err, -ENOENT, "no daemon is running: start it with ostler serve");
}

/* On a full disk a daemon cannot say where it is, but its socket has a name that everybody knows. */
static bool find_by_socket(const struct paths *paths, struct daemon_info *ret) {
    struct daemon_info info = {0};
    int n = snprintf(info.socket, sizeof info.socket, "%s/" DAEMON_SOCKET, paths->run);
    if (n < 0 || (size_t)n >= sizeof info.socket) return false;
    AUTO(fd) int fd = unixsock_connect(info.socket);
    if (fd < 0) return false;
    (void)snprintf(info.url, sizeof info.url, "an address that could not be written down");
    *ret = info;
    return true;
}

int client_find(struct daemon_info *ret, struct err *err) {
    struct paths paths;
    int r = paths_resolve(&paths, err);
    if (r < 0) return r;
    r = daemon_file_read(&paths, ret);
    if (r < 0 && find_by_socket(&paths, ret)) return 0;
    if (r == -ENOENT) return no_daemon(err);
    if (r < 0) return err_sys(err, r, "cannot read %s/daemon.json", paths.run);
    return 0;
}

static void set_limits(int fd) {
    struct timeval limit = {.tv_sec = CLIENT_TIMEOUT_S};
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

/* Whoever answers is told the person's whole environment, and believed: it must be theirs. */
static bool is_ours(uid_t user) {
    return user == geteuid() || user == 0;
}

/* The owner's socket: whoever can open it needs no password. */
static int connect_socket(const struct daemon_info *daemon) {
    struct unixsock_peer peer;
    if (!daemon->socket[0]) return -ENOENT;
    AUTO(fd) int fd = unixsock_connect(daemon->socket);
    if (fd < 0) return fd;
    int r = unixsock_peer(fd, &peer);
    if (r < 0 || !is_ours(peer.uid)) return r < 0 ? r : -EACCES;
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) < 0) return -errno;
    set_limits(fd);
    return TAKE_FD(fd);
}

/* The kernel knows whose the other end is once it was accepted. */
static int listening_user(int fd, uid_t *ret) {
    enum { LOOK_MS = 5 };
    struct peers peers;
    int r = peers_open(&peers);
    if (r == 0) r = peers_user(&peers, fd, ret);
    for (int waited = 0; r == -ENOENT && waited < CLIENT_TIMEOUT_S * 1000; waited += LOOK_MS) {
        (void)poll(NULL, 0, LOOK_MS);
        r = peers_user(&peers, fd, ret);
    }
    peers_close(&peers);
    return r;
}

/* A port is anybody's: the daemon that had it may be gone, and another user of this machine wait there. */
static int check_port(int fd, const struct daemon_info *daemon, struct err *err) {
    uid_t user;
    int r = listening_user(fd, &user);
    if (r < 0)
        return err_sys(err, r, "cannot find out whose port %u is, so nothing is sent there", daemon->port);
    if (is_ours(user)) return 0;
    return err_set(err, -EACCES,
                   "port %u belongs to another user of this machine: start your daemon with ostler serve",
                   daemon->port);
}

static int connect_port(const struct daemon_info *daemon, struct err *err) {
    AUTO(fd) int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return err_sys(err, -errno, "cannot open a socket");
    set_limits(fd);
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(daemon->port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0) {
        int r = check_port(fd, daemon, err);
        return r < 0 ? r : TAKE_FD(fd);
    }
    /* daemon.json was left by a daemon that was killed. */
    if (errno == ECONNREFUSED) return no_daemon(err);
    return err_sys(err, -errno, "cannot reach the daemon on port %u", daemon->port);
}

static bool is_running(const struct daemon_info *daemon) {
    struct paths paths;
    struct daemon_process process;
    return paths_resolve(&paths, NULL) == 0 && daemon_running(&paths, &process) == 0 &&
           process.pid == daemon->pid;
}

int client_connect(const struct daemon_info *daemon, struct err *err) {
    int by_socket = connect_socket(daemon);
    if (by_socket >= 0) return by_socket;
    /* If it was killed its port may be somebody else's by now, who would be told what is for the daemon. */
    if (by_socket == -ECONNREFUSED || !is_running(daemon)) return no_daemon(err);
    AUTO(fd) int fd = connect_port(daemon, err);
    if (fd < 0) return fd;
    if (!daemon->fingerprint[0]) return TAKE_FD(fd);
    return err_sys(
        err, by_socket,
        "the daemon's port speaks TLS, which the command line does not, and its socket %s does not answer",
        daemon->socket);
}

static int send_request(int fd, const struct daemon_info *daemon, const char *method, const char *path,
                        struct span json, struct err *err) {
    AUTO(buf) struct buf request = BUF_INIT(CLIENT_REQUEST_MAX);
    (void)buf_printf(&request, "%s %s HTTP/1.1\r\nHost: localhost", method, path);
    if (daemon->port) (void)buf_printf(&request, ":%u", daemon->port);
    (void)buf_append_span(&request, SPAN("\r\nConnection: close\r\n"));
    if (json.n)
        (void)buf_printf(&request, "Content-Type: application/json\r\nContent-Length: %zu\r\n", json.n);
    (void)buf_append(&request, "\r\n", 2);
    (void)buf_append_span(&request, json);
    if (request.failed) return err_set(err, -ENAMETOOLONG, "the request is too long");
    for (struct span rest = buf_span(&request); rest.n;) {
        ssize_t n = send(fd, rest.p, rest.n, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return err_sys(err, -errno, "cannot send to the daemon");
        rest = span_skip(rest, (size_t)n);
    }
    return 0;
}

static int request(const struct daemon_info *daemon, const char *method, const char *path, struct span json,
                   struct buf *body, struct err *err) {
    int connected = client_connect(daemon, err);
    if (connected < 0) return connected;
    AUTO(fd) int fd = connected;
    int r = send_request(fd, daemon, method, path, json, err);
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
        return err_set(err, -EPROTO, "%s does not answer like an ostler", daemon->url);
    buf_consume(body, (size_t)(end + 4 - body->p));
    return (int)status;
}

int client_get(const struct daemon_info *daemon, const char *path, struct buf *body, struct err *err) {
    return request(daemon, "GET", path, SPAN_NONE, body, err);
}

static int refused(int status, struct span body, struct err *err) {
    struct jmember m[] = {JMEMBER("error")};
    AUTO(arena) struct arena arena = ARENA_INIT(64 << 10);
    struct span why;
    if (jscan_object(body, m, ARRAY_LEN(m)) == 1 && jscan_string(m[0].value, &arena, &why) == 0 && why.n)
        return err_set(err, -EREMOTEIO, "%.*s", SPAN_ARG(why));
    return err_set(err, -EREMOTEIO, "the daemon refuses with status %d", status);
}

int client_call(const struct daemon_info *daemon, const char *method, const char *path, struct span json,
                struct buf *body, int *ret_status, struct err *err) {
    int status = request(daemon, method, path, json, body, err);
    if (status < 0) return status;
    if (ret_status) *ret_status = status;
    return status >= 400 ? refused(status, buf_span(body), err) : 0;
}

void client_path_append(struct buf *path, struct span part) {
    for (size_t i = 0; i < part.n; i++) {
        unsigned char c = (unsigned char)part.p[i];
        if (isalnum(c) || strchr("-_.~", c))
            (void)buf_append_char(path, (char)c);
        else
            (void)buf_printf(path, "%%%02X", c);
    }
}
