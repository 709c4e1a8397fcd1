#include "api/terminals.h"

#include "api/agent_launch.h"
#include "api/api.h"
#include "api/terminal_shape.h"
#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/mem.h"
#include "wire/board_terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { SNAPSHOT_BYTES_MAX = 256 << 20, ANSWER_BYTES = 4096 };

static int64_t now_ms(const struct api *api) {
    return usec_to_msec(clock_wall(api->clock));
}

/* POST /api/terminals */

static struct span created_body(struct http_exchange *x, const char *id) {
    AUTO(buf) struct buf body = BUF_INIT(ANSWER_BYTES);
    struct jwrite w = JWRITE_INIT(&body);
    jwrite_object(&w);
    jwrite_kbool(&w, "ok", true);
    jwrite_kcstr(&w, "terminalId", id);
    jwrite_kcstr(&w, "sessionId", id); /* its card's name until an agent has one */
    jwrite_object_end(&w);
    return arena_dup(http_request(x)->arena, buf_span(&body));
}

void api_post_terminal(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    const struct http_request *http = http_request(x);
    struct terminal_request req;
    struct agent_launch launch;
    struct err err = {0};
    int r = terminal_request_parse(http->body, http->arena, &req, &err);
    if (r == 0) r = agent_launch_prepare(&launch, api->place, &req, http->arena, &err);
    if (r < 0) {
        terminal_refuse(x, r == -ENOTSUP ? 501 : 400, err.msg);
        return;
    }
    struct terminal_call call = {.api = api, .exchange = x, .seeds_errors = true};
    if (terminal_new_id(call.id, api->clock) < 0) {
        terminal_refuse(x, 500, "the system gives no random numbers");
    } else {
        launch.spec.id = call.id;
        call.body = created_body(x, call.id);
        terminals_create(api->terminals, &launch.spec, terminal_call_done, terminal_call_begin(&call));
    }
    agent_launch_fini(&launch);
}

/* Looking at them */

struct listing {
    const struct api *api;
    struct jwrite w;
};

static void list_one(void *user, struct terminal *t) {
    struct listing *l = user;
    struct terminal_shape shape;
    terminal_shape(&shape, t, l->api->state, now_ms(l->api));
    terminal_json(&l->w, &shape);
}

void api_get_terminals(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    AUTO(buf) struct buf body = BUF_INIT(API_BODY_MAX);
    struct listing l = {api, JWRITE_INIT(&body)};
    jwrite_object(&l.w);
    jwrite_key(&l.w, "terminals");
    jwrite_array(&l.w);
    terminals_each(api->terminals, list_one, &l);
    jwrite_array_end(&l.w);
    jwrite_object_end(&l.w);
    api_reply_json(x, 200, &body);
}

static struct terminal *find_terminal(const struct api *api, struct http_exchange *x,
                                      const struct route_params *params) {
    struct terminal *t = terminals_find(api->terminals, params->value[0]);
    if (!t) http_reply_error(x, 404, "Terminal not found");
    return t;
}

void api_get_terminal(void *user, struct http_exchange *x, const struct route_params *params) {
    const struct api *api = user;
    struct terminal *t = find_terminal(api, x, params);
    if (!t) return;
    AUTO(buf) struct buf body = BUF_INIT(API_BODY_MAX);
    struct listing l = {api, JWRITE_INIT(&body)};
    list_one(&l, t);
    api_reply_json(x, 200, &body);
}

static void hang_up(struct http_exchange *x, struct terminal *t) {
    if (t) terminal_end(t);
    http_reply(x, 200, SPAN("application/json; charset=utf-8"), SPAN("{\"ok\":true}"));
}

static void on_reachable(void *user, struct terminal *t) {
    if (t)
        hang_up(user, t);
    else
        http_reply_error(user, 503, "the terminal is being deleted, or ostler is stopping: try again");
}

/* Hanging up on one that is not there has been done. One that is just being adopted is waited for: what was answered is with its
 * keeper, whatever becomes of us. */
void api_delete_terminal(void *user, struct http_exchange *x, const struct route_params *params) {
    const struct api *api = user;
    struct terminal *t = terminals_find(api->terminals, params->value[0]);
    struct terminal_facts f = {0};
    if (t) terminal_facts(t, &f);
    if (t && f.connection == TERMINAL_STARTING)
        terminal_with_screen(t, on_reachable, x);
    else
        hang_up(x, t);
}

