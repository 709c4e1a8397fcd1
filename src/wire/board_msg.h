/* The messages of the board's WebSocket, see docs/protocol.md: both dialects, plain and ostler.board.v1. */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "core/hook_stats.h"
#include "core/state.h"
#include "wire/board_terminal.h"

enum { BOARD_MSG_SCHEMA = 1, BOARD_MSG_DEPTH = 256 };
#define BOARD_MSG_PROTOCOL "ostler.board.v1"

enum board_dialect { BOARD_PLAIN, BOARD_V1, BOARD_DIALECT_N_ };

/* `now_ms` lets a page whose clock is off show right times; `hook` is the path of ostler-hook, NULL when unknown. */
void board_msg_welcome(struct buf *out, uint64_t seq, int64_t now_ms, const char *hook);
void board_msg_snapshot(struct buf *out, enum board_dialect d, const struct state *st, uint64_t seq);
/* `facets`: which fields changed; the plain dialect always sends the whole session. */
void board_msg_update(struct buf *out, enum board_dialect d, const struct session *s, unsigned facets,
                      uint64_t seq);
void board_msg_removed(struct buf *out, const char *id, const char *session_id, uint64_t seq);
void board_msg_team(struct buf *out, const struct team *team, uint64_t seq);
void board_msg_team_removed(struct buf *out, const char *team_id, uint64_t seq);
void board_msg_stats(struct buf *out, const struct hook_stats *stats, int64_t now_ms);
/* The end of a replay: `count` messages brought the client from `since` to `seq`. */
void board_msg_replayed(struct buf *out, uint64_t since, uint64_t seq, size_t count);
void board_msg_error(struct buf *out, const char *sentence);

/* A session's histories, for who has it open. */
void board_msg_detail(struct buf *out, const struct session *s);
/* Only what came after these positions (by history kind); a tool entry at or past `amended` that failed comes too.
 * Returns false when there was nothing to say. */
bool board_msg_log(struct buf *out, const struct session *s, const uint64_t after[HISTORY_N_],
                   uint64_t amended);

/* What was found in a session's transcript, and done about it. */
struct transcript_news {
    enum transcript_health health;
    uint64_t depth, depth_before; /* of the chain, and before it was mended */
    uint64_t orphans;             /* links that were broken */
    uint64_t fixed;               /* links that were mended */
    const char *message;          /* what to do; NULL: nothing */
};

void board_msg_ready(struct buf *out);
/* `name` is the session's id as the client spells it. */
void board_msg_session_status(struct buf *out, struct span name, const struct transcript_news *news);
/* `event`: scanned, repaired, error. */
void board_msg_repair_activity(struct buf *out, const char *event, struct span name,
                               const struct transcript_news *news);

enum board_request_type {
    BOARD_REQUEST_REPLAY,
    BOARD_REQUEST_OPEN,
    BOARD_REQUEST_CLOSE,
    BOARD_REQUEST_STATS,
    BOARD_REQUEST_QUEUE_COUNT,
    BOARD_REQUEST_HELLO,
    BOARD_REQUEST_TERMINAL,
    BOARD_REQUEST_INBOX,
    BOARD_REQUEST_ANSWER,
};

/* How much a client cares for a session: it looks at it, sees it, has it open somewhere. */
enum board_urgency { BOARD_LOOKS_AT, BOARD_SEES, BOARD_KEEPS, BOARD_URGENCY_N_ };
enum { BOARD_LOOKED_MAX = 5000, BOARD_NAME_MAX = 256 };

struct board_looked {
    struct span name;
    enum board_urgency urgency;
};

struct board_request {
    enum board_request_type type;
    uint64_t since_seq;
    struct span id;
    bool on;
    int64_t count;
    struct board_looked *looked; /* of a hello */
    size_t looked_count;
    struct board_terminal_request terminal;
};

/* Reads a client's message. -EINVAL with a sentence for the client. */
int board_request_parse(struct span message, struct arena *arena, struct board_request *ret, struct err *err);
