/* The two shapes of a session on the wire, see docs/protocol.md. */
#pragma once

#include "base/jwrite.h"
#include "core/state.h"

enum {
    SESSION_JSON_PROMPT_UNITS = 300,  /* of the prompt in a summary */
    SESSION_JSON_DETAIL_UNITS = 2000, /* of what is asked, or of an agent's last words */
};

/* The whole object, with histories. */
void session_json_whole(struct jwrite *w, const struct session *s);

/* Every session of the board, whole, by its `sessionId`; with those that have ended and are hidden, if wanted. */
void session_json_map(struct jwrite *w, const struct state *st, bool hidden);

/* What a card shows. */
void session_json_summary(struct jwrite *w, const struct session *s);

/* The summary's fields of the given facets (enum facet), to be laid over what a client has. */
void session_json_patch(struct jwrite *w, const struct session *s, unsigned facets);

/* One history entry as the board's logs carry it, with its `pos`. */
void session_json_log_entry(struct jwrite *w, enum history_kind kind, const struct entry *e);
