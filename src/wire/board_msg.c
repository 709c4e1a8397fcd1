#include "wire/board_msg.h"

#include "base/jscan.h"
#include "base/str.h"
#include "base/version.h"
#include "wire/session_json.h"
#include "wire/team_json.h"

#include <errno.h>

/* Every message begins with its type. */
static struct jwrite begin(struct buf *out, const char *type) {
    struct jwrite w = JWRITE_INIT(out);
    jwrite_object(&w);
    jwrite_kcstr(&w, "type", type);
    return w;
}

void board_msg_welcome(struct buf *out, uint64_t seq, int64_t now_ms, const char *hook) {
    struct jwrite w = begin(out, "welcome");
    jwrite_ki64(&w, "schema", BOARD_MSG_SCHEMA);
    jwrite_kcstr(&w, "version", version_text);
    jwrite_ku64(&w, "seq", seq);
    jwrite_ki64(&w, "now", now_ms);
    jwrite_kcstr(&w, "hook", hook);
    jwrite_object_end(&w);
}

/* A list for the board, an object by id for plain clients. */
static void put_teams(struct jwrite *w, enum board_dialect d, const struct state *st) {
    jwrite_key(w, "teams");
    if (d == BOARD_V1)
        jwrite_array(w);
    else
        jwrite_object(w);
    list_for_each(pos, &st->teams) {
        const struct team *team = list_entry(pos, struct team, in_state);
        if (d == BOARD_PLAIN) jwrite_key(w, team->id);
        team_json(w, team);
    }
    if (d == BOARD_V1)
        jwrite_array_end(w);
    else
        jwrite_object_end(w);
}

void board_msg_snapshot(struct buf *out, enum board_dialect d, const struct state *st, uint64_t seq) {
    struct jwrite w = begin(out, "snapshot");
    if (d == BOARD_V1) jwrite_ku64(&w, "seq", seq);
    jwrite_key(&w, "sessions");
    if (d == BOARD_V1) {
        w.omit_null = true; /* absent means the same, and in a snapshot there is nothing to take away */
        jwrite_array(&w);
        list_for_each(pos, &st->sessions)
            session_json_summary(&w, list_entry(pos, struct session, in_state));
        jwrite_array_end(&w);
        w.omit_null = false;
    } else {
        session_json_map(&w, st, false);
    }
    put_teams(&w, d, st);
    if (d == BOARD_PLAIN) jwrite_ku64(&w, "seq", seq);
    jwrite_object_end(&w);
}

void board_msg_update(struct buf *out, enum board_dialect d, const struct session *s, unsigned facets,
                      uint64_t seq) {
    struct jwrite w = begin(out, "session_update");
    jwrite_ku64(&w, "seq", seq);
    if (d == BOARD_V1) {
        jwrite_kcstr(&w, "id", s->id);
        jwrite_key(&w, "patch");
        session_json_patch(&w, s, facets);
    } else {
        jwrite_key(&w, "session");
        session_json_whole(&w, s);
        if (s->team) {
            jwrite_key(&w, "team");
            team_json(&w, s->team);
        }
    }
    jwrite_object_end(&w);
}

void board_msg_removed(struct buf *out, const char *id, const char *session_id, uint64_t seq) {
    struct jwrite w = begin(out, "session_removed");
    jwrite_ku64(&w, "seq", seq);
    jwrite_kcstr(&w, "id", id);
    jwrite_kcstr(&w, "sessionId", str_or_empty(session_id));
    jwrite_object_end(&w);
}

void board_msg_team(struct buf *out, const struct team *team, uint64_t seq) {
    struct jwrite w = begin(out, "team_update");
    jwrite_ku64(&w, "seq", seq);
    jwrite_key(&w, "team");
    team_json(&w, team);
    jwrite_object_end(&w);
}

void board_msg_team_removed(struct buf *out, const char *team_id, uint64_t seq) {
    struct jwrite w = begin(out, "team_removed");
    jwrite_ku64(&w, "seq", seq);
    jwrite_kcstr(&w, "teamId", team_id);
    jwrite_object_end(&w);
}

void board_msg_stats(struct buf *out, const struct hook_stats *stats, int64_t now_ms) {
    struct jwrite w = begin(out, "hook_stats");
    jwrite_key(&w, "stats");
    hook_stats_write(stats, &w, now_ms);
    jwrite_object_end(&w);
}

void board_msg_replayed(struct buf *out, uint64_t since, uint64_t seq, size_t count) {
    struct jwrite w = begin(out, "replay");
    jwrite_ku64(&w, "sinceSeq", since);
    jwrite_ku64(&w, "seq", seq);
    jwrite_ku64(&w, "count", count);
    jwrite_object_end(&w);
}

