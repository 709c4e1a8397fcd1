#include "core/deadline.h"

void deadline_set(struct state *st, struct worker *w, enum deadline_kind kind, int64_t at_ms) {
    struct heap_node *node = &w->deadlines[kind].node;
    w->conversation.due_ms[kind] = at_ms;
    if (at_ms)
        heap_set(&st->deadlines, node, at_ms * USEC_PER_MSEC);
    else
        heap_remove(&st->deadlines, node);
}

struct deadline *deadline_take(struct state *st, int64_t now_ms, int64_t *ret_at_ms) {
    struct heap_node *first = heap_first(&st->deadlines);
    if (!first || first->due > now_ms * USEC_PER_MSEC) return NULL;
    struct deadline *d = CONTAINER_OF(first, struct deadline, node);
    *ret_at_ms = d->worker->conversation.due_ms[d->kind];
    deadline_set(st, d->worker, d->kind, 0);
    session_touch(st, d->worker->session, 0);
    return d;
}

usec_t deadline_next(const struct state *st) {
    const struct heap_node *first = heap_first(&st->deadlines);
    return first ? first->due : USEC_NEVER;
}

void deadline_restore(struct state *st) {
    list_for_each(pos, &st->sessions) {
        const struct session *s = list_entry(pos, struct session, in_state);
        list_for_each(at, &s->workers) {
            struct worker *w = list_entry(at, struct worker, in_session);
            for (enum deadline_kind kind = 0; kind < DEADLINE_N_; kind++)
                if (w->conversation.due_ms[kind])
                    heap_set(&st->deadlines, &w->deadlines[kind].node,
                             w->conversation.due_ms[kind] * USEC_PER_MSEC);
        }
    }
}
