/*
 * FIXTURE_VIA in the environment says how the clients come: over TCP, "tls", or "door" (the owner's socket).
 *
 * A real server on a real loop, and clients on plain non-blocking sockets, all in one thread: whoever waits for bytes
 * turns the loop meanwhile. Nothing sleeps; a watchdog fails a test that waits in vain.
 */
#pragma once

#include "base/buf.h"
#include "net/http.h"
#include "net/tls.h"
#include "temp_dir.h"
#include "tls_client.h"

enum { FIXTURE_LATER_MAX = 32 };

enum fixture_via { VIA_TCP, VIA_TLS, VIA_DOOR };

struct fixture {
    uv_loop_t loop;
    uv_timer_t watchdog;
    enum fixture_via via;
    struct http_server *server;
    struct tls *tls;
    struct temp_dir dir; /* of the key, or the socket */
    char path[256];      /* of that */
    uint16_t port;
    struct http_exchange *later[FIXTURE_LATER_MAX]; /* requests for /later, not answered yet */
    size_t later_count;
    unsigned requests;
    size_t body_max; /* of requests for other paths than /refused, which wants none; 0: no limit but HTTP's */
    bool serves_assets;               /* all requests go to the embedded files */
    bool closes_on_upgrade;           /* the server is closed while an upgrade is decided */
    const struct ws_channel *channel; /* NULL: upgrades are refused with 403 */
    void *channel_user;
    struct ws *ws; /* of the newest upgrade */
};

void fixture_open(struct fixture *f, const struct http_limits *limits);
void fixture_open_via(struct fixture *f, const struct http_limits *limits, enum fixture_via via);
/* Closes the server and checks that the loop ends with nothing left. */
void fixture_close(struct fixture *f);
void fixture_turn(struct fixture *f); /* one turn of the loop */
void fixture_reply_later(struct fixture *f, size_t i, const char *body);

struct client {
    struct fixture *f;
    int fd;
    struct buf in; /* received, not looked at yet */
    bool eof;
    struct tls_client *tls; /* NULL: plain */
};

struct response {
    int status;
    char *text; /* head and body; owned */
    struct span head, body;
};

void client_open(struct client *c, struct fixture *f);
/* Only connects, over TCP. */
void client_connect(struct client *c, struct fixture *f);
/* TLS on what is connected, as tls_client_init(); false when the server does not want to. */
bool client_shake_hands(struct client *c, int version, const char *protocols);
void client_end(struct client *c); /* says, in TLS, that nothing more comes */
void client_close(struct client *c);
void client_send(struct client *c, struct span bytes);
void client_send_str(struct client *c, const char *text);
bool client_looks(struct client *c);          /* has anything come? Waits for nothing */
void client_want(struct client *c, size_t n); /* waits until that much is in */
/* Waits for a whole response. `head_only`: it was a HEAD. */
void client_response(struct client *c, bool head_only, struct response *ret);
void response_fini(struct response *r);
struct span response_header(const struct response *r, const char *name);
void response_check_protection(const struct response *r); /* the headers that every answer has */
void client_want_eof(struct client *c);                   /* what comes before is dropped */
void client_upgrade(struct client *c, const char *target);

#define CHECK_STATUS(client, expected)       \
    do {                                     \
        struct response r_;                  \
        client_response(client, false, &r_); \
        CHECK_INT(r_.status, expected);      \
        response_fini(&r_);                  \
    } while (0)
#define CHECK_BODY(client, expected)         \
    do {                                     \
        struct response r_;                  \
        client_response(client, false, &r_); \
        CHECK_INT(r_.status, 200);           \
        CHECK_SPAN(r_.body, expected);       \
        response_fini(&r_);                  \
    } while (0)
