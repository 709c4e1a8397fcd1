#include "store/session_row.h"

#include "base/jwrite.h"
#include "base/mem.h"
#include "base/str.h"

enum { TOOL_USAGE_BYTES_MAX = 1 << 20 };

static struct span copy(struct arena *arena, const char *s, bool *full) {
    if (!s) return SPAN_NONE;
    struct span out = arena_dup(arena, span_str(s));
    if (!out.p) *full = true;
    return out;
}

/* {"tool": count, …} */
static struct span tool_usage_json(const struct conversation *c, struct arena *arena, bool *full) {
    if (c->tool_usage_count == 0) return SPAN_NONE;
    AUTO(buf) struct buf out = BUF_INIT(TOOL_USAGE_BYTES_MAX);
    struct jwrite w = JWRITE_INIT(&out);
    jwrite_object(&w);
    for (size_t i = 0; i < c->tool_usage_count; i++)
        jwrite_ku64(&w, c->tool_usage[i].tool, c->tool_usage[i].count);
    jwrite_object_end(&w);
    if (out.failed) return SPAN_NONE; /* names without end: the counts are not worth the session */
    struct span json = arena_dup(arena, buf_span(&out));
    if (!json.p) *full = true;
    return json;
}

static void from_conversation(struct session_row *row, const struct conversation *c, struct arena *arena,
                              bool *full) {
    row->session_id = copy(arena, c->session_id, full);
    row->cli = span_str(cli_to_str(c->cli));
    row->status = span_str(session_status_to_str(c->status));
    row->animation = span_str(animation_to_str(c->animation));
    row->emote = c->emote == EMOTE_NONE ? SPAN_NONE : span_str(emote_to_str(c->emote));
    row->status_since = c->status_since_ms;
    row->evidence_source = span_str(evidence_source_to_str(c->evidence.source));
    row->evidence_event = copy(arena, c->evidence.event, full);
    row->evidence_at = c->evidence.at_ms;
    row->started_at = c->started_ms;
    row->ended_at = c->ended_ms;
    row->last_activity_at = c->last_activity_ms;
    row->model = copy(arena, c->model, full);
    row->current_prompt = copy(arena, c->current_prompt, full);
    row->permission_mode = copy(arena, c->permission_mode, full);
    row->transcript_path = copy(arena, c->transcript_path, full);
    row->pending_tool = copy(arena, c->pending_tool, full);
    row->pending_tool_detail = copy(arena, c->pending_tool_detail, full);
    row->pending_agent = copy(arena, c->pending_agent, full);
    row->error_kind = copy(arena, c->error_kind, full);
    row->error_detail = copy(arena, c->error_detail, full);
    row->error_at = c->error_ms;
    row->waiting_detail = copy(arena, c->waiting_detail, full);
    row->tool_now = copy(arena, c->tool_now, full);
    row->tool_now_input = copy(arena, c->tool_now_input, full);
    row->tool_now_at = c->tool_now_ms;
    row->pid_start = (int64_t)c->pid_start;
    row->removal_due = c->due_ms[DEADLINE_REMOVAL];
    row->approval_due = c->due_ms[DEADLINE_APPROVAL];
    row->idle_due = c->due_ms[DEADLINE_IDLE];
    row->last_subagent_name = copy(arena, c->last_subagent_name, full);
    row->total_prompts = (int64_t)c->prompt_count;
    row->total_tool_calls = (int64_t)c->tool_calls;
    row->turn_tool_calls = (int64_t)c->turn_tool_calls;
    row->subagents = (int64_t)c->subagents;
    row->pid = c->pid;
    row->tool_usage = tool_usage_json(c, arena, full);
}

bool session_row_from(struct session_row *row, const struct session *s, struct arena *arena) {
    bool full = false;
    *row = (struct session_row){
        .id = copy(arena, s->id, &full),
        .primary_worker = copy(arena, s->primary->id, &full),
        .kind = span_str(session_kind_to_str(s->kind)),
        .project_path = copy(arena, s->project_path, &full),
        .project_name = copy(arena, s->project_name, &full),
        .title = copy(arena, s->title, &full),
        .source = copy(arena, s->source, &full),
        .label = copy(arena, s->label, &full),
        .summary = copy(arena, s->summary, &full),
        .accent_color = copy(arena, s->accent_color, &full),
        .character_model = copy(arena, s->character_model, &full),
        .archived = s->archived,
        .queue_count = (int64_t)s->queue_count,
        .number = (int64_t)s->number,
    };
    from_conversation(row, &s->primary->conversation, arena, &full);
    return !full;
}

