/*
 * Listening. The loop only tells that somebody waits; accepting is done here, so that a crowd gets a bounded part of each turn, and
 * so that without a free descriptor the loop does not spin. One descriptor is kept for that case: with it strangers and those who are
 * gone already are taken out of the way, and the first of ours behind them gets it. The others wait until something is closed.
 */
#include "net/net_int.h"

#include "base/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 511, ACCEPTED_A_TURN = 32, PAUSE_MS = 50 };

static void on_ready(uv_poll_t *poll, int status, int events);

static void watch_all(struct http_server *s) {
    for (unsigned i = 0; i < s->listener_count; i++)
        if (s->listeners[i].open) (void)uv_poll_start(&s->listeners[i].poll, UV_READABLE, on_ready);
}

void listen_resume(struct http_server *s) {
    if (!uv_is_active((uv_handle_t *)&s->pause)) return;
    (void)uv_timer_stop(&s->pause);
    watch_all(s);
}

static void on_pause_over(uv_timer_t *timer) {
    watch_all(timer->data);
}

static void pause_all(struct http_server *s) {
    for (unsigned i = 0; i < s->listener_count; i++)
        if (s->listeners[i].open) (void)uv_poll_stop(&s->listeners[i].poll);
    (void)uv_timer_start(&s->pause, on_pause_over, PAUSE_MS, 0);
}

static void keep_reserve(struct http_server *s) {
    if (s->reserve < 0) s->reserve = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* A descriptor or -errno; the last one there is, if need be. */
static int take_one(struct listener *l) {
    struct http_server *s = l->server;
    for (;;) {
        int fd = accept4(l->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0) return fd;
        if (errno != EMFILE && errno != ENFILE) return -errno;
        if (s->reserve < 0) return -EMFILE;
        (void)close(TAKE_FD(s->reserve));
    }
}

static bool is_passing(int error) {
    return error == ECONNABORTED || error == EINTR || error == EPROTO;
}

static void on_ready(uv_poll_t *poll, int status UNUSED, int events UNUSED) {
    struct listener *l = CONTAINER_OF(poll, struct listener, poll);
    struct http_server *s = l->server;
    for (int i = 0; i < ACCEPTED_A_TURN; i++) {
        keep_reserve(s);
        int fd = take_one(l);
        if (fd >= 0) {
            door_accept(s, fd, l->is_door);
        } else if (fd == -EAGAIN) {
            break;
        } else if (!is_passing(-fd)) {
            pause_all(s); /* no descriptor, no memory: others give some back */
            return;
        }
    }
    keep_reserve(s);
}

/* Takes the descriptor. */
static int watch(struct http_server *s, int fd, bool is_door) {
    assert(s->listener_count < NET_LISTENERS_MAX);
    struct listener *l = &s->listeners[s->listener_count++];
    *l = (struct listener){.server = s, .fd = fd, .is_door = is_door};
    int r = uv_poll_init(s->loop, &l->poll, fd);
    if (r < 0) return r;
    l->poll.data = s;
    l->open = true;
    s->handles++;
    return uv_poll_start(&l->poll, UV_READABLE, on_ready);
}

static int parse_address(const char *host, uint16_t port, struct sockaddr_storage *ret) {
    if (uv_ip4_addr(host, port, (struct sockaddr_in *)(void *)ret) == 0) return 0;
    return uv_ip6_addr(host, port, (struct sockaddr_in6 *)(void *)ret);
}

static int open_socket(const struct sockaddr_storage *at, bool only_v6) {
    static const int yes = 1;
    const int v6_only = only_v6;
    bool v6 = at->ss_family == AF_INET6;
    AUTO(fd) int fd = socket(at->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) < 0 ||
        (v6 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &v6_only, sizeof v6_only) < 0) ||
        bind(fd, (const struct sockaddr *)at, v6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in)) <
            0 ||
        listen(fd, BACKLOG) < 0)
        return -errno;
    return TAKE_FD(fd);
}

int listen_tcp(struct http_server *s, const char *host, uint16_t port) {
    struct sockaddr_storage at = {0};
    int r = parse_address(host, port, &at);
    if (r < 0) return r;
    int fd = open_socket(&at, strcmp(host, "::") != 0); /* "::" is every address there is */
    return fd < 0 ? fd : watch(s, fd, false);
}

/* With a descriptor of its own: closing the socket also removes its path, if that is still ours. */
int listen_door(struct http_server *s) {
    int fd = fcntl(s->socket.fd, F_DUPFD_CLOEXEC, 0);
    return fd < 0 ? -errno : watch(s, fd, true);
}

int listen_port(const struct http_server *s, uint16_t *ret) {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } at = {0};
    socklen_t n = sizeof at;
    if (getsockname(s->listeners[0].fd, &at.any, &n) < 0) return -errno;
    *ret = ntohs(at.any.sa_family == AF_INET6 ? at.v6.sin6_port : at.v4.sin_port);
    return 0;
}

void listen_close(struct http_server *s) {
    (void)uv_timer_stop(&s->pause);
    if (s->reserve >= 0) (void)close(TAKE_FD(s->reserve));
    for (unsigned i = 0; i < s->listener_count; i++) {
        struct listener *l = &s->listeners[i];
        if (l->open) uv_close((uv_handle_t *)&l->poll, server_handle_closed);
        l->open = false;
        if (l->fd >= 0) (void)close(TAKE_FD(l->fd));
    }
}
