#include "api/board_int.h"

#include "base/cleanup.h"
#include "base/mem.h"

#include <stdlib.h>

struct board *board_new(const struct state *st, const struct clock *clock, const struct board_ops *ops,
                        void *user, uint64_t seq) {
    struct board *b = xcalloc(1, sizeof *b);
    b->state = st;
    b->clock = clock;
    b->ops = ops;
    b->user = user;
    b->scratch = BUF_INIT(MESSAGE_BYTES_MAX);
    board_ring_init(&b->ring, seq);
    list_init(&b->clients);
    board_terminals_init(&b->terminals);
    return b;
}

void board_free(struct board *b) {
    if (!b) return;
    assert(list_empty(&b->clients));
    MAP_FOR_EACH(slot, &b->watched)
        free(slot->value);
    map_fini(&b->watched);
    board_ring_fini(&b->ring);
    board_terminals_fini(&b->terminals);
    buf_fini(&b->scratch);
    free(b);
}

uint64_t board_seq(const struct board *b) {
    return board_ring_seq(&b->ring);
}

struct ws_frame *board_take_frame(struct board *b) {
    struct ws_frame *f = b->scratch.failed ? NULL : ws_frame_text(buf_span(&b->scratch));
    if (b->scratch.room > SCRATCH_KEEP_BYTES)
        buf_fini(&b->scratch);
    else
        buf_clear(&b->scratch);
    return f;
}

/* A client's queue */

static void drop_queue(struct client *c) {
    for (; c->queued; c->queued--) {
        ws_frame_unref(c->queue[c->first]);
        c->first = (c->first + 1) % BOARD_QUEUE_FRAMES;
    }
    c->queued_bytes = 0;
}

/* Too slow for the changes: forget them, the present state says it all. */
static void fall_behind(struct client *c) {
    drop_queue(c);
    c->replay.on = false;
    c->needs_snapshot = true;
    for (size_t i = 0; i < BOARD_OPEN_MAX; i++)
        c->opened[i].needs_detail = c->opened[i].id[0] != '\0';
    c->inbox.needs_all = c->inbox.on;
}

void client_push(struct client *c, struct ws_frame *f) {
    if (!f) return;
    if (c->queued == BOARD_QUEUE_FRAMES || c->queued_bytes > BOARD_QUEUE_BYTES) {
        fall_behind(c);
    } else {
        c->queue[(c->first + c->queued) % BOARD_QUEUE_FRAMES] = ws_frame_ref(f);
        c->queued++;
        c->queued_bytes += ws_frame_bytes(f);
    }
    ws_want_write(c->ws);
}

void client_push_scratch(struct client *c) {
    struct ws_frame *f = board_take_frame(c->board);
    client_push(c, f);
    ws_frame_unref(f);
}

static struct opened *find_opened(struct client *c, const char *id) {
    for (size_t i = 0; i < BOARD_OPEN_MAX; i++)
        if (strcmp(c->opened[i].id, id) == 0) return &c->opened[i];
    return NULL;
}

/* Publishing */

/* From here on only what comes later is news. */
static void watched_advance(struct watched *watched, const struct session *s) {
    const struct conversation *c = &s->primary->conversation;
    for (size_t kind = 0; kind < HISTORY_N_; kind++) {
        const struct entry *newest = history_newest(&c->history[kind]);
        if (newest) watched->after[kind] = newest->pos;
    }
    watched->amended = UINT64_MAX;
}

static void publish_log(struct board *b, const struct session *s) {
    struct watched *watched = map_get(&b->watched, span_str(s->id));
    if (!watched) return;
    bool any = board_msg_log(&b->scratch, s, watched->after, watched->amended);
    struct ws_frame *f = board_take_frame(b);
    watched_advance(watched, s);
    list_for_each(pos, &b->clients) {
        struct client *client = list_entry(pos, struct client, in_board);
        const struct opened *o = find_opened(client, s->id);
        if (any && o && !o->needs_detail) client_push(client, f);
    }
    ws_frame_unref(f);
}

void board_send_all(struct board *b, enum board_dialect d, struct ws_frame *f) {
    list_for_each(pos, &b->clients) {
        struct client *c = list_entry(pos, struct client, in_board);
        if (c->dialect == d && !c->needs_snapshot) client_push(c, f);
    }
    ws_frame_unref(f);
}

/* What looks the same in both dialects. */
static void send_both(struct board *b, struct ws_frame *f) {
    board_send_all(b, BOARD_PLAIN, ws_frame_ref(f));
    board_send_all(b, BOARD_V1, f);
}

/* A session that has ended long ago is gone for a client that knows no such. */
static void encode_session(struct board *b, enum board_dialect d, const struct session *s, unsigned facets,
                           uint64_t seq) {
    if (s->hidden && d == BOARD_PLAIN)
        board_msg_removed(&b->scratch, s->id, session_wire_id(s), seq);
    else
        board_msg_update(&b->scratch, d, s, facets, seq);
}

