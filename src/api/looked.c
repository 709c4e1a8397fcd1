#include "api/looked.h"

#include "base/mem.h"
#include "base/str.h"

#include <stdlib.h>

/* What is said of one finding, in this order. */
enum step { STEP_SCANNED, STEP_OUTCOME, STEP_STATUS, STEP_NONE };

struct looked {
    struct list in_due;
    char *session_id;
    char *name;
    enum board_urgency urgency;
    bool named; /* by the hello that is being read */
    enum step step;
    struct transcript_news news;
    char *message; /* what news.message points to */
};

void looked_init(struct looked_set *set) {
    set->by_session = MAP_INIT;
    list_init(&set->due);
}

static void looked_free(struct looked *l) {
    list_remove(&l->in_due);
    free(l->session_id);
    free(l->name);
    free(l->message);
    free(l);
}

void looked_fini(struct looked_set *set) {
    MAP_FOR_EACH(slot, &set->by_session)
        looked_free(slot->value);
    map_fini(&set->by_session);
}

void looked_begin(struct looked_set *set) {
    MAP_FOR_EACH(slot, &set->by_session)
        ((struct looked *)slot->value)->named = false;
}

bool looked_add(struct looked_set *set, struct span session_id, struct span name,
                enum board_urgency urgency) {
    struct looked *l = map_get(&set->by_session, session_id);
    bool now = !l || urgency < l->urgency;
    if (!l) {
        l = xcalloc(1, sizeof *l);
        l->session_id = str_dup(session_id);
        l->step = STEP_NONE;
        list_init(&l->in_due);
        (void)map_put(&set->by_session, session_id, l);
    }
    if (!l->named || urgency < l->urgency) l->urgency = urgency;
    if (!l->named) (void)str_set(&l->name, name);
    l->named = true;
    return now;
}

void looked_end(struct looked_set *set) {
    MAP_FOR_EACH(slot, &set->by_session) {
        struct looked *l = slot->value;
        if (l->named) continue;
        (void)map_remove(&set->by_session, span_of(slot->key, slot->key_len));
        looked_free(l);
    }
}

bool looked_news(struct looked_set *set, struct span session_id, const struct transcript_news *news) {
    struct looked *l = map_get(&set->by_session, session_id);
    if (!l) return false;
    l->news = *news;
    (void)str_set(&l->message, span_str(news->message));
    l->news.message = l->message;
    if (l->step == STEP_NONE) list_append(&set->due, &l->in_due);
    l->step = STEP_SCANNED;
    return true;
}

/* What the look found, before anything was done about it. */
static void write_scanned(const struct looked *l, struct buf *out) {
    struct transcript_news found = l->news;
    found.message = NULL;
    found.fixed = 0;
    bool was_broken = l->news.health == TRANSCRIPT_HEALTH_UNRECOVERABLE || l->news.fixed;
    if (was_broken) found.health = TRANSCRIPT_HEALTH_CORRUPTED;
    if (l->news.fixed) found.depth = l->news.depth_before;
    board_msg_repair_activity(out, "scanned", span_str(l->name), &found);
}

static bool write_outcome(const struct looked *l, struct buf *out) {
    enum transcript_health h = l->news.health;
    bool failed = h == TRANSCRIPT_HEALTH_UNRECOVERABLE || h == TRANSCRIPT_HEALTH_UNREADABLE;
    if (!failed && !l->news.fixed) return false;
    board_msg_repair_activity(out, failed ? "error" : "repaired", span_str(l->name), &l->news);
    return true;
}

bool looked_next(struct looked_set *set, struct buf *out) {
    if (list_empty(&set->due)) return false;
    struct looked *l = list_entry(set->due.next, struct looked, in_due);
    switch (l->step) {
    case STEP_SCANNED:
        write_scanned(l, out);
        l->step = STEP_OUTCOME;
        return true;
    case STEP_OUTCOME:
        l->step = STEP_STATUS;
        if (write_outcome(l, out)) return true;
        break;
    case STEP_STATUS:
    case STEP_NONE: break;
    }
    board_msg_session_status(out, span_str(l->name), &l->news);
    l->step = STEP_NONE;
    list_remove(&l->in_due);
    list_init(&l->in_due);
    return true;
}
