#include "wire/session_json.h"

#include "base/str.h"
#include "base/utf8.h"
#include "core/attention.h"

#include <stdio.h>

/* Unset strings are "" where clients always had a string, null where they had null. */
static void put_text(struct jwrite *w, const char *key, const char *s) {
    jwrite_kcstr(w, key, str_or_empty(s));
}

/* What most sessions do not have. A patch must also say that it is gone. */
static void put_text_if(struct jwrite *w, const char *key, const char *s, bool is_patch) {
    if (s || is_patch) jwrite_kcstr(w, key, s);
}

static void put_time(struct jwrite *w, const char *key, int64_t ms) {
    if (ms)
        jwrite_ki64(w, key, ms);
    else
        jwrite_knull(w, key);
}

static void put_identity(struct jwrite *w, const struct session *s, bool is_patch) {
    const struct conversation *c = &s->primary->conversation;
    put_text(w, "sessionId", session_wire_id(s));
    put_text_if(w, "replacesId", s->replaces_id, false);
    jwrite_kcstr(w, "kind", session_kind_to_str(s->kind));
    jwrite_kcstr(w, "cli", cli_to_str(c->cli));
    put_text(w, "projectPath", s->project_path);
    put_text(w, "projectName", s->project_name);
    put_text(w, "title", s->title);
    put_text_if(w, "label", s->label, is_patch);
    put_text_if(w, "summary", s->summary, is_patch);
    put_text_if(w, "accentColor", s->accent_color, is_patch);
    put_text_if(w, "characterModel", s->character_model, is_patch);
    if (s->muted)
        jwrite_kbool(w, "muted", true);
    else if (is_patch)
        jwrite_knull(w, "muted");
    put_text(w, "source", s->source);
    put_text(w, "model", c->model);
    jwrite_kcstr(w, "permissionMode", c->permission_mode);
    jwrite_ki64(w, "startedAt", c->started_ms);
    put_text_if(w, "workerType",
                s->primary->type == WORKER_TYPE_AGENT ? NULL : worker_type_to_str(s->primary->type),
                is_patch);
    jwrite_kcstr(w, "terminalId", s->primary->terminal_id);
    put_text_if(w, "lastTerminalId", s->primary->last_terminal_id, is_patch);
    put_text_if(w, "agentName", s->agent_name, is_patch);
    put_text_if(w, "agentType", s->agent_type, is_patch);
    put_text_if(w, "agentColor", s->agent_color, is_patch);
    put_text_if(w, "teamName", s->team_name, is_patch);
    put_text_if(w, "teamId", s->team ? s->team->id : NULL, is_patch);
    put_text_if(w, "teamRole", s->team ? team_role_to_str(s->team_role) : NULL, is_patch);
}

static void put_evidence(struct jwrite *w, const struct evidence *e) {
    if (!e->event) {
        jwrite_knull(w, "statusEvidence");
        return;
    }
    jwrite_key(w, "statusEvidence");
    jwrite_object(w);
    jwrite_kcstr(w, "source", evidence_source_to_str(e->source));
    jwrite_kcstr(w, "event", e->event);
    jwrite_ki64(w, "at", e->at_ms);
    jwrite_object_end(w);
}

/* What broke the last turn off. */
static void put_error(struct jwrite *w, const struct conversation *c) {
    if (!c->error_kind) {
        jwrite_knull(w, "error");
        return;
    }
    jwrite_key(w, "error");
    jwrite_object(w);
    jwrite_kcstr(w, "kind", c->error_kind);
    jwrite_kcstr(w, "detail", str_or_empty(c->error_detail));
    jwrite_ki64(w, "at", c->error_ms);
    jwrite_object_end(w);
}

static void put_status(struct jwrite *w, const struct session *s, bool is_patch) {
    const struct conversation *c = &s->primary->conversation;
    jwrite_kcstr(w, "status", session_status_to_str(c->status));
    jwrite_ki64(w, "statusSince", c->status_since_ms);
    put_evidence(w, &c->evidence);
    put_time(w, "endedAt", c->ended_ms);
    if (s->historical || is_patch) jwrite_kbool(w, "isHistorical", s->historical);
    put_error(w, c);
}