void board_msg_error(struct buf *out, const char *sentence) {
    struct jwrite w = begin(out, "error");
    jwrite_kcstr(&w, "error", sentence);
    jwrite_object_end(&w);
}

static const char *const list_names[HISTORY_N_] = {
    [HISTORY_PROMPT] = "prompts",
    [HISTORY_TOOL] = "tools",
    [HISTORY_RESPONSE] = "responses",
    [HISTORY_EVENT] = "events",
};

void board_msg_detail(struct buf *out, const struct session *s) {
    struct jwrite w = begin(out, "session_detail");
    jwrite_kcstr(&w, "id", s->id);
    for (enum history_kind kind = 0; kind < HISTORY_N_; kind++) {
        const struct history *h = &s->primary->conversation.history[kind];
        jwrite_key(&w, list_names[kind]);
        jwrite_array(&w);
        struct history_cursor all = history_begin(h);
        for (const struct entry *e; (e = history_next(&all));)
            session_json_log_entry(&w, kind, e);
        jwrite_array_end(&w);
    }
    jwrite_object_end(&w);
}

/* New entries are at the end, amended ones shortly before. */
static bool log_list(struct jwrite *w, enum history_kind kind, const struct history *h, uint64_t after,
                     uint64_t amended) {
    bool any = false;
    struct history_cursor all = history_begin(h);
    for (const struct entry *e; (e = history_next(&all));) {
        if (e->pos <= after && (e->pos < amended || !e->failed)) continue;
        if (!any) {
            jwrite_key(w, list_names[kind]);
            jwrite_array(w);
        }
        any = true;
        session_json_log_entry(w, kind, e);
    }
    if (any) jwrite_array_end(w);
    return any;
}

bool board_msg_log(struct buf *out, const struct session *s, const uint64_t after[HISTORY_N_],
                   uint64_t amended) {
    struct jwrite w = begin(out, "session_log");
    jwrite_kcstr(&w, "id", s->id);
    bool any = false;
    for (enum history_kind kind = 0; kind < HISTORY_N_; kind++) {
        const struct history *h = &s->primary->conversation.history[kind];
        any |= log_list(&w, kind, h, after[kind], kind == HISTORY_TOOL ? amended : UINT64_MAX);
    }
    jwrite_object_end(&w);
    return any;
}

void board_msg_ready(struct buf *out) {
    struct jwrite w = begin(out, "ready");
    jwrite_object_end(&w);
}

void board_msg_session_status(struct buf *out, struct span name, const struct transcript_news *news) {
    struct jwrite w = begin(out, "session.status");
    jwrite_kstr(&w, "sessionId", name);
    jwrite_kcstr(&w, "status", transcript_health_to_str(news->health));
    if (news->depth) jwrite_ku64(&w, "chainDepth", news->depth);
    if (news->fixed) jwrite_ku64(&w, "orphansFixed", news->fixed);
    if (news->message) jwrite_kcstr(&w, "message", news->message);
    jwrite_object_end(&w);
}

void board_msg_repair_activity(struct buf *out, const char *event, struct span name,
                               const struct transcript_news *news) {
    struct jwrite w = begin(out, "session.repair.activity");
    jwrite_kcstr(&w, "event", event);
    jwrite_kstr(&w, "sessionId", name);
    jwrite_kcstr(&w, "status", transcript_health_to_str(news->health));
    jwrite_ku64(&w, "chainDepth", news->depth);
    jwrite_ku64(&w, "orphanCount", news->orphans);
    if (news->fixed) jwrite_ku64(&w, "orphansFixed", news->fixed);
    if (news->message) jwrite_kcstr(&w, "message", news->message);
    jwrite_object_end(&w);
}

static int add_looked(struct span value, enum board_urgency urgency, struct arena *arena,
                      struct board_request *req, struct err *err) {
    struct board_looked l = {.urgency = urgency};
    if (jscan_string(value, arena, &l.name) < 0 || !l.name.n || l.name.n > BOARD_NAME_MAX)
        return err_set(err, -EINVAL, "sessions must name sessions by their ids");
    if (req->looked_count == BOARD_LOOKED_MAX)
        return err_set(err, -EINVAL, "a hello may name %d sessions at most", BOARD_LOOKED_MAX);
    if (!req->looked) req->looked = arena_alloc(arena, BOARD_LOOKED_MAX * sizeof *req->looked);
    if (!req->looked) return err_set(err, -EINVAL, "too many sessions");
    req->looked[req->looked_count++] = l;
    return 0;
}

