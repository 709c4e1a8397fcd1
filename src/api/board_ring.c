#include "api/board_ring.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>

void board_ring_init(struct board_ring *r, uint64_t next) {
    *r = (struct board_ring){.first = next, .next = next};
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

void board_ring_replay(const struct board_ring *r, uint64_t since,
                       void (*each)(void *user, const struct board_change *c), void *user) {
    /* Newest first, to keep only the last change of each session; then in order. */
    struct map seen = MAP_INIT;
    const struct board_change *kept[BOARD_RING_MAX];
    size_t count = 0;
    for (uint64_t seq = r->next; seq-- > r->first && seq > since;) {
        const struct board_change *c = &r->changes[seq % BOARD_RING_MAX];
        struct span what = span_str(c->id[0] ? c->id : c->name);
        if (!map_put(&seen, what, &seen)) kept[count++] = c;
    }
    map_fini(&seen);
    while (count)
        each(user, kept[--count]);
}