static void put_tools(struct jwrite *w, const struct conversation *c) {
    jwrite_ku64(w, "totalToolCalls", c->turn_tool_calls);
    jwrite_ku64(w, "toolCalls", c->tool_calls);
    if (!c->tool_now) {
        jwrite_knull(w, "tool");
        return;
    }
    jwrite_key(w, "tool");
    jwrite_object(w);
    jwrite_kcstr(w, "tool", c->tool_now);
    put_text(w, "input", c->tool_now_input);
    jwrite_ki64(w, "since", c->tool_now_ms);
    jwrite_object_end(w);
}

/* Of a notice that is one line, the line says all; what is asked is drawn from its detail. */
static bool has_detail(const struct attention *a) {
    return a->detail && (a->request || strcmp(a->detail, str_or_empty(a->text)) != 0);
}

/* Why a person is wanted. The board gets no more of a long text than it shows at once, and is told so. */
static void put_attention(struct jwrite *w, const struct conversation *c, size_t units) {
    struct attention a = attention_of(c);
    if (a.kind == ATTENTION_NONE) {
        jwrite_knull(w, "attention");
        return;
    }
    struct span all = span_str(str_or_empty(a.detail)), shown = utf8_cut_units(all, units);
    jwrite_key(w, "attention");
    jwrite_object(w);
    jwrite_kcstr(w, "kind", attention_kind_to_str(a.kind));
    jwrite_ki64(w, "since", a.since_ms);
    jwrite_kcstr(w, "text", str_or_empty(a.text));
    if (has_detail(&a))
        jwrite_kstr(w, "detail", shown);
    else
        jwrite_knull(w, "detail");
    if (shown.n < all.n) jwrite_kbool(w, "cut", true);
    jwrite_kcstr(w, "form", text_form_to_str(a.form));
    jwrite_kbool(w, "certain", a.certain);
    jwrite_kcstr(w, "requestId", a.request ? a.request->id : NULL);
    jwrite_kcstr(w, "tool", a.request ? a.request->tool : NULL);
    jwrite_kcstr(w, "agent", a.request ? a.request->agent : NULL);
    if (a.more) jwrite_ku64(w, "more", a.more);
    jwrite_object_end(w);
}

static void put_pending(struct jwrite *w, const struct conversation *c, size_t units) {
    /* The seed's fields go with its status, which a timer may have let fall. */
    bool asks = c->status == SESSION_STATUS_APPROVAL || c->status == SESSION_STATUS_INPUT;
    const struct request *r = asks && c->request_count ? &c->requests[0] : NULL;
    jwrite_kcstr(w, "pendingTool", r ? r->tool : NULL);
    jwrite_kcstr(w, "pendingToolDetail", r ? r->summary : NULL);
    jwrite_kcstr(w, "waitingDetail", r ? r->label : NULL);
    put_attention(w, c, units);
}

static void put_transcript(struct jwrite *w, const struct transcript_finding *f) {
    if (f->health == TRANSCRIPT_HEALTH_UNKNOWN) {
        jwrite_knull(w, "transcript");
        return;
    }
    jwrite_key(w, "transcript");
    jwrite_object(w);
    jwrite_kcstr(w, "status", transcript_health_to_str(f->health));
    jwrite_ku64(w, "chainDepth", f->depth);
    jwrite_ku64(w, "messageCount", f->messages);
    jwrite_ku64(w, "linksFixed", f->links);
    jwrite_ki64(w, "checkedAt", f->checked_ms);
    jwrite_kcstr(w, "message", f->message);
    jwrite_object_end(w);
}

static void put_prompt(struct jwrite *w, const struct conversation *c, size_t units) {
    struct span all = span_str(str_or_empty(c->current_prompt)), shown = utf8_cut_units(all, units);
    char cut[4 * SESSION_JSON_PROMPT_UNITS + sizeof "…"];
    if (shown.n < all.n) {
        (void)snprintf(cut, sizeof cut, "%.*s…", SPAN_ARG(shown));
        shown = span_str(cut);
    }
    jwrite_kstr(w, "currentPrompt", shown);
    jwrite_ku64(w, "promptCount", c->prompt_count);
}

