/*
 * The receiving half of a WebSocket: bytes in, whole messages and control frames out. No socket, no clock. The only
 * file that knows wslay. Control frames to send (pongs, the close) are handed over as bytes; data frames are not its
 * business.
 */
#pragma once

#include "base/span.h"

struct ws_recv_events {
    void (*message)(void *user, struct span message, bool binary);
    void (*control)(void *user, struct span frame); /* to be sent, in this order */
};

struct ws_recv;

struct ws_recv *ws_recv_new(size_t max_message, const struct ws_recv_events *events, void *user);
/* The client's side: what is received is not masked, what is sent is. */
struct ws_recv *ws_recv_new_client(size_t max_message, const struct ws_recv_events *events, void *user);
void ws_recv_free(struct ws_recv *r);

/* Takes all of it. Violations are answered with a close frame; nothing is read after one. */
void ws_recv_feed(struct ws_recv *r, struct span bytes);
void ws_recv_ping(struct ws_recv *r);
/* Sends a close frame, unless one was sent already. A reason that does not fit or is not UTF-8 is left out. */
void ws_recv_close(struct ws_recv *r, uint16_t code, struct span reason);

bool ws_recv_close_sent(const struct ws_recv *r);
/* Bytes of memory for a message that is not whole yet; and it is given up: what still comes is dropped. */
size_t ws_recv_unread(const struct ws_recv *r);
void ws_recv_forget(struct ws_recv *r);
/* No more will be read: the peer closed, or broke the rules. */
bool ws_recv_ended(const struct ws_recv *r);
