/*
 * A real server on a real loop, and clients on plain non-blocking sockets, all in one thread: whoever waits for bytes
 * turns the loop meanwhile. Nothing sleeps; a watchdog fails a test that waits in vain.
 */
#pragma once

#include "base/buf.h"
#include "net/http.h"

enum { FIXTURE_LATER_MAX = 32 };

struct fixture {
    uv_loop_t loop;
    uv_timer_t watchdog;
    struct http_server *server;
    uint16_t port;
    struct http_exchange *later[FIXTURE_LATER_MAX]; /* requests for /later, not answered yet */
    size_t later_count;
    unsigned requests;
    bool serves_assets;               /* all requests go to the embedded files */
    bool closes_on_upgrade;           /* the server is closed while an upgrade is decided */
    const struct ws_channel *channel; /* NULL: upgrades are refused with 403 */
    void *channel_user;
    struct ws *ws; /* of the newest upgrade */
};

void fixture_open(struct fixture *f, const struct http_limits *limits);
/* Closes the server and checks that the loop ends with nothing left. */
void fixture_close(struct fixture *f);
void fixture_turn(struct fixture *f); /* one turn of the loop */
void fixture_reply_later(struct fixture *f, size_t i, const char *body);

struct client {
    struct fixture *f;
    int fd;
    struct buf in; /* received, not looked at yet */
    bool eof;
};

struct response {
    int status;
    char *text; /* head and body; owned */
    struct span head, body;
};

void client_open(struct client *c, struct fixture *f);
void client_close(struct client *c);
void client_send(struct client *c, struct span bytes);
void client_send_str(struct client *c, const char *text);
void client_want(struct client *c, size_t n); /* waits until that much is in */
/* Waits for a whole response. `head_only`: it was a HEAD. */
void client_response(struct client *c, bool head_only, struct response *ret);
void response_fini(struct response *r);
struct span response_header(const struct response *r, const char *name);
void client_want_eof(struct client *c); /* what comes before is dropped */
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
