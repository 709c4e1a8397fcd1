/*
 * A worker's socket: its terminal's bytes to whoever looks on, and what they type. Output is pulled from the terminal when the
 * peer can take more, so a viewer costs no memory beside what is on its way.
 */
#pragma once

#include "core/state.h"
#include "net/ws.h"
#include "pty/terminals.h"

struct api;

struct ttys {
    const struct api *api;
    struct list clients;
};

enum {
    TTY_OUTPUT_BYTES = (64 << 10) - 24, /* of output in a message, with its head 64 KiB */
    TTY_WAITING_MAX = 8,                /* answers to a client that it has not taken yet; more are dropped */
};

void ttys_open(struct ttys *ttys, const struct api *api);

/* How a client comes. */
struct tty_visit {
    struct span session, worker; /* any of their ids */
    bool binary;                 /* ostler.tty.v1 */
    bool has_place;              /* it has everything of `epoch` before `offset` */
    uint64_t epoch, offset;
    bool exact;          /* it wants every byte */
    unsigned cols, rows; /* of what it shows; 0: it did not say */
};

/* Serves /ws/session/:id/worker/:wid. What is wrong is said on the socket: a browser sees nothing of an HTTP answer. */
const struct ws_channel *tty_connect(struct ttys *ttys, struct ws *ws, const struct tty_visit *visit,
                                     void **ret_user);

/* What is told of the terminal has changed. */
void ttys_changed(struct ttys *ttys, const struct terminal *t);
/* The session's agent does something else. */
void ttys_session_changed(struct ttys *ttys, const struct session *s);
