/* Who comes in: a new connection, whose it is, and whether there is a place for it. */
#include "net/net_int.h"

#include "base/mem.h"

#include <unistd.h>

/* More than these are not even told that they come in vain. */
enum { TURNED_AWAY_MAX = 64 };

static void on_refused_closed(uv_handle_t *handle) {
    struct conn *c = handle->data;
    struct http_server *s = c->server;
    free(c);
    server_conn_gone(s);
}

static void drop(struct conn *c) {
    c->handle.data = c;
    uv_close(&c->handle, on_refused_closed);
}

/* The socket's mode lets nobody else in; the kernel's word is taken all the same. */
static void identify_owner(struct conn *c, uv_os_fd_t fd) {
    struct unixsock_peer peer;
    c->kind = CROWD_OWNER;
    c->stranger = unixsock_peer(fd, &peer) < 0 || (peer.uid != geteuid() && peer.uid != 0);
    c->owner = !c->stranger;
}

/* Only of a connection within this machine can it be told whose it is. */
static void identify_peer(struct conn *c, uv_os_fd_t fd) {
    struct http_server *s = c->server;
    struct sockaddr_storage at = {0};
    int n = sizeof at;
    if (uv_tcp_getpeername(&c->tcp, (struct sockaddr *)&at, &n) == 0)
        (void)addr_of_socket((struct sockaddr *)&at, &c->peer);
    n = sizeof at;
    if (uv_tcp_getsockname(&c->tcp, (struct sockaddr *)&at, &n) == 0)
        (void)addr_of_socket((struct sockaddr *)&at, &c->local);
    bool here = addr_is_loopback(&c->peer) || addr_eq(&c->peer, &c->local);
    c->stranger = here && s->ops->stranger && s->ops->stranger(s->user, fd);
    c->proxied = addr_in(&c->peer, s->proxies, s->proxy_count);
    c->kind = (here && !c->stranger) || c->proxied ? CROWD_LOCAL : CROWD_OTHER;
}

/* Who speaks TLS is not turned away with words: they would cost us a handshake. */
static void turn_away(struct conn *c) {
    struct http_server *s = c->server;
    if (s->turned_away >= TURNED_AWAY_MAX || (s->tls && !c->owner)) {
        drop(c);
        return;
    }
    s->turned_away++;
    conn_init(c);
    http_conn_refuse(c, 503, "too many connections are open: close some, or try again in a while");
    conn_step(c);
}

static int init_handle(struct conn *c, bool is_door) {
    uv_loop_t *loop = c->server->loop;
    return is_door ? uv_pipe_init(loop, &c->pipe, 0) : uv_tcp_init(loop, &c->tcp);
}

void door_accept(struct http_server *s, uv_stream_t *listener) {
    struct conn *c = xcalloc(1, sizeof *c);
    bool is_door = listener == (uv_stream_t *)&s->door;
    uv_os_fd_t fd;
    c->server = s;
    if (init_handle(c, is_door) < 0) {
        free(c);
        return;
    }
    s->conn_count++;
    if (uv_accept(listener, &c->stream) < 0 || uv_fileno(&c->handle, &fd) < 0) {
        drop(c);
        return;
    }
    (is_door ? identify_owner : identify_peer)(c, fd);
    c->counted = crowd_enter(&s->crowd, c->kind, &c->peer);
    if (!c->counted) {
        turn_away(c);
        return;
    }
    if (!is_door) (void)uv_tcp_nodelay(&c->tcp, 1);
    if (s->tls && !is_door) c->tls = tls_stream_new(s->tls);
    conn_init(c);
    if (s->tls && !is_door && !c->tls)
        conn_close(c);
    else
        conn_step(c);
}

void door_left(struct conn *c) {
    struct http_server *s = c->server;
    if (c->counted)
        crowd_leave(&s->crowd, c->kind, &c->peer);
    else
        s->turned_away--;
}
