/* The newest N entries of one kind (prompts, tool calls, responses, events) of a conversation. */
#pragma once

#include "base/span.h"

/* X(constant, wire name) */
#define HISTORY_KIND_MAP(X) \
    X(PROMPT, "prompt")     \
    X(TOOL, "tool")         \
    X(RESPONSE, "response") \
    X(EVENT, "event")

#define HISTORY_X(c, s) HISTORY_##c,
enum history_kind { HISTORY_KIND_MAP(HISTORY_X) HISTORY_N_ };

enum {
    HISTORY_PROMPTS_MAX = 50,
    HISTORY_TOOLS_MAX = 200,
    HISTORY_RESPONSES_MAX = 50,
    HISTORY_EVENTS_MAX = 50,
};

/* One entry, one allocation. `what` and `detail` by kind: prompt (text, –), tool (name, input summary),
 * response (text, –), event (type, detail). */
struct entry {
    uint64_t pos; /* of the record that made it: unique within its kind */
    int64_t at_ms;
    bool failed; /* tools only */
    char *error; /* own allocation, set later; NULL when none */
    size_t what_len, detail_len;
    char text[]; /* what NUL detail NUL */
};

struct history {
    struct entry **entries; /* ring */
    size_t first, count, room;
    size_t max;
};

/* Empty; keeps as many entries as its kind has (HISTORY_…_MAX). */
void history_init(struct history *h, enum history_kind kind);
void history_fini(struct history *h);

/* Adds an entry, forgets the oldest past the maximum. The entry belongs to the history. */
struct entry *history_push(struct history *h, uint64_t pos, int64_t at_ms, struct span what,
                           struct span detail);

/* The i-th oldest. */
struct entry *history_at(const struct history *h, size_t i);
struct entry *history_newest(const struct history *h); /* NULL when empty */

void entry_set_error(struct entry *e, struct span error); /* marks it failed */

static inline struct span entry_what(const struct entry *e) {
    return span_of(e->text, e->what_len);
}

static inline struct span entry_detail(const struct entry *e) {
    return span_of(e->text + e->what_len + 1, e->detail_len);
}
