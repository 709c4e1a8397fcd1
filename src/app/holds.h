/*
 * Hooks that wait for an answer. Each is a connection to `reply.sock` in the state directory, which takes nothing but that and
 * answers nothing else; docs/inbox.md has the words that are exchanged. A hook is let go as soon as its request is over, whoever
 * answered it, and by itself when this daemon dies: nothing is printed then, and the CLI's own dialog goes on.
 */
#pragma once

#include "api/calls.h"
#include "core/state.h"
#include "platform/unixsock.h"

#include <uv.h>

enum {
    HOLDS_MAX = 2000,       /* more are sent away: their dialogs are there all the same */
    HOLDS_BEAT_MS = 5000,   /* how often a hook is told that we are there */
    HOLDS_TAKE_MS = 1000,   /* how long a hook may take to say that it is there */
    HOLDS_CLAIM_MS = 10000, /* how long until its event must have been read */
    HOLDS_NOTED_MS = 3000,  /* how long a hook may take to note that it has printed an answer */
};

struct holds_ops {
    /* Whether a request can be answered has changed: its session's stable id, and its own. */
    void (*changed)(void *user, const char *session, const char *request);
    /* Is the person away? Then even those are held whose CLI shows no dialog meanwhile. */
    bool (*is_away)(void *user);
};

/* Owned by struct app. */
struct holds {
    uv_loop_t *loop;
    struct calls *calls;
    const struct holds_ops *ops;
    void *user;
    char path[PATH_BYTES];
    struct unixsock socket;
    uv_poll_t door;
    uv_timer_t timer; /* beats; and what takes too long, while something is under way */
    bool is_open;     /* the door is */
    size_t count;
    struct list all;   /* struct hold */
    struct map by_key; /* key → struct hold */
    struct map asked;  /* key → struct held_request: whose hook it is */
    struct list told;  /* struct told_answer: sent, and not yet noted */
};

void holds_init(struct holds *h, uv_loop_t *loop, struct calls *calls, const struct holds_ops *ops,
                void *user);
/* Listens. A failure is told, and nothing can be answered through hooks then. */
void holds_open(struct holds *h, const char *state_dir);
/* Lets everybody go. */
void holds_close(struct holds *h);
void holds_fini(struct holds *h);

/* Does a hook wait under this key? */
bool holds_has(const struct holds *h, const char *key);

/* Something is asked, perhaps by a hook that waits. */
void holds_asked(struct holds *h, const struct session *s, const struct request *r);
/* A request is over: its hook is let go. */
void holds_ended(struct holds *h, const struct request *r);
/* Gives the request's answer to its hook. It is noted in the spool when that has failed; the hook notes that it has not. */
void holds_reply(struct holds *h, const struct session *s, const struct request *r);
/* Lets go of those whose CLI shows no dialog meanwhile: of one session, or of all (NULL). */
void holds_release(struct holds *h, const struct state *st, const struct session *s);
