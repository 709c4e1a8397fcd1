#include "net/net_int.h"

#include "base/cleanup.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

enum { BACKLOG = 511 };

static const struct http_limits defaults = {
    .url = 8 * 1024,
    .headers = 32 * 1024,
    .body = 10 * 1024 * 1024,
    .head_ms = 10000,
    .body_ms = 30000,
    .idle_ms = 60000,
    .ping_ms = WS_PING_MS,
    .pong_ms = WS_PONG_MS,
    .rate = 1024,
    .connections = 1024,
    .per_address = 128,
};

static struct http_limits with_defaults(const struct http_limits *l) {
    struct http_limits r = l ? *l : defaults;
    if (!r.url) r.url = defaults.url;
    if (!r.headers) r.headers = defaults.headers;
    if (!r.body) r.body = defaults.body;
    if (!r.head_ms) r.head_ms = defaults.head_ms;
    if (!r.body_ms) r.body_ms = defaults.body_ms;
    if (!r.idle_ms) r.idle_ms = defaults.idle_ms;
    if (!r.ping_ms) r.ping_ms = defaults.ping_ms;
    if (!r.pong_ms) r.pong_ms = defaults.pong_ms;
    if (!r.rate) r.rate = defaults.rate;
    if (!r.connections) r.connections = defaults.connections;
    if (!r.per_address) r.per_address = defaults.per_address;
    return r;
}

static void on_timer(uv_timer_t *timer) {
    struct http_server *s = timer->data;
    usec_t now = server_now(s);
    s->armed = USEC_NEVER;
    for (struct heap_node *node; (node = heap_first(&s->deadlines)) && node->due <= now;)
        conn_expired(CONTAINER_OF(node, struct conn, timer));
    server_arm(s);
}

/* One timer for all connections, set to the earliest deadline. */
void server_arm(struct http_server *s) {
    struct heap_node *first = heap_first(&s->deadlines);
    if (!first || s->ending || first->due >= s->armed) return;
    s->armed = first->due;
    usec_t in = MAX(first->due - server_now(s), 0);
    (void)uv_timer_start(&s->timer, on_timer, (uint64_t)(in / USEC_PER_MSEC), 0);
}

/* Connections touched since the last safe point. The check handle runs right behind the callbacks of the poll, so what
 * another module's callback wanted written leaves in the same turn of the loop; the prepare handle runs right before
 * the next poll and catches what timers and closing handles wanted. A connection's own callbacks need neither. */
static void flush_dirty(struct http_server *s) {
    for (struct conn *c; (c = list_first(&s->dirty, struct conn, dirty));)
        conn_step(c);
}

static void on_prepare(uv_prepare_t *prepare) {
    flush_dirty(prepare->data);
}

static void on_check(uv_check_t *check) {
    flush_dirty(check->data);
}

static void on_handle_closed(uv_handle_t *handle) {
    struct http_server *s = handle->data;
    if (--s->handles > 0) return;
    assert(s->ending && s->conn_count == 0);
    heap_fini(&s->deadlines);
    crowd_fini(&s->crowd);
    free(s->proxies);
    free(s);
}

static void close_handle(uv_handle_t *handle) {
    if (!uv_is_closing(handle)) uv_close(handle, on_handle_closed);
}

/* The timer lives as long as there are connections to watch. */
static void end_when_empty(struct http_server *s) {
    if (!s->closing || s->conn_count > 0 || s->ending) return;
    s->ending = true;
    close_handle((uv_handle_t *)&s->timer);
    close_handle((uv_handle_t *)&s->prepare);
    close_handle((uv_handle_t *)&s->check);
}

void server_conn_gone(struct http_server *s) {
    s->conn_count--;
    end_when_empty(s);
}

static void on_connection(uv_stream_t *listener, int status) {
    if (status == 0) door_accept(listener->data, listener);
}

static int parse_address(const char *host, uint16_t port, struct sockaddr_storage *ret) {
    if (uv_ip4_addr(host, port, (struct sockaddr_in *)(void *)ret) == 0) return 0;
    return uv_ip6_addr(host, port, (struct sockaddr_in6 *)(void *)ret);
}

static int bound_port(const uv_tcp_t *tcp, uint16_t *ret) {
    struct sockaddr_storage at = {0};
    int n = sizeof at;
    int r = uv_tcp_getsockname(tcp, (struct sockaddr *)&at, &n);
    if (r < 0) return r;
    *ret = ntohs(at.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)(void *)&at)->sin6_port
                                          : ((struct sockaddr_in *)(void *)&at)->sin_port);
    return 0;
}

/* The handle is closed by http_close() also when this fails. */
static int listen_on(struct http_server *s, const char *host, uint16_t port) {
    struct sockaddr_storage at = {0};
    int r = parse_address(host, port, &at);
    if (r < 0) return r;
    uv_tcp_t *tcp = &s->listeners[s->listener_count++];
    r = uv_tcp_init(s->loop, tcp);
    if (r < 0) {
        s->listener_count--;
        return r;
    }
    tcp->data = s;
    s->handles++;
    bool only_v6 = at.ss_family == AF_INET6 && strcmp(host, "::") != 0; /* "::" is every address there is */
    r = uv_tcp_bind(tcp, (struct sockaddr *)&at, only_v6 ? UV_TCP_IPV6ONLY : 0);
    if (r < 0) return r;
    return uv_listen((uv_stream_t *)tcp, BACKLOG, on_connection);
}

