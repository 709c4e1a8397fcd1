#include "api/board_ring.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>

void board_ring_init(struct board_ring *r, uint64_t next) {
    *r = (struct board_ring){.began = next, .first = next, .next = next};
}

void board_ring_fini(struct board_ring *r) {
    for (size_t i = 0; i < BOARD_RING_MAX; i++)
        free(r->changes[i].name);
}

uint64_t board_ring_push(struct board_ring *r, enum board_change_kind kind, const char *id,
                         const char *name) {
    struct board_change *c = &r->changes[r->next % BOARD_RING_MAX];
    free(c->name);
    *c = (struct board_change){.seq = r->next, .kind = kind, .name = name ? xstrdup(name) : NULL};
    (void)snprintf(c->id, sizeof c->id, "%s", id ? id : "");
    if (r->next - r->first == BOARD_RING_MAX) r->first++;
    return r->next++;
}

bool board_ring_covers(const struct board_ring *r, uint64_t since) {
    return since + 1 >= r->first && since < r->next;
}

bool board_ring_precedes(const struct board_ring *r, uint64_t since) {
    return since + 1 < r->began;
}

static struct span thing_of(const struct board_change *c) {
    return span_str(c->id[0] ? c->id : c->name);
}

/* Is there no later change of the same thing, up to `end`? */
static bool is_newest(const struct board_ring *r, const struct board_change *c, uint64_t end) {
    for (uint64_t seq = c->seq + 1; seq <= end; seq++)
        if (span_eq(thing_of(&r->changes[seq % BOARD_RING_MAX]), thing_of(c))) return false;
    return true;
}

const struct board_change *board_ring_next(const struct board_ring *r, uint64_t since, uint64_t end) {
    for (uint64_t seq = MAX(since + 1, r->first); seq <= end && seq < r->next; seq++) {
        const struct board_change *c = &r->changes[seq % BOARD_RING_MAX];
        if (is_newest(r, c, end)) return c;
    }
    return NULL;
}