/* POST /api/terminals/:id/keep: its rest is put off, as if somebody had looked at it. */
void api_keep_terminal(void *user, struct http_exchange *x, const struct route_params *params) {
    struct terminal *t = find_terminal(user, x, params);
    if (!t) return;
    terminal_keep(t);
    http_reply(x, 200, SPAN("application/json; charset=utf-8"), SPAN("{\"ok\":true}"));
}

/* POST /api/terminals/:id/write: for the program, as if somebody had typed it. */
void api_write_terminal(void *user, struct http_exchange *x, const struct route_params *params) {
    const struct api *api = user;
    struct terminal *t = find_terminal(api, x, params);
    struct span raw, data;
    if (!t || !api_body_member(x, "data", &raw)) return;
    if (jscan_kind(raw) != JKIND_STRING || jscan_string(raw, http_request(x)->arena, &data) < 0) {
        http_reply_error(x, 400, "data must be a string");
        return;
    }
    if (data.n > BOARD_TERMINAL_INPUT_MAX) {
        http_reply_error(x, 413, "an input may have %d bytes at most: send it in pieces",
                         BOARD_TERMINAL_INPUT_MAX);
        return;
    }
    int r = data.n ? terminal_input(t, data) : 0;
    if (r == -EPIPE)
        http_reply_error(x, 409, "the terminal's program is not running: resume the session first");
    else if (r < 0)
        http_reply_error(x, 409,
                         "the terminal's program does not read what it was sent before: try again later");
    else
        http_reply(x, 200, SPAN("application/json; charset=utf-8"), SPAN("{\"ok\":true}"));
}

/* What they show. The screen of an ended one may have to be read first. */

static void reply_gone(struct http_exchange *x) {
    http_reply_error(x, 404, "the terminal is gone, or ostler is stopping");
}

static void on_screen(void *user, struct terminal *t) {
    struct http_exchange *x = user;
    const struct vt *vt = t ? terminal_screen(t) : NULL;
    if (!vt) {
        reply_gone(x);
        return;
    }
    struct span text;
    uint64_t lines = 0;
    if (http_query(x, SPAN("scrollback"), &text) && !span_u64(text, &lines)) {
        http_reply_error(x, 400, "scrollback must be a number of lines");
        return;
    }
    struct vt_view view;
    vt_view(vt, &view);
    struct screen_shape screen;
    terminal_screen_shape(&screen, vt, (unsigned)MIN(lines, (uint64_t)UINT32_MAX));
    AUTO(buf) struct buf body = BUF_INIT(API_BODY_MAX);
    struct jwrite w = JWRITE_INIT(&body);
    jwrite_object(&w);
    jwrite_kbool(&w, "alternate", view.alternate);
    jwrite_kstr(&w, "title", vt_title(vt));
    terminal_json_screen(&w, &screen);
    jwrite_object_end(&w);
    api_reply_json(x, 200, &body);
}

void api_get_screen(void *user, struct http_exchange *x, const struct route_params *params) {
    struct terminal *t = find_terminal(user, x, params);
    if (t) terminal_with_screen(t, on_screen, x);
}

static void add_number(struct http_exchange *x, struct span name, uint64_t value) {
    char text[24];
    int n = snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    http_add_header(x, name, span_of(text, (size_t)n));
}

static void on_screen_for_snapshot(void *user, struct terminal *t) {
    struct http_exchange *x = user;
    const struct vt *vt = t ? terminal_screen(t) : NULL;
    if (!vt) {
        reply_gone(x);
        return;
    }
    struct terminal_facts f;
    struct vt_view view;
    terminal_facts(t, &f);
    vt_view(vt, &view);
    AUTO(buf) struct buf bytes = BUF_INIT(SNAPSHOT_BYTES_MAX);
    vt_snapshot(vt, view.scrollback, &bytes);
    if (bytes.failed) {
        http_reply_error(x, 500, "the answer is too large");
        return;
    }
    add_number(x, SPAN("X-Ostler-Epoch"), f.epoch);
    add_number(x, SPAN("X-Ostler-Offset"), f.offset);
    add_number(x, SPAN("X-Ostler-Cols"), view.cols);
    add_number(x, SPAN("X-Ostler-Rows"), view.rows);
    http_reply(x, 200, SPAN("application/octet-stream"), buf_span(&bytes));
}

void api_get_snapshot(void *user, struct http_exchange *x, const struct route_params *params) {
    struct terminal *t = find_terminal(user, x, params);
    if (t) terminal_with_screen(t, on_screen_for_snapshot, x);
}

void api_get_pty_stats(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    api->pty_stats(api->user, x);
}
