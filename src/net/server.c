#include "net/ws_conn_int.h"

#include "base/cleanup.h"
#include "base/mem.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

enum { FEWEST_CONNECTIONS = 16 };

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
    .per_user = 32,
    .unread = 64 * 1024 * 1024,
};

/* Connections take a quarter of the descriptors, and those of the owner's door as many again: the rest is for terminals and files,
 * however many people come. */
static unsigned within_descriptors(unsigned connections) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur / 4 >= connections) return connections;
    return MIN(connections, MAX((unsigned)(limit.rlim_cur / 4), (unsigned)FEWEST_CONNECTIONS));
}

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
    if (!r.per_user) r.per_user = defaults.per_user;
    if (!r.unread) r.unread = defaults.unread;
    r.connections = within_descriptors(r.connections);
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

void server_handle_closed(uv_handle_t *handle) {
    struct http_server *s = handle->data;
    if (--s->handles > 0) return;
    assert(s->ending && s->conn_count == 0);
    heap_fini(&s->deadlines);
    crowd_fini(&s->crowd);
    assert(s->unread.used == 0);
    peers_close(&s->peers);
    free(s->proxies);
    free(s);
}

static void close_handle(uv_handle_t *handle) {
    if (!uv_is_closing(handle)) uv_close(handle, server_handle_closed);
}

/* The timer lives as long as there are connections to watch. */
static void end_when_empty(struct http_server *s) {
    if (!s->closing || s->conn_count > 0 || s->ending) return;
    s->ending = true;
    close_handle((uv_handle_t *)&s->timer);
    close_handle((uv_handle_t *)&s->pause);
    close_handle((uv_handle_t *)&s->prepare);
    close_handle((uv_handle_t *)&s->check);
}

void server_conn_gone(struct http_server *s) {
    s->conn_count--;
    if (!s->closing) listen_resume(s); /* there is a descriptor more */
    end_when_empty(s);
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
    s->socket.fd = s->reserve = -1;
    crowd_init(&s->crowd, s->limits.connections, s->limits.per_address, s->limits.per_user);
    s->unread.max = s->limits.unread;
    (void)peers_open(&s->peers); /* http_knows_users() tells */
    s->armed = USEC_NEVER;
    list_init(&s->conns);
    list_init(&s->dirty);
    (void)uv_timer_init(loop, &s->timer);
    (void)uv_timer_init(loop, &s->pause);
    (void)uv_prepare_init(loop, &s->prepare);
    (void)uv_check_init(loop, &s->check);
    s->timer.data = s->pause.data = s->prepare.data = s->check.data = s;
    s->handles = 4;
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
    int r = listen_tcp(s, host, port);
    if (r == 0) r = listen_port(s, &s->port);
    if (r < 0) {
        http_close(s);
        return explain(err, r, host, port);
    }
    /* Browsers try ::1 first for "localhost". A machine without IPv6 does without. */
    if (strcmp(host, "127.0.0.1") == 0) (void)listen_tcp(s, "::1", s->port);
    *ret = s;
    return 0;
}

int http_open_door(struct http_server *s, const char *path, struct err *err) {
    int r = strlen(path) < sizeof s->door ? 0 : -ENAMETOOLONG;
    if (r == 0) memcpy(s->door, path, strlen(path) + 1);
    if (r == 0) r = unixsock_listen(&s->socket, s->door);
    if (r == 0) r = listen_door(s);
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

bool http_knows_users(const struct http_server *s) {
    return s->peers.works;
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
    listen_close(s);
    unixsock_close(&s->socket);
    list_for_each(node, &s->conns) {
        struct conn *c = list_entry(node, struct conn, link);
        if (c->state == CONN_WS) ws_conn_going_away(c);
        if (c->state == CONN_LINGER || c->state == CONN_SHUT) conn_deadline(c, NET_STOP_MS);
        conn_touch(c);
    }
    end_when_empty(s);
}
