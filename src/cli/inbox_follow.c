#include "cli/inbox_follow.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "cli/client.h"
#include "net/ws_client.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MESSAGE_MAX = 256 << 20, READ_BYTES = 64 << 10, CLOSE_NORMAL = 1000 };

struct inbox_follow {
    int fd;
    struct ws_client *ws;
    const struct inbox_follow_events *events;
    void *user;
};

static void on_opened(void *user) {
    struct inbox_follow *f = user;
    (void)ws_client_send(f->ws, SPAN("{\"type\":\"inbox\",\"on\":true}"), false);
    f->events->opened(f->user);
}

static void on_message(void *user, struct span message, bool binary) {
    struct inbox_follow *f = user;
    if (!binary) f->events->message(f->user, message);
}

static const struct ws_client_events ws_events = {.opened = on_opened, .message = on_message};

static int flush(struct inbox_follow *f) {
    struct buf *out = ws_client_out(f->ws);
    while (out->n) {
        ssize_t n = send(f->fd, out->p, out->n, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno == EAGAIN ? 0 : -errno;
        buf_consume(out, (size_t)n);
    }
    return 0;
}

int inbox_follow_open(const struct daemon_info *daemon, const struct inbox_follow_events *events, void *user,
                      struct inbox_follow **ret, struct err *err) {
    int fd = client_connect(daemon, err);
    if (fd < 0) return fd;
    struct inbox_follow *f = xcalloc(1, sizeof *f);
    *f = (struct inbox_follow){.fd = fd, .events = events, .user = user};
    f->ws = ws_client_new(daemon->port, "/ws", "ostler.board.v1", MESSAGE_MAX, &ws_events, f);
    (void)flush(f);
    *ret = f;
    return 0;
}

void inbox_follow_close(struct inbox_follow *f) {
    if (!f) return;
    ws_client_close(f->ws, CLOSE_NORMAL);
    (void)flush(f);
    (void)close(f->fd);
    ws_client_free(f->ws);
    free(f);
}

int inbox_follow_fd(const struct inbox_follow *f) {
    return f->fd;
}

short inbox_follow_wants(const struct inbox_follow *f) {
    return (short)(POLLIN | (ws_client_out(f->ws)->n ? POLLOUT : 0));
}

int inbox_follow_ready(struct inbox_follow *f, short events, struct err *err) {
    if (events & (POLLIN | POLLHUP | POLLERR)) {
        AUTO(free) char *bytes = xmalloc(READ_BYTES);
        ssize_t n = recv(f->fd, bytes, READ_BYTES, MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
        if (n <= 0) return err_set(err, -EPIPE, "the daemon is gone");
        int r = ws_client_feed(f->ws, span_of(bytes, (size_t)n), err);
        if (r < 0) return r;
    }
    if (flush(f) < 0) return err_set(err, -EPIPE, "the daemon is gone");
    return ws_client_ended(f->ws) ? err_set(err, -EPIPE, "the daemon has closed the connection") : 0;
}

int inbox_follow_send(struct inbox_follow *f, struct span json) {
    if (!ws_client_is_open(f->ws)) return -ENOTCONN;
    int r = ws_client_send(f->ws, json, false);
    (void)flush(f);
    return r;
}
