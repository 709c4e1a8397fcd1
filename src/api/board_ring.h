/* The newest changes by number, so that a client that was away gets just what it missed. Holds (seq, id, what), no
 * copies of sessions. Pure. */
#pragma once

#include "base/id.h"
#include "base/span.h"

enum { BOARD_RING_MAX = 500 };

enum board_change_kind {
    BOARD_CHANGE_UPDATED,      /* session `id` */
    BOARD_CHANGE_REMOVED,      /* session `id`, whose sessionId was `name` */
    BOARD_CHANGE_TEAM,         /* team `name` */
    BOARD_CHANGE_TEAM_REMOVED, /* team `name` */
};

struct board_change {
    uint64_t seq;
    enum board_change_kind kind;
    char id[ID_BYTES]; /* "" for a team */
    char *name;        /* NULL for an update */
};

struct board_ring {
    struct board_change changes[BOARD_RING_MAX];
    uint64_t began; /* seq of the first change of this daemon */
    uint64_t first; /* seq of the first change that could be in here */
    uint64_t next;  /* seq of the next change */
};

/* Numbers continue at `next`. */
void board_ring_init(struct board_ring *r, uint64_t next);
void board_ring_fini(struct board_ring *r);

/* Notes a change and returns its number. `id` and `name` as the kind has them; NULL for none. */
uint64_t board_ring_push(struct board_ring *r, enum board_change_kind kind, const char *id, const char *name);

/* The newest number given out. */
static inline uint64_t board_ring_seq(const struct board_ring *r) {
    return r->next - 1;
}

/* Can a client that has everything up to `since` be brought up to date from here? */
bool board_ring_covers(const struct board_ring *r, uint64_t since);

/* Is it a number that was given out before this daemon began? */
bool board_ring_precedes(const struct board_ring *r, uint64_t since);

/* The first change after `since` and up to `end` that is the newest of its session or team until then; NULL: there is none. */
const struct board_change *board_ring_next(const struct board_ring *r, uint64_t since, uint64_t end);
