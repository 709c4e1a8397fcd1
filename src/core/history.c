#include "core/history.h"

#include "base/mem.h"
#include "base/str.h"

#include <stdlib.h>

void history_init(struct history *h, enum history_kind kind) {
    static const size_t max[HISTORY_N_] = {
        [HISTORY_PROMPT] = HISTORY_PROMPTS_MAX,
        [HISTORY_TOOL] = HISTORY_TOOLS_MAX,
        [HISTORY_RESPONSE] = HISTORY_RESPONSES_MAX,
        [HISTORY_EVENT] = HISTORY_EVENTS_MAX,
    };
    *h = (struct history){.max = max[kind]};
}

static void entry_free(struct entry *e) {
    free(e->error);
    free(e);
}

void history_fini(struct history *h) {
    for (size_t i = 0; i < h->count; i++)
        entry_free(history_at(h, i));
    free(h->entries);
    *h = (struct history){.max = h->max};
}

static struct entry *entry_new(uint64_t pos, int64_t at_ms, struct span what, struct span detail) {
    struct entry *e = xmalloc(sizeof *e + what.n + detail.n + 2);
    *e = (struct entry){.pos = pos, .at_ms = at_ms, .what_len = what.n, .detail_len = detail.n};
    if (what.n) memcpy(e->text, what.p, what.n);
    e->text[what.n] = '\0';
    if (detail.n) memcpy(e->text + what.n + 1, detail.p, detail.n);
    e->text[what.n + 1 + detail.n] = '\0';
    return e;
}

/* Only called while the ring has not reached its maximum, so it never has wrapped: first is 0. */
static void grow(struct history *h) {
    assert(h->first == 0);
    h->room = MIN(h->room ? h->room * 2 : 4, h->max);
    h->entries = xreallocarray(h->entries, h->room, sizeof(struct entry *));
}

struct entry *history_push(struct history *h, uint64_t pos, int64_t at_ms, struct span what,
                           struct span detail) {
    struct entry *e = entry_new(pos, at_ms, what, detail);
    if (h->count == h->max) {
        entry_free(h->entries[h->first]);
        h->entries[h->first] = e;
        h->first = (h->first + 1) % h->max;
        return e;
    }
    if (h->count == h->room) grow(h);
    h->entries[h->count++] = e;
    return e;
}

struct entry *history_at(const struct history *h, size_t i) {
    assert(i < h->count);
    return h->entries[(h->first + i) % h->room];
}

struct entry *history_newest(const struct history *h) {
    return h->count ? history_at(h, h->count - 1) : NULL;
}

void entry_set_error(struct entry *e, struct span error) {
    e->failed = true;
    (void)str_set(&e->error, error);
}
