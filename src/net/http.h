/*
 * The HTTP server as the program sees it: a handler gets a whole request and answers it, now or later. Parsing,
 * keep-alive, pipelining, HEAD, 100-continue, chunked bodies, caps and time-outs are done behind this header.
 * Everything runs on the loop thread.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "net/addr.h"
#include "net/ws.h"

#include <uv.h>

enum http_method {
    HTTP_GET,
    HTTP_HEAD,
    HTTP_POST,
    HTTP_PUT,
    HTTP_PATCH,
    HTTP_DELETE,
    HTTP_OPTIONS,
    HTTP_OTHER
};

/* Limits, in bytes and milliseconds. A zero takes the default. */
struct http_limits {
    size_t url;       /* 8 KiB, else 414 */
    size_t headers;   /* 32 KiB in all, else 431 */
    size_t body;      /* 10 MiB, else 413 */
    unsigned head_ms; /* 10 s for the head of a request, else 408 */
    unsigned body_ms; /* 30 s, within which `rate` is looked at */
    size_t rate; /* 1 KiB a second of a body, else 408; and of an answer that is being read, else closed */
    unsigned idle_ms; /* 60 s between requests, then closed */
    unsigned ping_ms; /* WS_PING_MS between pings of a WebSocket */
    unsigned pong_ms; /* WS_PONG_MS for the answer to one, then dropped */
    unsigned
        connections; /* 1024, but a quarter of the descriptors at most; a quarter for this user alone, not for proxies; more get a 503 */
    unsigned per_address; /* 128 of another machine's address, or of other users of this one */
    unsigned per_user;    /* 32 of one of these */
    size_t unread; /* 64 MiB of what all have sent and nobody has got whole yet, see budget.h; else 503 */
};

/* Who made a connection. It is decided once, when it is accepted and before anything is read of it: whatever goes wrong in finding
 * out means a stranger. */
enum http_who {
    HTTP_STRANGER, /* another user of this machine, or whoever the kernel does not name */
    HTTP_FAR,      /* another machine; or whom a proxy speaks for */
    HTTP_USER,     /* a process of the user that we run as, or of root, by the kernel's word */
    HTTP_OWNER,    /* the same, through the owner's socket */
};

/* A request, and the way to answer it. Valid until it is answered, even when the client has gone. HEAD is handled
 * like GET, its body is dropped on the way out. */
struct http_exchange;

struct http_request {
    enum http_method method; /* HEAD shows as GET */
    struct span target;      /* as it came: path?query */
    struct span path;        /* percent-decoded; no NUL, no "..", else the request was refused with 400 */
    struct span query;       /* behind the '?', raw */
    struct span body;
    struct arena *arena; /* dies with the exchange */
};

const struct http_request *http_request(const struct http_exchange *x);
/* A header by its lower-case name; empty when absent. */
struct span http_header(const struct http_exchange *x, struct span name);
bool http_has_header(const struct http_exchange *x, struct span name); /* be it empty */
/* Of one that came more than once all values, with commas between them, in the request's arena. */
struct span http_joined_header(struct http_exchange *x, struct span name);
/* A query parameter, decoded into the request's arena; false when absent. */
bool http_query(const struct http_exchange *x, struct span name, struct span *ret);

/* Extra response headers, before the reply. `value` must contain no CR, LF or NUL (it is dropped then). */
void http_add_header(struct http_exchange *x, struct span name, struct span value);

/* The answer, exactly once. `body` is copied; http_reply_static() keeps the pointer (embedded assets). */
void http_reply(struct http_exchange *x, int status, struct span content_type, struct span body);
void http_reply_static(struct http_exchange *x, int status, struct span content_type, struct span body);
/* {"error": "…"} with the right content type. */
void http_reply_error(struct http_exchange *x, int status, const char *fmt, ...) PRINTF(3, 4);

/* The client's address as text; that of whom a trusted proxy speaks for; "unix" for the owner. */
enum { HTTP_PEER_BYTES = ADDR_TEXT_BYTES };
void http_peer(const struct http_exchange *x, char ret[HTTP_PEER_BYTES]);
/* The address that the connection was made to; "" when it is gone, and for the owner's socket. */
void http_local(const struct http_exchange *x, char ret[HTTP_PEER_BYTES]);
/* The Host header, or what a trusted proxy had there. */
struct span http_host(const struct http_exchange *x);

/* It came through the owner's socket: from the same account (or root), who needs no password. */
bool http_from_owner(const struct http_exchange *x);
/* It came over TLS, to us or to a trusted proxy. */
bool http_is_secure(const struct http_exchange *x);

enum http_who http_who(const struct http_exchange *x);
/* The user at the other end, if it is on this machine, the kernel says so, and no proxy speaks for somebody else. */
bool http_peer_user(const struct http_exchange *x, uid_t *ret);

struct http_ops {
    /* A new TCP connection: NULL, or what it is told (with 403, when it has said something) because nothing is here for it. Then
     * nothing of what it says is looked at. NULL: everybody may come in. */
    const char *(*enter)(void *user, enum http_who who);
    /* The head of a request that announces a body: how large that may be in `*ret_max`; or false, and answered, when it is not
     * wanted. Then it is not read. NULL: everything up to limits.body is. */
    bool (*head)(void *user, struct http_exchange *x, size_t *ret_max);
    /* Every request that is not an upgrade. Must lead to exactly one http_reply*(). */
    void (*request)(void *user, struct http_exchange *x);
    /* An upgrade to WebSocket: return the channel to serve it with, or NULL after answering the exchange with an
     * HTTP error. `*ret_user` is what the channel's functions get; `*ret_protocol` (may stay empty) is the
     * subprotocol that was chosen. */
    const struct ws_channel *(*upgrade)(void *user, struct http_exchange *x, struct ws *ws, void **ret_user,
                                        struct span *ret_protocol);
};

struct http_server;

/* `host` is an address ("127.0.0.1"; "::" is all of both kinds); port 0 takes a free one. For 127.0.0.1 the same port of ::1 is
 * served too when it is free. -EADDRINUSE and others come with a sentence. The process ignores SIGPIPE from then on. A failure,
 * too, leaves handles that the loop has to close: run it once more before uv_loop_close(). */
int http_open(uv_loop_t *loop, const char *host, uint16_t port, const struct http_limits *limits,
              const struct http_ops *ops, void *user, struct http_server **ret, struct err *err);
uint16_t http_port(const struct http_server *s);
/* Does this system tell whose connections are? If not, all that come over TCP are strangers'. */
bool http_knows_users(const struct http_server *s);

/* These three before the loop runs. A unix socket for the owner, at `path`: plain HTTP, whatever the port speaks. */
int http_open_door(struct http_server *s, const char *path, struct err *err);
struct tls;
void http_use_tls(struct http_server *s, struct tls *tls); /* on the port; must outlive the server */
/* Whose X-Forwarded-… is believed; copied. */
void http_trust_proxies(struct http_server *s, const struct addr_range *ranges, size_t count);

/* Closes the WebSockets of one holder, see ws_set_holder(). */
void http_close_holder(struct http_server *s, uint64_t holder, uint16_t code, struct span reason);
/* Stops listening, sends close frames to WebSockets, closes connections; ends asynchronously with the loop. */
void http_close(struct http_server *s);
