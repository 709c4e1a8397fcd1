/*
 * WebSocket connections as the program sees them. Output is pulled: a channel says that it has something to say
 * (ws_want_write) and is asked for one message whenever the peer can take more, so a slow peer costs no memory here.
 * Fragments, UTF-8, masks, pings, close codes and caps are handled behind this header.
 */
#pragma once

#include "base/span.h"

struct ws;

/* A message encoded once and shared by every client that gets it: the WebSocket frame with its header. Counted. */
struct ws_frame;
struct ws_frame *ws_frame_text(struct span text); /* one reference, the caller's */
/* `head` and `bytes` as one message. */
struct ws_frame *ws_frame_binary(struct span head, struct span bytes);
struct ws_frame *ws_frame_ref(struct ws_frame *f);
void ws_frame_unref(struct ws_frame *f); /* NULL is fine */
size_t ws_frame_bytes(const struct ws_frame *f);

struct ws_channel {
    size_t max_message; /* a longer one closes with 1009 */
    /* The connection stands; called once, right after the upgrade. */
    void (*opened)(void *user, struct ws *ws);
    /* A whole message from the peer. */
    void (*message)(void *user, struct span message, bool binary);
    /* The next message to send, whose reference passes to the connection, or NULL when there is none now. */
    struct ws_frame *(*next)(void *user);
    /* Last call, however it ended. `ws` is gone afterwards. */
    void (*closed)(void *user);
};

/* These only note what is wanted; they never call back into the channel. */
void ws_want_write(struct ws *ws);
void ws_close(struct ws *ws, uint16_t code, struct span reason);
void ws_set_holder(struct ws *ws,
                   uint64_t holder); /* a number of the program's, for http_close_holder(); 0 at first */
/* Whoever holds it may only look: what changes something is refused by the channel. */
void ws_set_look_only(struct ws *ws, bool look_only);
bool ws_is_look_only(const struct ws *ws);
void ws_pause(struct ws *ws, bool paused); /* stop or go on reading; what was read already may still come */

enum { WS_PING_MS = 30000, WS_PONG_MS = 10000 };
