#include "core/command.h"

#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/attention.h"
#include "core/conversation.h"
#include "core/inbox.h"
#include "core/match.h"
#include "core/resume.h"
#include "core/team.h"
#include "core/written_rule.h"

#include <errno.h>
#include <stddef.h>

#define NAME_X(c, s) s,
static const char *const names[] = {COMMAND_MAP(NAME_X)};

const char *command_to_str(enum command_kind kind) {
    return names[kind];
}

/* The record's members, for both directions. */
static const struct {
    const char *name;
    size_t at;
} texts[] = {
    {"session", offsetof(struct command, session)},   {"value", offsetof(struct command, value)},
    {"terminal", offsetof(struct command, terminal)}, {"path", offsetof(struct command, path)},
    {"title", offsetof(struct command, title)},       {"label", offsetof(struct command, label)},
    {"source", offsetof(struct command, source)},     {"hosts", offsetof(struct command, hosts)},
    {"program", offsetof(struct command, program)},   {"pane", offsetof(struct command, pane)},
    {"backend", offsetof(struct command, backend)},   {"color", offsetof(struct command, color)},
    {"request", offsetof(struct command, request)},   {"by", offsetof(struct command, by)},
    {"reply", offsetof(struct command, reply)},       {"way", offsetof(struct command, way)},
    {"rules", offsetof(struct command, rules)},
};

static const struct {
    const char *name;
    size_t at;
} numbers[] = {
    {"call", offsetof(struct command, call)},         {"number", offsetof(struct command, number)},
    {"pid", offsetof(struct command, pid)},           {"depth", offsetof(struct command, depth)},
    {"messages", offsetof(struct command, messages)}, {"links", offsetof(struct command, links)},
    {"stops", offsetof(struct command, stops)},
};

static struct span *text_slot(struct command *cmd, size_t i) {
    return (struct span *)(void *)((char *)cmd + texts[i].at);
}

static struct span text_of(const struct command *cmd, size_t i) {
    return *(const struct span *)(const void *)((const char *)cmd + texts[i].at);
}

static int64_t *number_slot(struct command *cmd, size_t i) {
    return (int64_t *)(void *)((char *)cmd + numbers[i].at);
}

static int64_t number_of(const struct command *cmd, size_t i) {
    return *(const int64_t *)(const void *)((const char *)cmd + numbers[i].at);
}

static bool kind_from_str(struct span name, enum command_kind *ret) {
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (!span_eq_str(name, names[i])) continue;
        *ret = (enum command_kind)i;
        return true;
    }
    return false;
}

int command_parse(struct span json, struct arena *arena, struct command *ret, struct err *err) {
    struct jmember m[1 + ARRAY_LEN(texts) + ARRAY_LEN(numbers)];
    m[0] = (struct jmember)JMEMBER("name");
    struct jmember *const of_texts = m + 1, *const of_numbers = of_texts + ARRAY_LEN(texts);
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        of_texts[i] = (struct jmember){span_str(texts[i].name), {0}};
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        of_numbers[i] = (struct jmember){span_str(numbers[i].name), {0}};

    struct command cmd = {0};
    struct span name;
    if (jscan_kind(json) != JKIND_OBJECT || jscan_object(json, m, ARRAY_LEN(m)) < 0 ||
        jscan_string(m[0].value, arena, &name) < 0 || !kind_from_str(name, &cmd.kind))
        return err_set(err, -EINVAL, "not a command");
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct span *text = text_slot(&cmd, i);
        if (jscan_kind(of_texts[i].value) == JKIND_STRING && jscan_string(of_texts[i].value, arena, text) < 0)
            return err_set(err, -EINVAL, "not a command");
        /* They become C strings. */
        if (text->n && memchr(text->p, '\0', text->n)) return err_set(err, -EINVAL, "not a command");
    }
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        (void)jscan_i64(of_numbers[i].value, number_slot(&cmd, i));
    *ret = cmd;
    return 0;
}

void command_write(struct jwrite *w, const struct command *cmd) {
    jwrite_object(w);
    jwrite_kcstr(w, "name", command_to_str(cmd->kind));
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        if (text_of(cmd, i).n) jwrite_kstr(w, texts[i].name, text_of(cmd, i));
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        if (number_of(cmd, i)) jwrite_ki64(w, numbers[i].name, number_of(cmd, i));
    jwrite_object_end(w);
}

/* What people set */

static void set_text(struct turn *t, char **slot, struct span value) {
    if (str_set(slot, value)) session_touch(t->state, t->session, FACET_IDENTITY);
}

static void set_title(struct turn *t, const struct command *cmd) {
    t->session->titled = true;
    set_text(t, &t->session->title, cmd->value);
}

static void set_label(struct turn *t, const struct command *cmd) {
    set_text(t, &t->session->label, cmd->value);
}

static void set_accent_color(struct turn *t, const struct command *cmd) {
    set_text(t, &t->session->accent_color, cmd->value);
}

static void set_character_model(struct turn *t, const struct command *cmd) {
    set_text(t, &t->session->character_model, cmd->value);
}

static void set_muted(struct turn *t, const struct command *cmd) {
    bool muted = cmd->number != 0;
    if (t->session->muted == muted) return;
    t->session->muted = muted;
    session_touch(t->state, t->session, FACET_IDENTITY);
}

