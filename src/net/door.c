/* Who comes in: a new connection, whose it is, and whether there is a place for it. */
#include "net/net_int.h"

#include "base/mem.h"

#include <unistd.h>

/* More than these are not even told that they come in vain. */
enum { TURNED_AWAY_MAX = 64 };

static bool is_ours(uid_t user) {
    return user == geteuid() || user == 0;
}

/* The socket's mode lets nobody else in; the kernel's word is taken all the same. */
static bool identify_owner(struct conn *c, int fd) {
    struct unixsock_peer peer;
    c->knows_user = unixsock_peer(fd, &peer) == 0;
    if (!c->knows_user) return false;
    c->user = peer.uid;
    if (is_ours(peer.uid)) {
        c->who = HTTP_OWNER;
        c->kind = CROWD_OWNER;
    }
    return true;
}

static bool read_addresses(struct conn *c, int fd) {
    struct sockaddr_storage peer = {0}, local = {0};
    socklen_t peer_n = sizeof peer, local_n = sizeof local;
    return getpeername(fd, (struct sockaddr *)&peer, &peer_n) == 0 &&
           getsockname(fd, (struct sockaddr *)&local, &local_n) == 0 &&
           addr_of_socket((struct sockaddr *)&peer, &c->peer) &&
           addr_of_socket((struct sockaddr *)&local, &c->local);
}

static bool is_of_this_machine(const struct conn *c) {
    return addr_is_loopback(&c->peer) || addr_is_loopback(&c->local) || addr_eq(&c->peer, &c->local);
}

static bool identify_peer(struct conn *c, int fd) {
    struct http_server *s = c->server;
    if (!read_addresses(c, fd)) return false;
    c->knows_user = peers_user(&s->peers, fd, &c->user) == 0;
    if (c->knows_user && is_ours(c->user))
        c->who = HTTP_USER;
    else if (!c->knows_user && !is_of_this_machine(c))
        c->who = HTTP_FAR;
    c->proxied = addr_in(&c->peer, s->proxies, s->proxy_count);
    if (c->proxied) c->kind = CROWD_PROXY;
    if (c->who == HTTP_USER) c->kind = CROWD_LOCAL;
    return true;
}

/* A stranger's until the opposite is known. False when it is nobody's any more: who resets a connection has no address and no user,
 * and whatever was sent before that is not looked at. */
static bool identify(struct conn *c, int fd, bool is_door) {
    c->who = HTTP_STRANGER;
    c->kind = CROWD_OTHER;
    return (is_door ? identify_owner : identify_peer)(c, fd);
}

/* What it is told that it finds nothing here; NULL: it may come in. Nobody else has any business at the owner's socket. */
static const char *refusal_of(const struct conn *c, bool is_door) {
    const struct http_server *s = c->server;
    if (is_door) return c->who == HTTP_OWNER ? NULL : "this socket belongs to another user of this machine";
    return s->ops->enter ? s->ops->enter(s->user, c->who) : NULL;
}

static struct crowd_guest guest_of(const struct conn *c) {
    return (struct crowd_guest){.kind = c->kind, .from = c->peer, .user = c->knows_user ? &c->user : NULL};
}

/* Takes a place. False when it is to be dropped without a word: strangers have had theirs, and for who speaks TLS they would cost us
 * a handshake. */
static bool admit(struct conn *c, bool is_door) {
    struct http_server *s = c->server;
    bool sealed = s->tls && !is_door;
    c->refusal = refusal_of(c, is_door);
    if (c->refusal && sealed) return false;
    const struct crowd_guest guest = guest_of(c);
    c->counted = crowd_enter(&s->crowd, &guest);
    if (c->counted) return true;
    if (s->turned_away >= TURNED_AWAY_MAX || sealed || c->who == HTTP_STRANGER) return false;
    s->turned_away++;
    c->refusal = NULL;
    return true;
}

static void on_unused_closed(uv_handle_t *handle) {
    struct conn *c = handle->data;
    struct http_server *s = c->server;
    door_left(c);
    free(c);
    server_conn_gone(s);
}

/* Gives the descriptor to the loop; false, and both are gone, when it does not take it. */
static bool open_handle(struct conn *c, int fd, bool is_door) {
    struct http_server *s = c->server;
    int r = is_door ? uv_pipe_init(s->loop, &c->pipe, 0) : uv_tcp_init(s->loop, &c->tcp);
    if (r < 0) {
        (void)close(fd);
        door_left(c);
        free(c);
        return false;
    }
    s->conn_count++;
    r = is_door ? uv_pipe_open(&c->pipe, fd) : uv_tcp_open(&c->tcp, fd);
    if (r == 0) return true;
    (void)close(fd);
    c->handle.data = c;
    uv_close(&c->handle, on_unused_closed);
    return false;
}

static void begin(struct conn *c, bool is_door) {
    struct http_server *s = c->server;
    if (!is_door) (void)uv_tcp_nodelay(&c->tcp, 1);
    bool sealed = s->tls && !is_door;
    if (sealed) c->tls = tls_stream_new(s->tls);
    conn_init(c);
    if (sealed && !c->tls) {
        conn_close(c);
        return;
    }
    if (!c->counted)
        http_conn_refuse(c, 503, "too many connections are open: close some, or try again in a while");
    conn_step(c);
}

void door_accept(struct http_server *s, int fd, bool is_door) {
    struct conn *c = xcalloc(1, sizeof *c);
    c->server = s;
    if (!identify(c, fd, is_door) || !admit(c, is_door)) {
        (void)close(fd);
        free(c);
        return;
    }
    if (open_handle(c, fd, is_door)) begin(c, is_door);
}

void door_left(struct conn *c) {
    struct http_server *s = c->server;
    const struct crowd_guest guest = guest_of(c);
    if (c->counted)
        crowd_leave(&s->crowd, &guest);
    else
        s->turned_away--;
}
