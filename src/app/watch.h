/*
 * Watches the agents' processes. A descriptor for each becomes readable when it ends, so a death is noticed at once and
 * nothing polls. Where no descriptor is to be had the process is looked at every 15 s, or as often as was decided
 * (`processCheckInterval`); and as often is looked for the processes of agents whose hooks did not name one. What is noticed
 * goes into the spool (app/probe.h) and takes effect when it is read.
 */
#pragma once

#include "app/probe.h"
#include "core/state.h"

#include <uv.h>

enum {
    WATCH_EVERY_MS = 15000,
    WATCH_FILES_MAX = 65536, /* programs that we start may walk through all numbers up to the limit */
};

/* Owned by struct app. The two numbers may be changed before watch_all(). */
struct watch {
    uv_loop_t *loop;
    const struct notes *notes;
    struct state *state;
    struct map by_session; /* stable id → struct watched: it knows no session, so it may outlive one */
    struct list slow;      /* struct watched.in_list: alive when last seen, but without a descriptor */
    struct list lost;      /* struct watched.in_list: whose process is not known */
    uv_timer_t timer;      /* runs while one of them is not empty */
    uint64_t every_ms;
    struct watch_look *look; /* under way on the pool; NULL: none */
    size_t held, held_max;   /* descriptors: half of what there is stays for connections and files */
    bool begun;
};

/* `notes` and `state` are borrowed until watch_close(). */
void watch_open(struct watch *w, uv_loop_t *loop, const struct notes *notes, struct state *state);
/* Nothing is reported any more; ends asynchronously with the loop. */
void watch_close(struct watch *w);

/* When the spool is caught up after the start: watches everyone on the board, and reports those who died while no daemon
 * ran. Before that the sessions are as they were, not as they are, and watch_session() does nothing. */
void watch_all(struct watch *w);
/* The session may have got another process, or ended, or begun: call it after every change of a session. */
void watch_session(struct watch *w, const struct session *s);
/* The session leaves the board. */
void watch_forget(struct watch *w, const struct session *s);

/* Raises this process' limit of open files as far as it may go, up to WATCH_FILES_MAX; before watch_open(). */
void watch_raise_limit(void);
