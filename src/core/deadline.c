#include "core/deadline.h"

static void set(struct state *st, struct deadline *d, int64_t at_ms) {
    d->at_ms = at_ms;
    if (at_ms)
        heap_set(&st->deadlines, &d->node, at_ms * USEC_PER_MSEC);
    else
        heap_remove(&st->deadlines, &d->node);
}

void deadline_set(struct state *st, struct worker *w, enum deadline_kind kind, int64_t at_ms) {
    set(st, &w->deadlines[kind], at_ms);
}

int64_t deadline_get(const struct worker *w, enum deadline_kind kind) {
    return w->deadlines[kind].at_ms;
}

void deadline_set_team(struct state *st, struct team *team, int64_t at_ms) {
    set(st, &team->deadline, at_ms);
}

struct deadline *deadline_take(struct state *st, int64_t now_ms, int64_t *ret_at_ms) {
    struct heap_node *first = heap_first(&st->deadlines);
    if (!first || first->due > now_ms * USEC_PER_MSEC) return NULL;
    struct deadline *d = CONTAINER_OF(first, struct deadline, node);
    *ret_at_ms = d->at_ms;
    set(st, d, 0);
    if (d->worker)
        session_touch(st, d->worker->session, 0);
    else
        team_touch(st, d->team);
    return d;
}

usec_t deadline_next(const struct state *st) {
    const struct heap_node *first = heap_first(&st->deadlines);
    return first ? first->due : USEC_NEVER;
}
