/*
 * net/ws.h in memory: a peer whose connection a test holds in its hands. Delivers messages to a channel, takes from it
 * what it wants to say, and can be as slow as the test likes.
 */
#pragma once

#include "base/cleanup.h"
#include "base/span.h"
#include "net/ws.h"
#include "test.h"

struct ws {
    const struct ws_channel *channel;
    void *user;
    bool wants_write;
    bool closed;
    uint16_t close_code; /* by the channel; 0: not */
    bool look_only;
};

/* The connection stands from here on. */
void fake_open(struct ws *ws, const struct ws_channel *channel, void *user);
/* A text message from the peer. */
void fake_deliver(struct ws *ws, const char *text);
/* The next message for the peer as a heap string, NULL when there is none; the caller frees. */
char *fake_take(struct ws *ws);
/* The same with its length: a binary message may hold anything. */
char *fake_take_bytes(struct ws *ws, size_t *ret_n);
/* A binary message from the peer. */
void fake_deliver_bytes(struct ws *ws, struct span bytes);
void fake_drop(struct ws *ws); /* the connection is gone */

/* The next message that the peer gets has these in it; there is none. */
#define CHECK_NEXT(ws, ...)                                                             \
    do {                                                                                \
        AUTO(free) char *text_ = fake_take(ws);                                         \
        CHECK(text_ != NULL);                                                           \
        const char *const parts_[] = {__VA_ARGS__};                                     \
        for (size_t i_ = 0; i_ < ARRAY_LEN(parts_); i_++)                               \
            if (!strstr(text_, parts_[i_])) fail_msg("no %s in %s", parts_[i_], text_); \
    } while (0)
#define CHECK_SILENT(ws)                             \
    do {                                             \
        AUTO(free) char *text_ = fake_take(ws);      \
        if (text_) fail_msg("unexpected %s", text_); \
    } while (0)