static int add_list(struct span value, enum board_urgency urgency, struct arena *arena,
                    struct board_request *req, struct err *err) {
    struct span rest = value, item;
    int r;
    if (jscan_kind(value) == JKIND_NULL || jscan_kind(value) == JKIND_NONE) return 0;
    if (jscan_kind(value) != JKIND_ARRAY)
        return err_set(err, -EINVAL, "sessions.visible and sessions.background must be lists of ids");
    while ((r = jscan_array_next(&rest, &item)) == 1)
        if ((r = add_looked(item, urgency, arena, req, err)) < 0) return r;
    return r;
}

/* Which sessions the client looks at: { active, visible, background }, each of which may be missing. */
static int parse_hello(struct span sessions, struct arena *arena, struct board_request *req,
                       struct err *err) {
    struct jmember m[] = {JMEMBER("active"), JMEMBER("visible"), JMEMBER("background")};
    enum jkind kind = jscan_kind(sessions);
    if (kind == JKIND_NONE || kind == JKIND_NULL) return 0;
    if (kind != JKIND_OBJECT || jscan_object(sessions, m, ARRAY_LEN(m)) < 0)
        return err_set(err, -EINVAL, "sessions must be an object");
    enum jkind active = jscan_kind(m[0].value);
    int r = active == JKIND_NONE || active == JKIND_NULL
                ? 0
                : add_looked(m[0].value, BOARD_LOOKS_AT, arena, req, err);
    if (r == 0) r = add_list(m[1].value, BOARD_SEES, arena, req, err);
    if (r == 0) r = add_list(m[2].value, BOARD_KEEPS, arena, req, err);
    return r;
}

static int parse_since(struct span value, struct board_request *req, struct err *err) {
    int64_t seq;
    if (!jscan_i64(value, &seq) || seq < 0)
        return err_set(err, -EINVAL, "sinceSeq must be a number, 0 or more");
    req->since_seq = (uint64_t)seq;
    return 0;
}

static int parse_id(struct span value, struct arena *arena, struct board_request *req, struct err *err) {
    if (jscan_string(value, arena, &req->id) < 0 || !req->id.n)
        return err_set(err, -EINVAL, "id must be a session's id");
    return 0;
}

int board_request_parse(struct span message, struct arena *arena, struct board_request *ret,
                        struct err *err) {
    struct jmember m[] = {JMEMBER("type"),      JMEMBER("sinceSeq"), JMEMBER("id"),      JMEMBER("on"),
                          JMEMBER("sessionId"), JMEMBER("count"),    JMEMBER("sessions")};
    if (jvalid(message, BOARD_MSG_DEPTH) < 0 || jscan_object(message, m, ARRAY_LEN(m)) < 0)
        return err_set(err, -EINVAL, "a message must be one JSON object");
    struct span type;
    if (jscan_string(m[0].value, arena, &type) < 0) return err_set(err, -EINVAL, "a message needs a type");
    struct board_request req = {0};
    int r;
    if (span_eq(type, SPAN("replay"))) {
        req.type = BOARD_REQUEST_REPLAY;
        r = parse_since(m[1].value, &req, err);
    } else if (span_eq(type, SPAN("open")) || span_eq(type, SPAN("close"))) {
        req.type = span_eq(type, SPAN("open")) ? BOARD_REQUEST_OPEN : BOARD_REQUEST_CLOSE;
        r = parse_id(m[2].value, arena, &req, err);
    } else if (span_eq(type, SPAN("answer"))) {
        req.type = BOARD_REQUEST_ANSWER;
        r = parse_id(m[2].value, arena, &req, err);
    } else if (span_eq(type, SPAN("stats")) || span_eq(type, SPAN("inbox"))) {
        req.type = span_eq(type, SPAN("stats")) ? BOARD_REQUEST_STATS : BOARD_REQUEST_INBOX;
        r = jscan_bool(m[3].value, &req.on) ? 0 : err_set(err, -EINVAL, "on must be true or false");
    } else if (span_eq(type, SPAN("update_queue_count"))) {
        req.type = BOARD_REQUEST_QUEUE_COUNT;
        r = parse_id(m[4].value, arena, &req, err);
        if (r == 0 && (!jscan_i64(m[5].value, &req.count) || req.count < 0))
            r = err_set(err, -EINVAL, "count must be a number, 0 or more");
    } else if (span_eq(type, SPAN("hello"))) {
        req.type = BOARD_REQUEST_HELLO;
        r = parse_hello(m[6].value, arena, &req, err);
    } else if (span_starts(type, SPAN("terminal_"))) {
        req.type = BOARD_REQUEST_TERMINAL;
        r = board_terminal_request_parse(type, message, arena, &req.terminal, err);
    } else {
        return err_set(err, -EINVAL, "unknown message type: %.*s", (int)MIN(type.n, (size_t)64), type.p);
    }
    if (r == 0) *ret = req;
    return r;
}
