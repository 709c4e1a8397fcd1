#include "store/session_row.h"

#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/deadline.h"
#include "store/asking.h"
#include "store/sql.h"

enum { TOOL_USAGE_BYTES_MAX = 1 << 20, PREVIOUS_BYTES_MAX = 64 << 10 };

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

/* [{"sessionId": …}, …], oldest first. */
static struct span previous_json(const struct session *s, struct arena *arena, bool *full) {
    if (s->previous_count == 0) return SPAN_NONE;
    AUTO(buf) struct buf out = BUF_INIT(PREVIOUS_BYTES_MAX);
    struct jwrite w = JWRITE_INIT(&out);
    jwrite_array(&w);
    for (size_t i = 0; i < s->previous_count; i++) {
        const struct previous *p = &s->previous[i];
        jwrite_object(&w);
        jwrite_kcstr(&w, "sessionId", p->session_id);
        jwrite_ki64(&w, "startedAt", p->started_ms);
        jwrite_ki64(&w, "endedAt", p->ended_ms);
        jwrite_ku64(&w, "prompts", p->prompts);
        jwrite_ku64(&w, "toolCalls", p->tool_calls);
        jwrite_kcstr(&w, "lastPrompt", p->last_prompt);
        jwrite_object_end(&w);
    }
    jwrite_array_end(&w);
    struct span json = arena_dup(arena, buf_span(&out));
    if (!json.p) *full = true;
    return json;
}

static void restore_previous(struct session *s, struct span json) {
    AUTO(arena) struct arena arena = ARENA_INIT(PREVIOUS_BYTES_MAX);
    struct span rest = json, item;
    while (rest.n && s->previous_count < PREVIOUS_MAX && jscan_array_next(&rest, &item) == 1) {
        struct jmember m[] = {JMEMBER("sessionId"), JMEMBER("startedAt"), JMEMBER("endedAt"),
                              JMEMBER("prompts"),   JMEMBER("toolCalls"), JMEMBER("lastPrompt")};
        struct span id, prompt = SPAN_NONE;
        int64_t prompts = 0, tool_calls = 0;
        if (jscan_object(item, m, ARRAY_LEN(m)) < 0 || jscan_string(m[0].value, &arena, &id) < 0) continue;
        (void)jscan_string(m[5].value, &arena, &prompt);
        struct previous *p = &s->previous[s->previous_count++];
        p->session_id = str_dup(id);
        (void)jscan_i64(m[1].value, &p->started_ms);
        (void)jscan_i64(m[2].value, &p->ended_ms);
        (void)jscan_i64(m[3].value, &prompts);
        (void)jscan_i64(m[4].value, &tool_calls);
        p->prompts = (uint64_t)prompts;
        p->tool_calls = (uint64_t)tool_calls;
        (void)str_set(&p->last_prompt, prompt);
    }
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
    row->transcript_health = span_str(transcript_health_to_str(c->transcript.health));
    row->transcript_depth = (int64_t)c->transcript.depth;
    row->transcript_messages = (int64_t)c->transcript.messages;
    row->transcript_links = (int64_t)c->transcript.links;
    row->transcript_checked_at = c->transcript.checked_ms;
    row->transcript_message = copy(arena, c->transcript.message, full);
    row->asking = asking_json(c, arena, full);
    row->notice_kind = span_str(attention_kind_to_str(c->notice.kind));
    row->notice_form = span_str(text_form_to_str(c->notice.form));
    row->notice_text = copy(arena, c->notice.text, full);
    row->notice_detail = copy(arena, c->notice.detail, full);
    row->notice_at = c->notice.since_ms;
    row->last_words = copy(arena, c->last_words, full);
    row->background = (int64_t)c->background;
    row->by_hook = c->by_hook;
    row->runner_pid = c->runner_pid;
    row->error_kind = copy(arena, c->error_kind, full);
    row->error_detail = copy(arena, c->error_detail, full);
    row->error_at = c->error_ms;
    row->tool_now = copy(arena, c->tool_now, full);
    row->tool_now_input = copy(arena, c->tool_now_input, full);
    row->tool_now_at = c->tool_now_ms;
    row->pid_start = (int64_t)c->pid_start;
    row->restarted_at = c->restart_ms;
    row->pid_guessed = c->pid_guessed;
    row->pid_doubtful = c->pid_doubtful;
    row->history_from = (int64_t)c->history_from;
    row->spawned = (int64_t)c->spawned;
    row->spawned_at = c->spawned_ms;
    row->spawned_type = copy(arena, c->spawned_type, full);
    row->last_subagent_name = copy(arena, c->last_subagent_name, full);
    row->total_prompts = (int64_t)c->prompt_count;
    row->total_tool_calls = (int64_t)c->tool_calls;
    row->turn_tool_calls = (int64_t)c->turn_tool_calls;
    row->pid = c->pid;
    row->tool_usage = tool_usage_json(c, arena, full);
}

static void from_worker(struct session_row *row, const struct worker *w, struct arena *arena, bool *full) {
    row->removal_due = deadline_get(w, DEADLINE_REMOVAL);
    row->approval_due = deadline_get(w, DEADLINE_APPROVAL);
    row->idle_due = deadline_get(w, DEADLINE_IDLE);
    row->resume_due = deadline_get(w, DEADLINE_RESUME);
    row->terminal_id = copy(arena, w->terminal_id, full);
    row->last_terminal_id = copy(arena, w->last_terminal_id, full);
    row->terminal_pid = w->terminal_pid;
    row->linked_at = w->linked_ms;
    row->is_shell = w->is_shell;
    row->starts_fresh = w->starts_fresh;
    from_conversation(row, &w->conversation, arena, full);
}