void board_publish(struct board *b, struct session *s) {
    uint64_t seq = board_ring_push(&b->ring, BOARD_CHANGE_UPDATED, s->id, NULL);
    for (enum board_dialect d = 0; d < BOARD_DIALECT_N_; d++) {
        if (!b->count[d]) continue;
        encode_session(b, d, s, s->changed, seq);
        board_send_all(b, d, board_take_frame(b));
    }
    publish_log(b, s);
    s->changed = 0;
    free(s->replaces_id);
    s->replaces_id = NULL;
}

void board_publish_removed(struct board *b, const struct session *s) {
    const char *session_id = session_wire_id(s);
    uint64_t seq = board_ring_push(&b->ring, BOARD_CHANGE_REMOVED, s->id, session_id);
    board_msg_removed(&b->scratch, s->id, session_id, seq);
    send_both(b, board_take_frame(b));
    free(map_remove(&b->watched, span_str(s->id)));
}

void board_publish_team(struct board *b, const struct team *team) {
    uint64_t seq = board_ring_push(&b->ring, BOARD_CHANGE_TEAM, NULL, team->id);
    board_msg_team(&b->scratch, team, seq);
    send_both(b, board_take_frame(b));
}

void board_publish_team_removed(struct board *b, const char *team_id) {
    uint64_t seq = board_ring_push(&b->ring, BOARD_CHANGE_TEAM_REMOVED, NULL, team_id);
    board_msg_team_removed(&b->scratch, team_id, seq);
    send_both(b, board_take_frame(b));
}

void board_publish_plain(struct board *b, struct span json) {
    if (b->count[BOARD_PLAIN]) board_send_all(b, BOARD_PLAIN, ws_frame_text(json));
}

static bool wants_stats(const struct client *c) {
    return c->dialect == BOARD_PLAIN || c->wants_stats;
}

void board_publish_stats(struct board *b) {
    bool anybody = false;
    list_for_each(pos, &b->clients)
        anybody |= wants_stats(list_entry(pos, struct client, in_board));
    if (!anybody) return;
    board_msg_stats(&b->scratch, b->ops->stats, usec_to_msec(clock_wall(b->clock)));
    struct ws_frame *f = board_take_frame(b);
    list_for_each(pos, &b->clients) {
        struct client *c = list_entry(pos, struct client, in_board);
        if (wants_stats(c) && c->queued_bytes <= BOARD_SPARE_BYTES) client_push(c, f);
    }
    ws_frame_unref(f);
}

void board_amended(struct board *b, const struct session *s, const struct entry *e) {
    struct watched *watched = map_get(&b->watched, span_str(s->id));
    if (watched) watched->amended = MIN(watched->amended, e->pos);
}

/* Requests */

/* Encodes a change as the state is now; false when there is nothing left to tell. */
static bool encode_change(struct board *b, enum board_dialect d, const struct board_change *change) {
    const struct worker *w;
    const struct team *team;
    switch (change->kind) {
    case BOARD_CHANGE_UPDATED:
        w = state_find(b->state, span_str(change->id));
        if (w) encode_session(b, d, w->session, FACET_ALL, change->seq);
        return w != NULL;
    case BOARD_CHANGE_REMOVED:
        board_msg_removed(&b->scratch, change->id, change->name, change->seq);
        return true;
    case BOARD_CHANGE_TEAM:
        team = state_find_team(b->state, span_str(change->name));
        if (team) board_msg_team(&b->scratch, team, change->seq);
        return team != NULL;
    case BOARD_CHANGE_TEAM_REMOVED:
        board_msg_team_removed(&b->scratch, change->name, change->seq);
        return true;
    }
    return false;
}

/* One that comes back to a daemon that has begun meanwhile got everything with its first snapshot. */
static void replay(struct client *c, uint64_t since) {
    struct board *b = c->board;
    uint64_t end = board_seq(b);
    if (board_ring_precedes(&b->ring, since))
        c->replay = (struct replay){.on = true, .since = since, .at = end, .end = end, .before = c->queued};
    else if (board_ring_covers(&b->ring, since))
        c->replay = (struct replay){.on = true, .since = since, .at = since, .end = end, .before = c->queued};
    else
        fall_behind(c);
    ws_want_write(c->ws);
}

void client_refuse(struct client *c, const char *sentence) {
    board_msg_error(&c->board->scratch, sentence);
    client_push_scratch(c);
}

static void watch(struct board *b, const struct session *s) {
    struct watched *watched = map_get(&b->watched, span_str(s->id));
    if (!watched) {
        watched = xcalloc(1, sizeof *watched);
        watched_advance(watched, s);
        (void)map_put(&b->watched, span_str(s->id), watched);
    }
    watched->viewers++;
}

