/*
 * The requests that the daemon tells of, open and ended, as GET /api/approvals and the board's socket have them (docs/inbox.md).
 * Pure: JSON goes in, requests come out.
 */
#pragma once

#include "base/arena.h"
#include "core/reply.h"

enum { INBOX_REQUEST_BYTES_MAX = 8 << 20 };

/* Spans are texts as people read them unless it says "raw": those are JSON. Empty where the daemon says null. */
struct inbox_request {
    char *json;         /* the whole of it, as it came; the spans are in here or in the arena */
    struct arena arena; /* owned */
    struct span id, session, session_id, title, project, cli, kind, tool, agent, text, detail, form, digest,
        same, state, why, note, by;
    struct span input, questions, rules, modes; /* raw */
    struct span answer, answer_by;              /* the decision that is on its way, and whose */
    unsigned can;                               /* bits of enum can */
    bool certain;
    int64_t asked_ms, ended_ms;
};

struct inbox_list {
    struct inbox_request **v; /* open ones first, the oldest first; then the ended ones, the newest first */
    size_t n, open;
    struct span away; /* raw */
    char *away_json;
};

#define INBOX_LIST_INIT ((struct inbox_list){0})

/* All of them anew: {"approvals": […], "away": …}. False when it is not that. */
bool inbox_list_read(struct inbox_list *l, struct span json);
/* One that is new, has changed or has ended. False when it is none. */
bool inbox_list_take(struct inbox_list *l, struct span request);
/* Whether the person is away. */
void inbox_list_set_away(struct inbox_list *l, struct span away);
void inbox_list_fini(struct inbox_list *l);

/* The request with this id, open or ended; NULL when there is none. */
const struct inbox_request *inbox_list_find(const struct inbox_list *l, struct span id);
bool inbox_request_is_open(const struct inbox_request *r);

/* One of a question's questions. */
struct inbox_question {
    struct span question, header;
    struct span options; /* raw */
    bool many;           /* any number of options may be chosen */
};
/* Steps through them; `*rest` starts as r->questions. */
bool inbox_question_next(const struct inbox_request *r, struct span *rest, struct inbox_question *ret);
size_t inbox_question_count(const struct inbox_request *r);
bool inbox_question_at(const struct inbox_request *r, size_t i, struct inbox_question *ret);

struct inbox_option {
    struct span label, description;
};
bool inbox_option_next(const struct inbox_request *r, struct span *rest, struct inbox_option *ret);

struct inbox_rule {
    struct span rule, where;
};
bool inbox_rule_next(const struct inbox_request *r, struct span *rest, struct inbox_rule *ret);
bool inbox_mode_next(const struct inbox_request *r, struct span *rest, struct span *ret);

static inline void cleanup_inbox_list(struct inbox_list *l) {
    inbox_list_fini(l);
}
