/*
 * What the files of net/ share: the server, its connections and their exchanges.
 *
 * A connection is worked on at safe points only: at the end of its own read or write callback, on its deadline, and
 * from the server's list of connections that somebody outside touched (conn_touch). So nothing that a handler or a
 * channel calls can re-enter it, or free it under its own feet.
 */
#pragma once

#include "base/heap.h"
#include "base/list.h"
#include "net/budget.h"
#include "net/crowd.h"
#include "net/http.h"
#include "net/limits_int.h"
#include "net/out.h"
#include "net/parser.h"
#include "net/tls.h"
#include "net/ws_recv.h"
#include "platform/peers.h"
#include "platform/unixsock.h"

/* listen.c */
struct listener {
    struct http_server *server;
    uv_poll_t poll;
    int fd;       /* -1: none */
    bool is_door; /* the owner's socket */
    bool open;    /* `poll` is a handle of the loop's */
};

struct http_server {
    uv_loop_t *loop;
    struct http_limits limits;
    const struct http_ops *ops;
    void *user;
    struct listener listeners[NET_LISTENERS_MAX];
    uv_timer_t pause;       /* no connection is accepted until it fires */
    struct unixsock socket; /* of the owner's door */
    char door[PATH_BYTES];  /* where that is */
    unsigned listener_count;
    int reserve;        /* a descriptor to be closed when there is no other; -1: used */
    struct peers peers; /* who is at the other end */
    uint16_t port;
    struct tls *tls; /* borrowed; NULL: the listeners speak plain HTTP */
    struct addr_range *proxies;
    size_t proxy_count;
    struct crowd crowd;
    struct budget unread;
    uv_timer_t timer;
    usec_t armed; /* when the timer fires */
    uv_prepare_t prepare;
    uv_check_t check;
    struct heap deadlines;
    struct list conns;
    struct list dirty; /* connections touched from outside */
    unsigned handles;  /* not closed yet */
    unsigned conn_count;
    unsigned turned_away; /* connections that are being told that there is no place */
    bool closing;
    bool ending; /* the last connection is gone, the server's own handles are being closed */
    char read_buf[NET_READ_BYTES];
    char record[NET_RECORD_BYTES]; /* plain text, on its way in or out */
};

enum conn_state {
    CONN_SHUT, /* nothing is here for it: told so when it says something */
    CONN_HTTP,
    CONN_WS,
    CONN_LINGER, /* all is said: what still comes is dropped until the peer closes */
    CONN_CLOSED, /* uv_close() was called */
};

/* What an HTTP connection is waiting for, each with its own time. */
enum http_wait {
    HTTP_WAIT_NEW,       /* to be looked at again */
    HTTP_WAIT_HANDSHAKE, /* of TLS */
    HTTP_WAIT_REQUEST,   /* between two of them */
    HTTP_WAIT_HEAD,
    HTTP_WAIT_BODY,
    HTTP_WAIT_HANDLER, /* as long as it takes */
    HTTP_WAIT_PEER,    /* to read what was sent */
};

/* The HTTP side of a connection. */
struct http_conn {
    struct parser *parser; /* NULL: nothing has come yet */
    struct list queue;     /* exchanges in the order of their requests, the unanswered and those behind */
    unsigned queued;
    struct http_exchange *reading; /* the request that is coming in; not in the queue */
    struct http_exchange *spare;   /* memory for the next one */
    size_t queued_bytes;           /* of the queue's requests, in memory */
    size_t promised;               /* bytes of the body that is coming in, if its length is known */
    struct buf held;               /* bytes that came while no more requests were taken */
    uint64_t arrived;              /* bytes, in all */
    uint64_t arrived_then;         /* the same when the deadline was set */
    enum http_wait wait;           /* what the deadline is for */
    bool last;                     /* no more requests are read: the connection ends behind the queue */
    bool upgrading;                /* the newest request is an upgrade: what follows is not HTTP */
};

