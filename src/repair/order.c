#include "repair/order.h"

#include "base/mem.h"
#include "base/str.h"

#include <stdlib.h>

void order_init(struct order *o) {
    *o = (struct order){.items = MAP_INIT};
    for (size_t large = 0; large < 2; large++)
        for (size_t p = 0; p < MEND_PRIORITY_N_; p++)
            list_init(&o->waiting[large][p]);
}

static void item_free(struct order_item *item) {
    assert(list_empty(&item->waiters));
    free(item->session_id);
    free(item->path);
    free(item);
}

void order_fini(struct order *o) {
    MAP_FOR_EACH(slot, &o->items)
        item_free(slot->value);
    map_fini(&o->items);
}

static void enqueue(struct order *o, struct order_item *item) {
    list_append(&o->waiting[item->large][item->priority], &item->in_order);
}

static struct order_item *item_new(struct order *o, struct span session_id) {
    struct order_item *item = xcalloc(1, sizeof *item);
    item->session_id = str_dup(session_id);
    item->again = MEND_PRIORITY_N_;
    list_init(&item->waiters);
    (void)map_put(&o->items, session_id, item);
    return item;
}

struct order_item *order_add(struct order *o, struct span session_id, const char *path, bool large,
                             enum mend_priority priority) {
    struct order_item *item = map_get(&o->items, session_id);
    if (item && item->running) {
        if (priority < item->priority) item->again = MIN(item->again, priority);
        return item;
    }
    bool is_new = !item;
    if (is_new) item = item_new(o, session_id);
    if (path) (void)str_set(&item->path, span_str(path));
    if (!is_new && priority >= item->priority) return item;
    if (!is_new) list_remove(&item->in_order);
    item->large |= large;
    item->priority = priority;
    enqueue(o, item);
    return item;
}

struct order_item *order_take(struct order *o, bool large, enum mend_priority least) {
    for (enum mend_priority p = MEND_ACTIVE; p <= least; p++) {
        struct list *queue = &o->waiting[large][p];
        if (list_empty(queue)) continue;
        struct order_item *item = list_entry(queue->next, struct order_item, in_order);
        list_remove(&item->in_order);
        item->running = true;
        return item;
    }
    return NULL;
}

void order_put_back(struct order *o, struct order_item *item, bool large) {
    item->running = false;
    item->priority = MIN(item->priority, item->again);
    item->again = MEND_PRIORITY_N_;
    if (large && !item->large) {
        item->large = true;
        list_insert_before(o->waiting[true][item->priority].next, &item->in_order);
    } else {
        enqueue(o, item);
    }
}

bool order_done(struct order *o, struct order_item *item) {
    if (item->again != MEND_PRIORITY_N_) {
        order_put_back(o, item, false);
        return true;
    }
    (void)map_remove(&o->items, span_str(item->session_id));
    item_free(item);
    return false;
}