static void unwatch(struct board *b, struct opened *o) {
    struct watched *watched = map_get(&b->watched, span_str(o->id));
    if (watched && --watched->viewers == 0) free(map_remove(&b->watched, span_str(o->id)));
    *o = (struct opened){0};
}

static void open_session(struct client *c, struct span id) {
    const struct worker *w = state_find(c->board->state, id);
    if (!w) {
        client_refuse(c, "no such session: it may have ended and left the board");
        return;
    }
    struct opened *o = find_opened(c, w->session->id);
    if (!o) {
        o = find_opened(c, "");
        if (!o) {
            client_refuse(c, "too many sessions open on this connection: close one first");
            return;
        }
        memcpy(o->id, w->session->id, sizeof o->id);
        watch(c->board, w->session);
    }
    board_msg_detail(&c->board->scratch, w->session);
    client_push_scratch(c);
}

static void close_session(struct client *c, struct span id) {
    const struct worker *w = state_find(c->board->state, id);
    char name[ID_BYTES] = "";
    if (w)
        memcpy(name, w->session->id, sizeof name);
    else if (id.n < sizeof name)
        memcpy(name, id.p, id.n);
    struct opened *o = name[0] ? find_opened(c, name) : NULL;
    if (o) unwatch(c->board, o);
}

static void want_stats(struct client *c, bool on) {
    c->wants_stats = on;
    if (!on) return;
    board_msg_stats(&c->board->scratch, c->board->ops->stats, usec_to_msec(clock_wall(c->board->clock)));
    client_push_scratch(c);
}

static void set_queue_count(struct client *c, struct span id, int64_t count) {
    const struct worker *w = state_find(c->board->state, id);
    if (!w)
        client_refuse(c, "no such session: it may have ended and left the board");
    else
        c->board->ops->queue_count(c->board->user, w->session, count);
}

/* A card's agent has the transcript; an id without a card may be one of a session that nobody watched. */
static void look(struct client *c, const struct board_looked *l) {
    struct board *b = c->board;
    const struct worker *w = state_find(b->state, l->name);
    const char *own = w ? w->conversation.session_id : NULL;
    struct span session_id = own ? span_str(own) : l->name;
    if (looked_add(&c->looked, session_id, l->name, l->urgency))
        b->ops->look(b->user, session_id, w ? w->session : NULL, l->urgency);
}

static void hello(struct client *c, const struct board_request *req) {
    board_msg_ready(&c->board->scratch);
    client_push_scratch(c);
    looked_begin(&c->looked);
    for (size_t i = 0; i < req->looked_count; i++)
        look(c, &req->looked[i]);
    looked_end(&c->looked);
}

void board_transcript_news(struct board *b, struct span session_id, const struct transcript_news *news) {
    list_for_each(pos, &b->clients) {
        struct client *c = list_entry(pos, struct client, in_board);
        if (looked_news(&c->looked, session_id, news)) ws_want_write(c->ws);
    }
}

/* The channel */

static void on_opened(void *user, struct ws *ws UNUSED) {
    struct client *c = user;
    if (c->dialect == BOARD_V1) {
        int64_t now_ms = usec_to_msec(clock_wall(c->board->clock));
        board_msg_welcome(&c->board->scratch, board_seq(c->board), now_ms, c->board->ops->hook);
        client_push_scratch(c);
    }
    if (c->has_since && board_ring_covers(&c->board->ring, c->since))
        replay(c, c->since);
    else
        c->needs_snapshot = true;
    ws_want_write(c->ws);
}

/* May it come from a login that may only look? What is not listed here may not. */
static bool only_looks(const struct board_request *req) {
    static const bool looks[] = {
        [BOARD_REQUEST_REPLAY] = true, [BOARD_REQUEST_OPEN] = true,  [BOARD_REQUEST_CLOSE] = true,
        [BOARD_REQUEST_STATS] = true,  [BOARD_REQUEST_HELLO] = true, [BOARD_REQUEST_INBOX] = true,
        [BOARD_REQUEST_ANSWER] = true /* which is refused in its own words */};
    if (req->type == BOARD_REQUEST_TERMINAL)
        return req->terminal.type == BOARD_TERMINAL_SUBSCRIBE ||
               req->terminal.type == BOARD_TERMINAL_UNSUBSCRIBE ||
               req->terminal.type == BOARD_TERMINAL_THUMBNAILS;
    return req->type < ARRAY_LEN(looks) && looks[req->type];
}

