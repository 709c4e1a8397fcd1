/* What people change about a session: each request becomes a command, see api/calls.h. */
#include "api/api.h"
#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/utf8.h"
#include "pty/terminals.h"

#include <errno.h>
#include <string.h>

/* A field that a person may set. */
struct field {
    enum command_kind command;
    const char *name; /* in the body */
    size_t max;       /* UTF-16 units */
    bool required;    /* an empty one is not taken, else it takes the value away */
};

static void set_field(const struct api *api, struct http_exchange *x, const struct route_params *params,
                      const struct field *field) {
    const struct session *s = api_find_session(api, x, params);
    struct span raw, text;
    if (!s || !api_body_member(x, field->name, &raw)) return;
    enum jkind kind = jscan_kind(raw);
    if (kind == JKIND_NONE || kind == JKIND_NULL || (field->required && span_eq(raw, SPAN("\"\"")))) {
        http_reply_error(x, 400, "%s is required", field->name);
        return;
    }
    if (kind != JKIND_STRING || jscan_string(raw, http_request(x)->arena, &text) < 0 ||
        utf8_cut_units(text, field->max).n < text.n || memchr(text.p, '\0', text.n)) {
        http_reply_error(x, 400, "%s must be a string (max %zu chars)", field->name, field->max);
        return;
    }
    struct command cmd = {.kind = field->command, .session = span_str(s->id), .value = text};
    calls_submit(api->calls, x, &cmd, SPAN("{\"ok\":true}"));
}

void api_put_title(void *user, struct http_exchange *x, const struct route_params *params) {
    set_field(user, x, params, &(struct field){COMMAND_TITLE, "title", 500, true});
}

void api_put_label(void *user, struct http_exchange *x, const struct route_params *params) {
    set_field(user, x, params, &(struct field){COMMAND_LABEL, "label", 200, false});
}

void api_put_accent_color(void *user, struct http_exchange *x, const struct route_params *params) {
    set_field(user, x, params, &(struct field){COMMAND_ACCENT_COLOR, "color", 50, false});
}

void api_put_character_model(void *user, struct http_exchange *x, const struct route_params *params) {
    set_field(user, x, params, &(struct field){COMMAND_CHARACTER_MODEL, "characterModel", 100, false});
}

/* {muted}: nobody is notified of it, on no device. */
void api_put_muted(void *user, struct http_exchange *x, const struct route_params *params) {
    const struct api *api = user;
    const struct session *s = api_find_session(api, x, params);
    struct span raw;
    bool muted;
    if (!s || !api_body_member(x, "muted", &raw)) return;
    if (!jscan_bool(raw, &muted)) {
        http_reply_error(x, 400, "muted must be true or false");
        return;
    }
    struct command cmd = {.kind = COMMAND_MUTED, .session = span_str(s->id), .number = muted};
    calls_submit(api->calls, x, &cmd, SPAN("{\"ok\":true}"));
}

/* {since}: the attention that was seen, so that one which came meanwhile is not seen away. */
void api_seen_session(void *user, struct http_exchange *x, const struct route_params *params) {
    const struct api *api = user;
    const struct session *s = api_find_session(api, x, params);
    struct span since = SPAN_NONE;
    if (!s || (http_request(x)->body.n && !api_body_member(x, "since", &since))) return;
    struct command cmd = {.kind = COMMAND_SEEN, .session = span_str(s->id)};
    if (since.n && !jscan_i64(since, &cmd.number)) {
        http_reply_error(x, 400, "since must be a whole number: the attention's time");
        return;
    }
    calls_submit(api->calls, x, &cmd, SPAN("{\"ok\":true}"));
}

void api_delete_session(void *user, struct http_exchange *x, const struct route_params *params) {
    const struct api *api = user;
    const struct session *s = api_find_session(api, x, params);
    if (!s) return;
    struct command cmd = {.kind = COMMAND_DELETE, .session = span_str(s->id)};
    calls_submit(api->calls, x, &cmd, SPAN("{\"ok\":true,\"removed\":true}"));
}

/* {ok, pid, source}; the text lives as long as the exchange. */
static struct span killed_body(struct http_exchange *x, const struct session *s, int64_t pid) {
    AUTO(buf) struct buf body = BUF_INIT(4096);
    struct jwrite w = JWRITE_INIT(&body);
    jwrite_object(&w);
    jwrite_kbool(&w, "ok", true);
    if (pid)
        jwrite_ki64(&w, "pid", pid);
    else
        jwrite_knull(&w, "pid");
    jwrite_kcstr(&w, "source", s->source);
    jwrite_object_end(&w);
    return arena_dup(http_request(x)->arena, buf_span(&body));
}

/* What it runs in goes with it. */
static void end_terminals(const struct api *api, const struct session *s) {
    list_for_each(pos, &s->workers) {
        const struct worker *w = list_entry(pos, struct worker, in_session);
        struct terminal *t = w->terminal_id ? terminals_find(api->terminals, span_str(w->terminal_id)) : NULL;
        if (t) terminal_end(t);
    }
}

/* The signal first, then the record: a replay after a crash must not kill anybody. */
void api_kill_session(void *user, struct http_exchange *x, const struct route_params *params) {
    const struct api *api = user;
    const struct session *s = api_find_session(api, x, params);
    struct span confirm;
    bool confirmed = false;
    if (!s || !api_body_member(x, "confirm", &confirm)) return;
    if (!jscan_bool(confirm, &confirmed) || !confirmed) {
        http_reply_error(x, 400, "Must send {confirm: true} to kill a session");
        return;
    }
    const struct conversation *c = &s->primary->conversation;
    int64_t pid = c->status == SESSION_STATUS_ENDED || c->pid_guessed ? 0 : c->pid;
    size_t sharing = pid ? state_count_process(api->state, s->primary) : 0;
    if (sharing > 1) {
        http_reply_error(
            x, 409, "PID %lld runs %zu sessions, and all of them would end: end this one in its own program",
            (long long)pid, sharing);
        return;
    }
    int r = pid ? api->kill(api->user, pid, c->pid_start) : 0;
    if (r < 0 && r != -ESRCH) {
        http_reply_error(x, r == -EPERM ? 403 : 500, "Failed to kill PID %lld: %s", (long long)pid,
                         strerror(-r));
        return;
    }
    end_terminals(api, s);
    struct command cmd = {.kind = COMMAND_KILLED, .session = span_str(s->id)};
    calls_submit_done(api->calls, x, &cmd, killed_body(x, s, r == 0 ? pid : 0));
}

void api_resume_session(void *user, struct http_exchange *x, const struct route_params *params) {
    const struct api *api = user;
    const struct session *s = api_find_session(api, x, params);
    if (s) api->resume(api->user, x, s);
}

void api_repair_session(void *user, struct http_exchange *x, const struct route_params *params) {
    const struct api *api = user;
    const struct session *s = api_find_session(api, x, params);
    if (s) api->repair(api->user, x, s);
}
