/*
 * The newest N entries of one kind (prompts, tool calls, responses, events) of a conversation.
 *
 * They are most of what a daemon with a thousand sessions has in memory, so once nobody points to them any more all but
 * the newest are packed: one block of bytes for a history, each entry a few bytes and its text. They are read in order,
 * with a cursor.
 */
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

/* `what` and `detail` by kind: prompt (text, –), tool (name, input summary), response (text, –), event (type, detail). */
struct entry {
    uint64_t pos; /* of the record that made it: unique within its kind */
    int64_t at_ms;
    bool failed;       /* tools only */
    const char *error; /* NULL when none */
    struct span what, detail;
};

struct fresh_entry;

struct history {
    char *packed;
    uint32_t head, used, room;          /* bytes of it: where the oldest begins, the end, what is allocated */
    uint32_t count, packed_count, max;  /* entries */
    struct fresh_entry *fresh, *newest; /* those that are not packed, oldest first */
    /* Packed entries say how far they are from the one before. */
    uint64_t before_pos, last_pos;
    int64_t before_ms, last_ms;
};

/* Empty; keeps as many entries as its kind has (HISTORY_…_MAX). */
void history_init(struct history *h, enum history_kind kind);
void history_fini(struct history *h);

/* Adds an entry, forgets the oldest past the maximum. The entry belongs to the history, and stays where it is until
 * history_pack(). */
struct entry *history_push(struct history *h, uint64_t pos, int64_t at_ms, struct span what,
                           struct span detail);

struct entry *history_newest(const struct history *h); /* NULL when empty */
/* The entry of that position; NULL when there is none, or it is packed. */
struct entry *history_find(const struct history *h, uint64_t pos);

/* Nobody points to entries any more: all before `from_pos` may be packed, but for the newest. */
void history_pack(struct history *h, uint64_t from_pos);

/* Marks an entry failed that history_push(), history_newest() or history_find() gave. */
void entry_set_error(struct entry *e, struct span error);

struct history_cursor {
    const struct history *history;
    size_t next;
    const char *at;
    const struct fresh_entry *fresh;
    struct entry entry;
};

/* Before the oldest entry; valid until the next change of the history. */
struct history_cursor history_begin(const struct history *h);

/* The next one, NULL behind the newest. It is good until the next call. */
const struct entry *history_next(struct history_cursor *c);

static inline struct span entry_what(const struct entry *e) {
    return e->what;
}

static inline struct span entry_detail(const struct entry *e) {
    return e->detail;
}