static void on_message(void *user, struct span message, bool binary) {
    struct client *c = user;
    AUTO(arena) struct arena arena = ARENA_INIT(BOARD_MESSAGE_MAX);
    struct board_request req;
    struct err err;
    if (binary) {
        client_refuse(c, "messages are JSON text");
        return;
    }
    if (board_request_parse(message, &arena, &req, &err) < 0) {
        client_refuse(c, err.msg);
        return;
    }
    if (ws_is_look_only(c->ws) && !only_looks(&req)) {
        client_refuse(c, "this login may only look");
        return;
    }
    switch (req.type) {
    case BOARD_REQUEST_REPLAY: replay(c, req.since_seq); break;
    case BOARD_REQUEST_OPEN: open_session(c, req.id); break;
    case BOARD_REQUEST_CLOSE: close_session(c, req.id); break;
    case BOARD_REQUEST_STATS: want_stats(c, req.on); break;
    case BOARD_REQUEST_QUEUE_COUNT: set_queue_count(c, req.id, req.count); break;
    case BOARD_REQUEST_HELLO: hello(c, &req); break;
    case BOARD_REQUEST_TERMINAL: client_terminals_request(c, &req.terminal); break;
    case BOARD_REQUEST_INBOX: client_inbox_want(c, req.on); break;
    case BOARD_REQUEST_ANSWER: client_inbox_answer(c, &req, message); break;
    }
}

static struct ws_frame *next_detail(struct client *c) {
    for (size_t i = 0; i < BOARD_OPEN_MAX; i++) {
        if (!c->opened[i].needs_detail) continue;
        c->opened[i].needs_detail = false;
        const struct worker *w = state_find(c->board->state, span_str(c->opened[i].id));
        if (!w) continue;
        board_msg_detail(&c->board->scratch, w->session);
        return board_take_frame(c->board);
    }
    return NULL;
}

/* The next change that it missed, and behind the last how many there were. NULL: it took too long, and gets a snapshot. */
static struct ws_frame *next_missed(struct client *c) {
    struct board *b = c->board;
    struct replay *r = &c->replay;
    if (r->at < r->end && !board_ring_covers(&b->ring, r->at)) {
        fall_behind(c);
        return NULL;
    }
    for (const struct board_change *change; (change = board_ring_next(&b->ring, r->at, r->end));) {
        r->at = change->seq;
        if (!encode_change(b, c->dialect, change)) continue;
        r->sent++;
        return board_take_frame(b);
    }
    r->on = false;
    board_msg_replayed(&b->scratch, r->since, r->end, r->sent);
    return board_take_frame(b);
}

static struct ws_frame *next_queued(struct client *c) {
    struct ws_frame *f = c->queue[c->first];
    c->first = (c->first + 1) % BOARD_QUEUE_FRAMES;
    c->queued--;
    c->queued_bytes -= ws_frame_bytes(f);
    if (c->replay.before) c->replay.before--;
    return f;
}

static struct ws_frame *on_next(void *user) {
    struct client *c = user;
    if (c->replay.on && !c->replay.before && !c->needs_snapshot) {
        struct ws_frame *missed = next_missed(c);
        if (missed) return missed;
    }
    if (c->queued) return next_queued(c);
    if (c->needs_snapshot) {
        c->needs_snapshot = false;
        c->terminals.told = 0; /* all of them follow it */
        board_msg_snapshot(&c->board->scratch, c->dialect, c->board->state, board_seq(c->board));
        return board_take_frame(c->board);
    }
    struct ws_frame *f = client_inbox_next(c) ? board_take_frame(c->board) : next_detail(c);
    if (!f && looked_next(&c->looked, &c->board->scratch)) f = board_take_frame(c->board);
    return f ? f : client_terminals_next(c);
}

static void on_closed(void *user) {
    struct client *c = user;
    for (size_t i = 0; i < BOARD_OPEN_MAX; i++)
        if (c->opened[i].id[0]) unwatch(c->board, &c->opened[i]);
    drop_queue(c);
    looked_fini(&c->looked);
    client_terminals_fini(&c->terminals);
    client_inbox_fini(c);
    list_remove(&c->in_board);
    c->board->count[c->dialect]--;
    free(c);
}

static const struct ws_channel channel = {
    .max_message = BOARD_MESSAGE_MAX,
    .opened = on_opened,
    .message = on_message,
    .next = on_next,
    .closed = on_closed,
};

const struct ws_channel *board_connect(struct board *b, struct ws *ws, enum board_dialect dialect,
                                       const uint64_t *since, void **ret_user) {
    struct client *c = xcalloc(1, sizeof *c);
    c->board = b;
    c->ws = ws;
    c->dialect = dialect;
    c->has_since = since != NULL;
    c->since = since ? *since : 0;
    looked_init(&c->looked);
    client_terminals_init(&c->terminals, c);
    client_inbox_init(&c->inbox);
    list_append(&b->clients, &c->in_board);
    b->count[dialect]++;
    *ret_user = c;
    return &channel;
}