static void from_team(struct session_row *row, const struct session *s, struct arena *arena, bool *full) {
    row->team_id = copy(arena, s->team ? s->team->id : NULL, full);
    row->team_role = s->team ? span_str(team_role_to_str(s->team_role)) : SPAN_NONE;
    row->team_joined = (int64_t)s->team_joined;
    row->team_name = copy(arena, s->team_name, full);
    row->agent_name = copy(arena, s->agent_name, full);
    row->agent_type = copy(arena, s->agent_type, full);
    row->agent_color = copy(arena, s->agent_color, full);
    row->tmux_pane = copy(arena, s->tmux_pane, full);
    row->backend = copy(arena, s->backend, full);
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
        .hidden = s->hidden,
        .muted = s->muted,
        .queue_count = (int64_t)s->queue_count,
        .number = (int64_t)s->number,
        .titled = s->titled,
        .previous = previous_json(s, arena, &full),
    };
    from_worker(row, s->primary, arena, &full);
    from_team(row, s, arena, &full);
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
#define TIME(c) row->c = column_time(q, i++);
    SESSION_COLUMNS(TEXT, NUMBER, TIME)
#undef TEXT
#undef NUMBER
#undef TIME
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
    c->restart_ms = row->restarted_at;
    c->pid_guessed = row->pid_guessed != 0;
    c->pid_doubtful = row->pid_doubtful != 0;
    c->history_from = (uint64_t)row->history_from;
    c->spawned = (uint64_t)row->spawned;
    c->spawned_ms = row->spawned_at;
    str_set(&c->spawned_type, row->spawned_type);
    c->prompt_count = (uint64_t)row->total_prompts;
    c->tool_calls = (uint64_t)row->total_tool_calls;
    c->turn_tool_calls = (uint64_t)row->turn_tool_calls;
    str_set(&c->session_id, row->session_id);
    str_set(&c->evidence.event, row->evidence_event);
    str_set(&c->model, row->model);
    str_set(&c->current_prompt, row->current_prompt);
    str_set(&c->permission_mode, row->permission_mode);
    str_set(&c->transcript_path, row->transcript_path);
    (void)transcript_health_from_str(row->transcript_health, &c->transcript.health);
    c->transcript.depth = (uint64_t)row->transcript_depth;
    c->transcript.messages = (uint64_t)row->transcript_messages;
    c->transcript.links = (uint64_t)row->transcript_links;
    c->transcript.checked_ms = row->transcript_checked_at;
    str_set(&c->transcript.message, row->transcript_message);
    asking_restore(c, row->asking);
    (void)attention_kind_from_str(row->notice_kind, &c->notice.kind);
    (void)text_form_from_str(row->notice_form, &c->notice.form);
    str_set(&c->notice.text, row->notice_text);
    str_set(&c->notice.detail, row->notice_detail);
    c->notice.since_ms = row->notice_at;
    str_set(&c->last_words, row->last_words);
    c->background = (uint64_t)row->background;
    c->by_hook = row->by_hook != 0;
    c->runner_pid = row->runner_pid;
    str_set(&c->error_kind, row->error_kind);
    str_set(&c->error_detail, row->error_detail);
    c->error_ms = row->error_at;
    str_set(&c->tool_now, row->tool_now);
    str_set(&c->tool_now_input, row->tool_now_input);
    str_set(&c->last_subagent_name, row->last_subagent_name);
}

static void to_worker(const struct session_row *row, struct state *st, struct worker *w) {
    to_conversation(row, &w->conversation);
    state_set_process(st, w, row->pid, (uint64_t)row->pid_start);
    state_set_terminal(st, w, row->terminal_id, row->terminal_pid);
    str_set(&w->last_terminal_id, row->last_terminal_id);
    w->linked_ms = row->linked_at;
    w->is_shell = row->is_shell != 0;
    w->starts_fresh = row->starts_fresh != 0;
    deadline_set(st, w, DEADLINE_REMOVAL, row->removal_due);
    deadline_set(st, w, DEADLINE_APPROVAL, row->approval_due);
    deadline_set(st, w, DEADLINE_IDLE, row->idle_due);
    deadline_set(st, w, DEADLINE_RESUME, row->resume_due);
}

/* Members are listed in the order in which they joined. */
static void join_team(struct session *s, struct team *team) {
    s->team = team;
    if (s->team_role == TEAM_ROLE_LEADER) team->parent = s;
    if (s->team_role != TEAM_ROLE_MEMBER) return;
    struct list *members = s->team_joined ? &team->members : &team->former, *at = members->next;
    while (at != members && list_entry(at, struct session, in_team)->team_joined <= s->team_joined)
        at = at->next;
    list_insert_before(at, &s->in_team);
}

static void to_team(const struct session_row *row, const struct state *st, struct session *s) {
    str_set(&s->team_name, row->team_name);
    str_set(&s->agent_name, row->agent_name);
    str_set(&s->agent_type, row->agent_type);
    str_set(&s->agent_color, row->agent_color);
    str_set(&s->tmux_pane, row->tmux_pane);
    str_set(&s->backend, row->backend);
    struct team *team = row->team_id.n ? state_find_team(st, row->team_id) : NULL;
    if (!team) return;
    (void)team_role_from_str(row->team_role, &s->team_role);
    s->team_joined = (uint64_t)row->team_joined;
    join_team(s, team);
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
    s->hidden = row->hidden != 0;
    s->muted = row->muted != 0;
    s->queue_count = (uint64_t)row->queue_count;
    s->number = (uint64_t)row->number;
    s->titled = row->titled != 0;
    restore_previous(s, row->previous);
    to_worker(row, st, s->primary);
    s->historical = s->kind != SESSION_KIND_OBSERVED && s->primary->conversation.ended_ms;
    to_team(row, st, s);
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