int session_row_put(struct db *db, const struct session_row *row, struct err *err) {
    struct query q = db_query(db, SQL_SESSION_PUT);
    query_text(&q, row->id);
#define TEXT(c) query_text(&q, row->c);
#define INT(c) query_i64(&q, row->c);
#define TIME(c) query_time(&q, row->c);
    SESSION_COLUMNS(TEXT, INT, TIME)
#undef TEXT
#undef INT
#undef TIME
    return query_run(&q, err);
}

void session_row_read(struct session_row *row, const struct query *q) {
    int i = 0;
    row->id = column_span(q, i++);
#define TEXT(c) row->c = column_span(q, i++);
#define NUMBER(c) row->c = column_i64(q, i++);
    SESSION_COLUMNS(TEXT, NUMBER, NUMBER)
#undef TEXT
#undef NUMBER
}

static void to_conversation(const struct session_row *row, struct conversation *c) {
    /* A name that this program does not know leaves the value at its first. */
    (void)cli_from_str(row->cli, &c->cli);
    (void)session_status_from_str(row->status, &c->status);
    (void)animation_from_str(row->animation, &c->animation);
    (void)emote_from_str(row->emote, &c->emote);
    (void)evidence_source_from_str(row->evidence_source, &c->evidence.source);
    c->evidence.at_ms = row->evidence_at;
    c->status_since_ms = row->status_since;
    c->started_ms = row->started_at;
    c->ended_ms = row->ended_at;
    c->last_activity_ms = row->last_activity_at;
    c->tool_now_ms = row->tool_now_at;
    c->pid_start = (uint64_t)row->pid_start;
    c->due_ms[DEADLINE_REMOVAL] = row->removal_due;
    c->due_ms[DEADLINE_APPROVAL] = row->approval_due;
    c->due_ms[DEADLINE_IDLE] = row->idle_due;
    c->prompt_count = (uint64_t)row->total_prompts;
    c->tool_calls = (uint64_t)row->total_tool_calls;
    c->turn_tool_calls = (uint64_t)row->turn_tool_calls;
    c->subagents = (uint64_t)row->subagents;
    c->pid = row->pid;
    str_set(&c->session_id, row->session_id);
    str_set(&c->evidence.event, row->evidence_event);
    str_set(&c->model, row->model);
    str_set(&c->current_prompt, row->current_prompt);
    str_set(&c->permission_mode, row->permission_mode);
    str_set(&c->transcript_path, row->transcript_path);
    str_set(&c->pending_tool, row->pending_tool);
    str_set(&c->pending_tool_detail, row->pending_tool_detail);
    str_set(&c->pending_agent, row->pending_agent);
    str_set(&c->error_kind, row->error_kind);
    str_set(&c->error_detail, row->error_detail);
    c->error_ms = row->error_at;
    str_set(&c->waiting_detail, row->waiting_detail);
    str_set(&c->tool_now, row->tool_now);
    str_set(&c->tool_now_input, row->tool_now_input);
    str_set(&c->last_subagent_name, row->last_subagent_name);
}

struct session *session_row_restore(const struct session_row *row, struct state *st) {
    enum session_kind kind = SESSION_KIND_OBSERVED;
    (void)session_kind_from_str(row->kind, &kind);
    /* What SQLite gives is followed by a NUL. */
    struct session *s = state_restore_session(st, row->id.p, kind, row->primary_worker.p);
    str_set(&s->project_path, row->project_path);
    str_set(&s->project_name, row->project_name);
    str_set(&s->title, row->title);
    str_set(&s->source, row->source);
    str_set(&s->label, row->label);
    str_set(&s->summary, row->summary);
    str_set(&s->accent_color, row->accent_color);
    str_set(&s->character_model, row->character_model);
    s->archived = row->archived != 0;
    s->queue_count = (uint64_t)row->queue_count;
    s->number = (uint64_t)row->number;
    to_conversation(row, &s->primary->conversation);
    return s;
}

int session_row_tool_usage(struct db *db, const struct session_row *row, struct conversation *c,
                           struct err *err) {
    if (!row->tool_usage.p) return 0;
    AUTO(query) struct query q = db_query(db, SQL_TOOL_USAGE_GET);
    query_text(&q, row->tool_usage);
    int r;
    while ((r = query_next(&q, err)) == 1) {
        c->tool_usage = xreallocarray(c->tool_usage, c->tool_usage_count + 1, sizeof *c->tool_usage);
        c->tool_usage[c->tool_usage_count++] =
            (struct tool_count){.tool = str_dup(column_span(&q, 0)), .count = column_u64(&q, 1)};
    }
    return r;
}