static int explain(struct err *err, int code, const char *host, uint16_t port) {
    switch (code) {
    case -EADDRINUSE:
        return err_set(err, code, "port %u of %s is busy: another program listens there", port, host);
    case -EACCES:
        return err_set(err, code, "port %u of %s needs more rights: choose one above 1023", port, host);
    case -EADDRNOTAVAIL: return err_set(err, code, "%s is not an address of this machine", host);
    case -EINVAL: return err_set(err, code, "\"%s\" is not an IP address to listen on", host);
    default: return err_sys(err, code, "cannot listen on port %u of %s", port, host);
    }
}

static struct http_server *server_new(uv_loop_t *loop, const struct http_limits *limits) {
    struct http_server *s = xcalloc(1, sizeof *s);
    s->loop = loop;
    s->limits = with_defaults(limits);
    s->socket.fd = -1;
    crowd_init(&s->crowd, s->limits.connections, s->limits.per_address);
    s->armed = USEC_NEVER;
    list_init(&s->conns);
    list_init(&s->dirty);
    (void)uv_timer_init(loop, &s->timer);
    (void)uv_prepare_init(loop, &s->prepare);
    (void)uv_check_init(loop, &s->check);
    s->timer.data = s->prepare.data = s->check.data = s;
    s->handles = 3;
    (void)uv_prepare_start(&s->prepare, on_prepare);
    (void)uv_check_start(&s->check, on_check);
    return s;
}

int http_open(uv_loop_t *loop, const char *host, uint16_t port, const struct http_limits *limits,
              const struct http_ops *ops, void *user, struct http_server **ret, struct err *err) {
    /* A peer that goes away while we write is an error code for libuv to report, not a reason to die. */
    (void)signal(SIGPIPE, SIG_IGN);
    struct http_server *s = server_new(loop, limits);
    s->ops = ops;
    s->user = user;
    int r = listen_on(s, host, port);
    if (r == 0) r = bound_port(&s->listeners[0], &s->port);
    if (r < 0) {
        http_close(s);
        return explain(err, r, host, port);
    }
    /* Browsers try ::1 first for "localhost". A machine without IPv6 does without. */
    if (strcmp(host, "127.0.0.1") == 0 && listen_on(s, "::1", s->port) < 0 && s->listener_count == 2)
        close_handle((uv_handle_t *)&s->listeners[1]);
    *ret = s;
    return 0;
}

/* The loop gets a descriptor of its own: closing the socket also removes its path, if that is still ours. */
int http_open_door(struct http_server *s, const char *path, struct err *err) {
    int r = unixsock_listen(&s->socket, path);
    if (r < 0) return err_sys(err, r, "cannot listen on %s", path);
    AUTO(fd) int fd = fcntl(s->socket.fd, F_DUPFD_CLOEXEC, 0);
    r = fd < 0 ? -errno : uv_pipe_init(s->loop, &s->door, 0);
    if (r < 0) return err_sys(err, r, "cannot listen on %s", path);
    s->door.data = s;
    s->handles++;
    r = uv_pipe_open(&s->door, fd);
    if (r == 0) {
        (void)TAKE_FD(fd);
        r = uv_listen((uv_stream_t *)&s->door, BACKLOG, on_connection);
    }
    return r < 0 ? err_sys(err, r, "cannot listen on %s", path) : 0;
}

void http_use_tls(struct http_server *s, struct tls *tls) {
    s->tls = tls;
}

void http_trust_proxies(struct http_server *s, const struct addr_range *ranges, size_t count) {
    free(s->proxies);
    s->proxies = xreallocarray(NULL, count, sizeof *ranges);
    s->proxy_count = count;
    if (count) memcpy(s->proxies, ranges, count * sizeof *ranges);
}

uint16_t http_port(const struct http_server *s) {
    return s->port;
}

void http_close_holder(struct http_server *s, uint64_t holder, uint16_t code, struct span reason) {
    list_for_each(node, &s->conns) {
        struct conn *c = list_entry(node, struct conn, link);
        if (c->state == CONN_WS && ws_conn_holder(c) == holder) ws_close(c->ws, code, reason);
    }
}

/* Only notes it for each connection: this may be called by a handler that one of them is waiting for. */
void http_close(struct http_server *s) {
    if (s->closing) return;
    s->closing = true;
    for (unsigned i = 0; i < s->listener_count; i++)
        close_handle((uv_handle_t *)&s->listeners[i]);
    if (s->door.data) close_handle((uv_handle_t *)&s->door);
    unixsock_close(&s->socket);
    list_for_each(node, &s->conns) {
        struct conn *c = list_entry(node, struct conn, link);
        if (c->state == CONN_WS) ws_conn_going_away(c);
        if (c->state == CONN_LINGER) conn_deadline(c, NET_STOP_MS);
        conn_touch(c);
    }
    end_when_empty(s);
}