static void put_agents(struct jwrite *w, const struct conversation *c) {
    jwrite_ku64(w, "subagentCount", c->subagent_count);
    jwrite_kcstr(w, "lastSubagentName", c->last_subagent_name);
}

/* The fields of an entry without the braces; what is called how depends on its kind. */
static void put_entry(struct jwrite *w, enum history_kind kind, const struct entry *e) {
    static const struct {
        const char *what, *detail;
    } names[HISTORY_N_] = {
        [HISTORY_PROMPT] = {"text", NULL},
        [HISTORY_TOOL] = {"tool", "input"},
        [HISTORY_RESPONSE] = {"text", NULL},
        [HISTORY_EVENT] = {"type", "detail"},
    };
    jwrite_kstr(w, names[kind].what, entry_what(e));
    if (names[kind].detail) jwrite_kstr(w, names[kind].detail, entry_detail(e));
    jwrite_ki64(w, "timestamp", e->at_ms);
    if (!e->failed) return;
    jwrite_kbool(w, "failed", true);
    jwrite_kcstr(w, "error", str_or_empty(e->error));
}

void session_json_log_entry(struct jwrite *w, enum history_kind kind, const struct entry *e) {
    jwrite_object(w);
    jwrite_ku64(w, "pos", e->pos);
    put_entry(w, kind, e);
    jwrite_object_end(w);
}

static void put_history(struct jwrite *w, const char *key, enum history_kind kind,
                        const struct conversation *c) {
    const struct history *h = &c->history[kind];
    jwrite_key(w, key);
    jwrite_array(w);
    struct history_cursor all = history_begin(h);
    for (const struct entry *e; (e = history_next(&all));) {
        jwrite_object(w);
        put_entry(w, kind, e);
        jwrite_object_end(w);
    }
    jwrite_array_end(w);
}

static void put_tool_usage(struct jwrite *w, const struct conversation *c) {
    jwrite_key(w, "toolUsage");
    jwrite_object(w);
    for (size_t i = 0; i < c->tool_usage_count; i++)
        jwrite_ku64(w, c->tool_usage[i].tool, c->tool_usage[i].count);
    jwrite_object_end(w);
}

static void put_workers(struct jwrite *w, const struct session *s) {
    jwrite_key(w, "workers");
    jwrite_array(w);
    list_for_each(pos, &s->workers) {
        const struct worker *worker = list_entry(pos, struct worker, in_session);
        jwrite_object(w);
        jwrite_kcstr(w, "id", worker->id);
        jwrite_kcstr(w, "type", worker_type_to_str(worker->type));
        jwrite_kcstr(w, "sessionId", worker->conversation.session_id);
        jwrite_kcstr(w, "status", session_status_to_str(worker->conversation.status));
        jwrite_kcstr(w, "terminalId", worker->terminal_id);
        jwrite_object_end(w);
    }
    jwrite_array_end(w);
}

/* The conversations that the card showed before. */
static void put_previous(struct jwrite *w, const struct session *s) {
    jwrite_key(w, "previousSessions");
    jwrite_array(w);
    for (size_t i = 0; i < s->previous_count; i++) {
        const struct previous *p = &s->previous[i];
        jwrite_object(w);
        jwrite_kcstr(w, "sessionId", p->session_id);
        jwrite_ki64(w, "startedAt", p->started_ms);
        jwrite_ki64(w, "endedAt", p->ended_ms);
        jwrite_ku64(w, "promptCount", p->prompts);
        jwrite_ku64(w, "toolCalls", p->tool_calls);
        put_text(w, "lastPrompt", p->last_prompt);
        jwrite_object_end(w);
    }
    jwrite_array_end(w);
}