struct conn {
    union {
        uv_handle_t handle;
        uv_stream_t stream;
        uv_tcp_t tcp;
        uv_pipe_t pipe;
    };
    uv_write_t write;
    uv_shutdown_t shutdown;
    struct http_server *server;
    struct list link;       /* server->conns */
    struct list dirty;      /* server->dirty */
    struct heap_node timer; /* fires at or before `deadline`, which moves often */
    usec_t deadline;
    enum conn_state state;
    bool reading;
    bool stepping; /* at a safe point: no need to touch it */
    bool eof;
    enum http_who who;
    bool knows_user; /* `user` is the one at the other end */
    uid_t user;
    const char *refusal; /* CONN_SHUT: what it is told */
    bool proxied;        /* from a proxy whose word is taken */
    bool counted;        /* has a place in the crowd */
    enum crowd_kind kind;
    size_t unread;           /* its part of the server's budget */
    size_t dropped;          /* bytes read behind our last one */
    struct addr peer, local; /* not of the owner's */
    struct tls_stream *tls;  /* NULL: plain */
    bool greeted;            /* it began as TLS does */
    struct out out;          /* plain text */
    uint64_t written;        /* bytes given to the kernel or the loop, in all */
    uint64_t progress;       /* how far it was when the deadline was set */
    struct http_conn http;
    struct ws *ws;
};

/* listen.c */
int listen_tcp(struct http_server *s, const char *host, uint16_t port);
int listen_door(struct http_server *s);    /* on s->socket */
void listen_resume(struct http_server *s); /* a descriptor has been closed */
int listen_port(const struct http_server *s, uint16_t *ret);
void listen_close(struct http_server *s);

/* door.c */
void door_accept(struct http_server *s, int fd, bool is_door); /* takes the descriptor */
void door_left(struct conn *c);                                /* it is gone: its place is free */

/* conn.c */
void conn_init(struct conn *c);  /* of an accepted stream */
void conn_touch(struct conn *c); /* it gets a safe point before the loop sleeps */
void conn_step(struct conn *c);  /* this is one */
void conn_close(struct conn *c);
void conn_deadline(struct conn *c, unsigned ms);
void conn_no_deadline(struct conn *c);
void conn_expired(struct conn *c);
void conn_linger(struct conn *c); /* sends what is left, then ends politely */
/* How much the peer took of what was to be sent. */
uint64_t conn_progress(const struct conn *c);
/* What it has still to be given, sealed or not. */
size_t conn_unsent(const struct conn *c);

/* http_conn.c */
size_t http_conn_unread(const struct conn *c); /* bytes in memory for what is not answered yet */
void http_conn_overdrawn(struct conn *c);      /* there is no room for them */
void http_conn_init(struct conn *c);
void http_conn_fini(struct conn *c);
void http_conn_input(struct conn *c, struct span bytes);
void http_conn_eof(struct conn *c);
void http_conn_refuse(struct conn *c, int status, const char *why); /* and nothing is read any more */
void http_conn_resume(struct conn *c);                              /* takes the requests that had to wait */
bool http_conn_can_resume(const struct conn *c); /* there are such, and room for their answers */
bool http_conn_settle(struct conn *c);           /* deadline, end; true: go on reading */
void http_conn_expired(struct conn *c);

/* server.c */
void server_handle_closed(uv_handle_t *handle); /* of one whose `data` is the server, counted in `handles` */
void server_arm(struct http_server *s);
void server_conn_gone(struct http_server *s);

static inline usec_t server_now(const struct http_server *s) {
    return (usec_t)uv_now(s->loop) * USEC_PER_MSEC;
}

/* How long to wait for a peer: `ms`, and less when the server stops. */
static inline unsigned server_patience(const struct http_server *s, unsigned ms) {
    return s->closing ? MIN(ms, (unsigned)NET_STOP_MS) : ms;
}
