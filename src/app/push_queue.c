#include "app/push_queue.h"

#include "base/cleanup.h"
#include "base/mem.h"

#include <stdlib.h>

void push_queue_init(struct push_queue *q) {
    *q = (struct push_queue){0};
    list_init(&q->items);
}

static void drop(struct push_queue *q, struct push_item *item) {
    list_remove(&item->link);
    q->count--;
    free(item->text);
    free(item);
}

void push_queue_fini(struct push_queue *q) {
    list_for_each_safe(node, &q->items)
        drop(q, list_entry(node, struct push_item, link));
}

static bool is_same(const struct push_item *a, const char *sub, const char *topic) {
    return strcmp(a->sub, sub) == 0 && strcmp(a->message.topic, topic) == 0;
}

/* The oldest that waits: for this browser, about this; NULL means any. */
static struct push_item *find_waiting(const struct push_queue *q, const char *sub, const char *topic) {
    list_for_each(node, &q->items) {
        struct push_item *item = list_entry(node, struct push_item, link);
        bool fits =
            (!sub || strcmp(item->sub, sub) == 0) && (!topic || strcmp(item->message.topic, topic) == 0);
        if (!item->flight && fits) return item;
    }
    return NULL;
}

void push_queue_forget(struct push_queue *q, struct span sub) {
    list_for_each_safe(node, &q->items) {
        struct push_item *item = list_entry(node, struct push_item, link);
        if (!item->flight && span_eq_str(sub, item->sub)) drop(q, item);
    }
}

void push_queue_put(struct push_queue *q, struct span sub, const struct push_message *m, int64_t now_ms) {
    struct push_item *item = xcalloc(1, sizeof *item);
    int64_t due_ms = now_ms;
    assert(sub.n < sizeof item->sub);
    memcpy(item->sub, sub.p, sub.n);
    struct push_item *old = find_waiting(q, item->sub, m->topic); /* there is one at most */
    if (old)
        due_ms = MAX(due_ms, old->due_ms); /* whoever asked us to wait asked for all of it */
    else if (q->count >= PUSH_QUEUE_MAX)
        old = find_waiting(q, NULL, NULL);
    if (old) drop(q, old);
    item->message = *m;
    item->text = xstrndup(m->json.p, m->json.n);
    item->message.json = span_of(item->text, m->json.n);
    item->made_ms = now_ms;
    item->due_ms = due_ms;
    list_append(&q->items, &item->link);
    q->count++;
}

/* Is one about the same thing under way to the same browser? */
static bool is_flying(const struct push_queue *q, const struct push_item *item) {
    list_for_each(node, &q->items) {
        const struct push_item *other = list_entry(node, struct push_item, link);
        if (other->flight && is_same(other, item->sub, item->message.topic)) return true;
    }
    return false;
}

struct push_item *push_queue_next(const struct push_queue *q, int64_t now_ms) {
    if (q->flying >= PUSH_QUEUE_FLYING) return NULL;
    list_for_each(node, &q->items) {
        struct push_item *item = list_entry(node, struct push_item, link);
        if (!item->flight && item->due_ms <= now_ms && !is_flying(q, item)) return item;
    }
    return NULL;
}

void push_queue_flies(struct push_queue *q, struct push_item *item, void *flight) {
    assert(!item->flight && flight);
    item->flight = flight;
    item->tries++;
    q->flying++;
}

int64_t push_queue_due(const struct push_queue *q) {
    int64_t next = INT64_MAX;
    list_for_each(node, &q->items) {
        const struct push_item *item = list_entry(node, struct push_item, link);
        if (!item->flight && !is_flying(q, item)) next = MIN(next, item->due_ms);
    }
    return q->flying >= PUSH_QUEUE_FLYING ? INT64_MAX : next;
}

static int64_t wait_ms(const struct push_item *item, const struct http_answer *a) {
    int64_t ms = PUSH_QUEUE_FIRST_MS;
    for (unsigned i = 1; i < item->tries && ms < PUSH_QUEUE_LONGEST_MS; i++)
        ms *= 2;
    return MAX(MIN(ms, (int64_t)PUSH_QUEUE_LONGEST_MS), (int64_t)a->retry_after_s * 1000);
}

/* A newer one about the same thing waits: this one is of no use any more. */
static bool is_outdated(const struct push_queue *q, const struct push_item *item) {
    list_for_each(node, &q->items) {
        const struct push_item *other = list_entry(node, struct push_item, link);
        if (other != item && is_same(other, item->sub, item->message.topic)) return true;
    }
    return false;
}

/* A service that wants to be left alone for a while gets nothing else for this browser either. */
static void put_off(struct push_queue *q, const char *sub, int64_t due_ms) {
    list_for_each(node, &q->items) {
        struct push_item *item = list_entry(node, struct push_item, link);
        if (strcmp(item->sub, sub) == 0) item->due_ms = MAX(item->due_ms, due_ms);
    }
}

static enum push_landing judge(const struct push_item *item, const struct http_answer *a, int64_t now_ms) {
    if (a->status >= 200 && a->status < 300) return PUSH_ARRIVED;
    if (a->status == 404 || a->status == 410) return PUSH_GONE;
    bool may_pass = a->status == 0 || a->status == 408 || a->status == 429 || a->status >= 500;
    int64_t next_ms = now_ms + wait_ms(item, a);
    bool in_time = next_ms < item->made_ms + (int64_t)item->message.ttl_s * 1000;
    return may_pass && in_time && item->tries < PUSH_QUEUE_TRIES ? PUSH_LATER : PUSH_FAILED;
}

enum push_landing push_queue_landed(struct push_queue *q, struct push_item *item, const struct http_answer *a,
                                    int64_t now_ms) {
    enum push_landing landing = judge(item, a, now_ms);
    assert(item->flight);
    item->flight = NULL;
    q->flying--;
    if (landing == PUSH_LATER) {
        int64_t due_ms = now_ms + wait_ms(item, a);
        put_off(q, item->sub, due_ms);
        if (!is_outdated(q, item)) return landing;
    }
    drop(q, item);
    return landing;
}