void session_json_whole(struct jwrite *w, const struct session *s) {
    const struct conversation *c = &s->primary->conversation;
    jwrite_object(w);
    jwrite_kcstr(w, "id", s->id);
    put_identity(w, s, false);
    jwrite_ku64(w, "queueCount", s->queue_count);
    put_status(w, s, false);
    jwrite_kcstr(w, "animationState", animation_to_str(c->animation));
    jwrite_kcstr(w, "emote", c->emote == EMOTE_NONE ? NULL : emote_to_str(c->emote));
    jwrite_ki64(w, "lastActivityAt", c->last_activity_ms);
    put_prompt(w, c, SIZE_MAX);
    put_history(w, "promptHistory", HISTORY_PROMPT, c);
    put_tool_usage(w, c);
    put_tools(w, c);
    put_agents(w, c);
    put_history(w, "toolLog", HISTORY_TOOL, c);
    put_history(w, "responseLog", HISTORY_RESPONSE, c);
    put_history(w, "events", HISTORY_EVENT, c);
    jwrite_ki64(w, "archived", s->archived);
    if (s->hidden) jwrite_kbool(w, "hidden", true);
    put_pending(w, c, SIZE_MAX);
    jwrite_kcstr(w, "lastWords", c->last_words);
    if (c->pid && c->status != SESSION_STATUS_ENDED)
        jwrite_ki64(w, "cachedPid", c->pid);
    else
        jwrite_knull(w, "cachedPid");
    put_text_if(w, "transcriptPath", c->transcript_path, false);
    put_transcript(w, &c->transcript);
    put_text_if(w, "tmuxPaneId", s->tmux_pane, false);
    put_text_if(w, "backendType", s->backend, false);
    put_previous(w, s);
    put_workers(w, s);
    jwrite_object_end(w);
}

/* What the agent said last stands on the card once: the news that it is finished says it, as long as nobody has seen that. */
static void put_words(struct jwrite *w, const struct conversation *c) {
    struct span words = span_str(str_or_empty(c->last_words));
    if (span_ends(words, SPAN("…"))) words.n -= SPAN("…").n;
    const struct notice *n = &c->notice;
    bool told = n->kind == ATTENTION_FINISHED && !c->request_count && span_starts(span_str(n->detail), words);
    jwrite_kcstr(w, "lastWords", told ? NULL : c->last_words);
}

static void put_summary(struct jwrite *w, const struct session *s, unsigned facets, bool is_patch) {
    const struct conversation *c = &s->primary->conversation;
    jwrite_object(w);
    if (facets == FACET_ALL) jwrite_kcstr(w, "id", s->id);
    if (facets & FACET_IDENTITY) {
        put_identity(w, s, is_patch);
        if (s->queue_count || is_patch) jwrite_ku64(w, "queueCount", s->queue_count);
    }
    if (facets & FACET_STATUS) put_status(w, s, is_patch);
    if (facets & FACET_PROMPT) put_prompt(w, c, SESSION_JSON_PROMPT_UNITS);
    if (facets & FACET_TOOLS) put_tools(w, c);
    if (facets & FACET_PENDING) put_pending(w, c, SESSION_JSON_DETAIL_UNITS);
    if (facets & (FACET_WORDS | FACET_PENDING)) put_words(w, c);
    if (facets & FACET_AGENTS) put_agents(w, c);
    if (facets & FACET_TRANSCRIPT) put_transcript(w, &c->transcript);
    jwrite_ki64(w, "lastActivityAt", c->last_activity_ms);
    jwrite_object_end(w);
}

void session_json_summary(struct jwrite *w, const struct session *s) {
    put_summary(w, s, FACET_ALL, false);
}

void session_json_patch(struct jwrite *w, const struct session *s, unsigned facets) {
    put_summary(w, s, facets, true);
}

void session_json_map(struct jwrite *w, const struct state *st, bool hidden) {
    jwrite_object(w);
    list_for_each(pos, &st->sessions) {
        const struct session *s = list_entry(pos, struct session, in_state);
        if (s->hidden && !hidden) continue;
        jwrite_key(w, session_wire_id(s));
        session_json_whole(w, s);
    }
    jwrite_object_end(w);
}