static void set_queue_count(struct turn *t, const struct command *cmd) {
    t->session->queue_count = cmd->number > 0 ? (uint64_t)cmd->number : 0;
    session_touch(t->state, t->session, FACET_IDENTITY);
}

/* What was found in its transcript. A finding about a conversation that the card no longer shows is none of its business. */
static void set_transcript(struct turn *t, const struct command *cmd) {
    struct transcript_finding *f = &t->conv->transcript;
    enum transcript_health health, was = f->health;
    if (!transcript_health_from_str(cmd->value, &health) ||
        !span_eq(cmd->session, span_str(t->conv->session_id)))
        return;
    f->links += cmd->links > 0 ? (uint64_t)cmd->links : 0;
    /* What was mended once is worth knowing for longer than until the next look. */
    f->health = health == TRANSCRIPT_HEALTH_HEALTHY && f->links ? TRANSCRIPT_HEALTH_REPAIRED : health;
    f->depth = cmd->depth > 0 ? (uint64_t)cmd->depth : 0;
    f->messages = cmd->messages > 0 ? (uint64_t)cmd->messages : 0;
    f->checked_ms = t->at_ms;
    (void)str_set(&f->message, cmd->title);
    if (cmd->links > 0)
        conversation_log(t, HISTORY_EVENT, SPAN("TranscriptRepaired"),
                         arena_printf(t->arena, "repaired: %lld link%s", (long long)cmd->links,
                                      cmd->links == 1 ? "" : "s"));
    bool broken = f->health == TRANSCRIPT_HEALTH_UNRECOVERABLE || f->health == TRANSCRIPT_HEALTH_UNREADABLE;
    if (broken && f->health != was) conversation_log(t, HISTORY_EVENT, SPAN("TranscriptBroken"), cmd->title);
    session_touch(t->state, t->session, FACET_TRANSCRIPT);
}

/* Ends */

static void killed(struct turn *t, const struct command *cmd UNUSED) {
    t->session->archived = true;
    attention_clear(t); /* whoever did it knows */
    if (t->was != SESSION_STATUS_ENDED)
        conversation_end(t, (struct reason){EVIDENCE_PROCESS, "kill", t->at_ms},
                         SPAN("Session ended (killed from the board)"));
}

static void delete (struct turn *t, const struct command *cmd UNUSED) {
    turn_remove(t);
}

static void (*const handlers[COMMAND_N_])(struct turn *t, const struct command *cmd) = {
    [COMMAND_TITLE] = set_title,
    [COMMAND_LABEL] = set_label,
    [COMMAND_ACCENT_COLOR] = set_accent_color,
    [COMMAND_CHARACTER_MODEL] = set_character_model,
    [COMMAND_QUEUE_COUNT] = set_queue_count,
    [COMMAND_MUTED] = set_muted,
    [COMMAND_KILLED] = killed,
    [COMMAND_DELETE] = delete,
    [COMMAND_MEMBER] = team_member_configured,
    [COMMAND_TERMINAL_MADE] = resume_terminal_made,
    [COMMAND_TERMINAL_GONE] = resume_terminal_gone,
    [COMMAND_RESUME] = resume_requested,
    [COMMAND_TRANSCRIPT] = set_transcript,
    [COMMAND_SEEN] = attention_seen,
    [COMMAND_ANSWER] = inbox_answered,
    [COMMAND_REPLIED] = inbox_replied,
    [COMMAND_UNDELIVERED] = inbox_undelivered,
    [COMMAND_RULE] = written_rule_noted,
};

/* Those that are about the whole board. */
static bool apply_to_all(struct state *st, const struct event *ev, struct effects *fx) {
    if (ev->command->kind == COMMAND_AWAY)
        inbox_away(st, ev->command, ev->at_ms, fx);
    else if (ev->command->kind == COMMAND_RULE_UNDONE)
        written_rule_undone(st, ev->command, ev->at_ms, fx);
    else
        return false;
    return true;
}

void command_apply(struct state *st, const struct event *ev, struct arena *arena, struct effects *fx) {
    const struct command *cmd = ev->command;
    if (apply_to_all(st, ev, fx)) {
        if (cmd->call)
            effects_add(fx, (struct effect){.kind = EFFECT_ANSWER, .call = cmd->call, .pos = ev->pos});
        return;
    }
    struct worker *w = state_find(st, cmd->kind == COMMAND_TERMINAL_GONE ? cmd->terminal : cmd->session);
    bool makes_one = cmd->kind == COMMAND_TERMINAL_MADE;
    if (w || makes_one) {
        struct turn t = {.state = st, .fx = fx, .at_ms = ev->at_ms, .pos = ev->pos, .arena = arena};
        if (w) turn_take(&t, w);
        handlers[cmd->kind](&t, cmd);
        turn_tell(&t);
        turn_end(&t);
    }
    bool waits = cmd->kind == COMMAND_ANSWER && w; /* it is answered when the agent has it */
    if (cmd->call && !waits)
        effects_add(fx, (struct effect){.kind = EFFECT_ANSWER,
                                        .call = cmd->call,
                                        .pos = ev->pos,
                                        .outcome = w || makes_one ? OUTCOME_DONE : OUTCOME_NOT_FOUND});
}
