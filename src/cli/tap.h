/*
 * A tap into a terminal: its screen, then what it prints, and a way to type. Through the daemon, or straight from the keeper
 * when there is no daemon. Plain descriptors for poll(); nothing here blocks.
 */
#pragma once

#include "app/daemon_file.h"
#include "base/err.h"
#include "base/span.h"
#include "cli/ending.h"

#include <poll.h>

enum { TAP_UNSENT_MAX = 1 << 20 }; /* when more waits than this, nobody should type on */

struct tap_screen {
    uint64_t epoch, offset; /* it stands for everything before */
    unsigned cols, rows;
    struct span bytes; /* escape sequences */
};

/* All come from within tap_ready(). Spans are valid during the call. */
struct tap_events {
    void (*screen)(void *user, const struct tap_screen *s);
    void (*output)(void *user, uint64_t epoch, uint64_t offset, struct span bytes);
    void (*resized)(void *user, unsigned cols, unsigned rows);
    void (*gap)(void *user); /* bytes are missing; a screen follows, or the program was asked to paint anew */
    void (*exited)(void *user, struct ending e); /* nothing follows */
};

/* Where a viewer is that has seen something already. */
struct tap_from {
    uint64_t epoch, offset;
};

struct tap;

struct tap_type {
    int (*ready)(struct tap *t, short events, struct err *err);
    int (*input)(struct tap *t, struct span bytes);
    void (*answer)(struct tap *t, uint64_t offset, struct span bytes);
    int (*resize)(struct tap *t, unsigned cols, unsigned rows);
    void (*shown)(struct tap *t, uint64_t offset);
    int (*end)(struct tap *t, struct err *err);
    bool (*takes)(const struct tap *t);
    size_t (*unsent)(const struct tap *t);
    void (*close)(struct tap *t);
};

struct tap {
    const struct tap_type *type;
    int fd;
};

struct tap_target {
    const char *terminal; /* its id */
    const char *session;  /* any id of its session */
    const char *dir;      /* the terminal's directory */
    unsigned cols, rows;  /* of the viewer; 0: it has none */
    bool exact;           /* every byte, however slow the viewer */
};

/* `from` may be NULL: then it begins with the screen. */
int tap_open_daemon(const struct daemon_info *daemon, const struct tap_target *target,
                    const struct tap_from *from, const struct tap_events *events, void *user,
                    struct tap **ret, struct err *err);
int tap_open_keeper(const struct tap_target *target, const struct tap_from *from,
                    const struct tap_events *events, void *user, struct tap **ret, struct err *err);
void tap_close(struct tap *t); /* NULL is fine */

/* What to wait for at t->fd. */
short tap_wants(const struct tap *t);
/* Fails with a sentence when the connection is over: -EPIPE when it broke, -ECONNREFUSED when it was refused. */
int tap_ready(struct tap *t, short events, struct err *err);

/* May somebody type now? Not before the connection stands, nor while too much waits to be sent. */
bool tap_takes(const struct tap *t);
int tap_input(struct tap *t, struct span bytes);
/* The answer to a program's question that ended before `offset`; only sent when nobody else will answer. */
void tap_answer(struct tap *t, uint64_t offset, struct span bytes);
int tap_resize(struct tap *t, unsigned cols, unsigned rows);
/* Everything before `offset` has been shown. */
void tap_shown(struct tap *t, uint64_t offset);
/* Hangs up on the program; exited() tells when it is gone. */
int tap_end(struct tap *t, struct err *err);
