/*
 * Which transcript is looked after next: the one that somebody looks at before those that are on their screen, those before
 * what is open elsewhere, and the rest of the disk last; within each, first come, first served. Large files have
 * queues of their own, so that they never stand in the way of small ones.
 */
#pragma once

#include "base/list.h"
#include "base/map.h"

enum mend_priority { MEND_ACTIVE, MEND_VISIBLE, MEND_BACKGROUND, MEND_DISK, MEND_PRIORITY_N_ };

/* One session's transcript that waits, or is being looked after. */
struct order_item {
    struct list in_order;
    char *session_id;
    char *path; /* NULL: to be found */
    enum mend_priority priority;
    enum mend_priority again; /* asked for while it was being looked after; MEND_PRIORITY_N_: not */
    bool large, running;
    unsigned tries;      /* that came too early */
    uint64_t due;        /* of the owner: when it is tried again; 0: it does not wait for that */
    struct list waiters; /* of the owner */
};

struct order {
    struct list waiting[2][MEND_PRIORITY_N_]; /* small and large ones */
    struct map items;                         /* by session id, those under way too */
};

void order_init(struct order *o);
/* What is still in it is freed; nobody may wait any more. */
void order_fini(struct order *o);

/* Adds a session, or raises its priority; a lower one changes nothing. One that is under way is looked after once more when
 * it was asked for at a higher priority. */
struct order_item *order_add(struct order *o, struct span session_id, const char *path, bool large,
                             enum mend_priority priority);

/* The next one, from now on under way, of those that are no less urgent than `least`; NULL: none. */
struct order_item *order_take(struct order *o, bool large, enum mend_priority least);

/* It could not be done yet: back to the end of its queue, or to the head of that for large ones. */
void order_put_back(struct order *o, struct order_item *item, bool large);

/* It is done. True: but it was asked for again meanwhile and waits once more; else it is freed. */
bool order_done(struct order *o, struct order_item *item);
