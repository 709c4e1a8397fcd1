#include "app/notice_rule.h"

#include "base/cleanup.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void notice_rule_init(struct notice_rule *n, int64_t delay_ms) {
    *n = (struct notice_rule){.sessions = MAP_INIT, .delay_ms = delay_ms};
    list_init(&n->over);
}

static void drop(struct notice_item *item) {
    list_remove(&item->link);
    free(item);
}

static void drop_all(struct list *items) {
    list_for_each_safe(node, items)
        drop(list_entry(node, struct notice_item, link));
}

void notice_rule_fini(struct notice_rule *n) {
    MAP_FOR_EACH(slot, &n->sessions) {
        drop_all(slot->value);
        free(slot->value);
    }
    map_fini(&n->sessions);
    drop_all(&n->over);
}

/* ---- looking ------------------------------------------------------------------------------------------------------- */

/* What is being looked at. */
struct look {
    struct notice_rule *rule;
    const struct session *session;
    struct list *items; /* of the session; NULL: it has none yet */
    int64_t now_ms;
    bool at_start;
};

static struct notice_item *find(struct list *items, struct span key) {
    if (!items) return NULL;
    list_for_each(node, items) {
        struct notice_item *item = list_entry(node, struct notice_item, link);
        if (span_eq_str(key, item->key)) return item;
    }
    return NULL;
}

static struct list *items_of(struct look *k) {
    if (k->items) return k->items;
    k->items = xcalloc(1, sizeof *k->items);
    list_init(k->items);
    (void)map_put(&k->rule->sessions, span_str(k->session->id), k->items);
    return k->items;
}

static void see(struct look *k, const struct notice_item *wanted) {
    struct notice_item *item = find(k->items, span_str(wanted->key));
    if (!item) {
        item = xcalloc(1, sizeof *item);
        *item = *wanted;
        memcpy(item->session, k->session->id, sizeof item->session);
        int64_t age_ms = k->now_ms - item->since_ms;
        item->due_ms = k->now_ms + k->rule->delay_ms;
        item->told = age_ms > (k->at_start ? NOTICE_JUST_MS : NOTICE_OLD_MS);
        item->silent = item->told && !k->at_start;
        item->before = item->told && k->at_start;
        list_append(items_of(k), &item->link);
    }
    item->seen = true;
}

static void see_request(struct look *k, const struct request *r) {
    struct notice_item item = {.kind = r->kind, .since_ms = r->since_ms};
    memcpy(item.request, r->id, sizeof item.request);
    (void)snprintf(item.key, sizeof item.key, "%s", r->id);
    see(k, &item);
}

static void see_notice(struct look *k, const struct notice *n) {
    struct notice_item item = {.kind = n->kind, .since_ms = n->since_ms};
    (void)snprintf(item.key, sizeof item.key, "%s.%d.%" PRId64, k->session->id, (int)n->kind, n->since_ms);
    see(k, &item);
}

/* What was there and is no more: who was told of it will be told of that. */
static void end_unseen(struct notice_rule *n, struct list *items) {
    list_for_each_safe(node, items) {
        struct notice_item *item = list_entry(node, struct notice_item, link);
        if (item->seen) continue;
        if (!item->told || item->silent) {
            drop(item);
            continue;
        }
        list_remove(&item->link);
        list_append(&n->over, &item->link);
    }
}

static void look(struct look *k) {
    const struct conversation *c = &k->session->primary->conversation;
    k->items = map_get(&k->rule->sessions, span_str(k->session->id));
    if (k->items)
        list_for_each(node, k->items)
            list_entry(node, struct notice_item, link)->seen = false;
    for (size_t i = 0; i < c->request_count; i++)
        see_request(k, &c->requests[i]);
    if (c->request_count == 0 && c->notice.kind) see_notice(k, &c->notice);
    if (!k->items) return;
    end_unseen(k->rule, k->items);
    if (list_empty(k->items)) free(map_remove(&k->rule->sessions, span_str(k->session->id)));
}

void notice_rule_look(struct notice_rule *n, const struct session *s, int64_t now_ms) {
    look(&(struct look){.rule = n, .session = s, .now_ms = now_ms});
}

void notice_rule_know(struct notice_rule *n, const struct session *s, int64_t now_ms) {
    look(&(struct look){.rule = n, .session = s, .now_ms = now_ms, .at_start = true});
}

void notice_rule_removed(struct notice_rule *n, const struct session *s) {
    struct list *items = map_remove(&n->sessions, span_str(s->id));
    if (!items) return;
    list_for_each(node, items)
        list_entry(node, struct notice_item, link)->seen = false;
    end_unseen(n, items);
    free(items);
}

/* ---- telling ------------------------------------------------------------------------------------------------------- */

static struct notice_item *due(const struct notice_rule *n, int64_t now_ms) {
    MAP_FOR_EACH(slot, &n->sessions) {
        struct list *items = slot->value;
        list_for_each(node, items) {
            struct notice_item *item = list_entry(node, struct notice_item, link);
            if (!item->told && item->due_ms <= now_ms) return item;
        }
    }
    return NULL;
}

enum notice_news notice_rule_next(struct notice_rule *n, int64_t now_ms, struct notice_item *ret) {
    struct notice_item *item = list_first(&n->over, struct notice_item, link);
    if (item) {
        *ret = *item;
        drop(item);
        return NOTICE_OVER;
    }
    item = due(n, now_ms);
    if (!item) return NOTICE_NOTHING;
    item->told = true;
    *ret = *item;
    return NOTICE_TELL;
}

void notice_rule_hush(struct notice_rule *n, const struct notice_item *item) {
    struct notice_item *kept = find(map_get(&n->sessions, span_str(item->session)), span_str(item->key));
    if (kept) kept->silent = true;
}

int64_t notice_rule_due(const struct notice_rule *n) {
    int64_t next = list_empty(&n->over) ? INT64_MAX : 0;
    MAP_FOR_EACH(slot, &n->sessions) {
        const struct list *items = slot->value;
        list_for_each(node, items) {
            const struct notice_item *item = list_entry(node, struct notice_item, link);
            if (!item->told) next = MIN(next, item->due_ms);
        }
    }
    return next;
}

void notice_rule_clock_set(struct notice_rule *n, int64_t by_ms) {
    MAP_FOR_EACH(slot, &n->sessions) {
        const struct list *items = slot->value;
        list_for_each(node, items)
            clock_step_move(&list_entry(node, struct notice_item, link)->due_ms, by_ms);
    }
}
