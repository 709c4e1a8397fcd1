/*
 * The client's half of a WebSocket: the handshake, messages both ways, pings answered, the close. No socket and no clock:
 * bytes that came are fed in, bytes to be sent are in ws_client_out(). For the command line.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

enum {
    WS_CLIENT_HEAD_MAX = 16 << 10, /* of the peer's answer, with the body of a refusal */
    WS_CLIENT_OUT_MAX = 8 << 20,   /* unsent bytes */
};

struct ws_client_events {
    void (*opened)(void *user);
    void (*message)(void *user, struct span message, bool binary);
};

struct ws_client;

/* `target` is the path with its query; `protocol` the subprotocol, which the peer has to choose. */
struct ws_client *ws_client_new(uint16_t port, const char *target, const char *protocol, size_t max_message,
                                const struct ws_client_events *events, void *user);
void ws_client_free(struct ws_client *c); /* NULL is fine */

/* Takes all of it. Fails with a sentence when the peer refuses (-ECONNREFUSED), or does not speak like one (-EPROTO); nothing
 * may be fed after that. */
int ws_client_feed(struct ws_client *c, struct span bytes, struct err *err);
/* The status that the peer refused with; 0 when it did not. */
int ws_client_refusal(const struct ws_client *c);
bool ws_client_is_open(const struct ws_client *c);
/* The peer has closed, or broke the rules: when the rest is sent, the connection may go. */
bool ws_client_ended(const struct ws_client *c);

/* Only while it is open. -ENOBUFS when too much waits already. */
int ws_client_send(struct ws_client *c, struct span message, bool binary);
void ws_client_close(struct ws_client *c, uint16_t code);

/* What waits to be sent; the owner takes it from the front. */
struct buf *ws_client_out(struct ws_client *c);
