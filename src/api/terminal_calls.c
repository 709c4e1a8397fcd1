#include "api/terminals.h"

#include "api/api.h"
#include "api/terminal_shape.h"
#include "base/cleanup.h"
#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>

enum { ERROR_BYTES = 8192 };

void terminal_refuse(struct http_exchange *x, int status, const char *sentence) {
    AUTO(buf) struct buf body = BUF_INIT(ERROR_BYTES);
    struct jwrite w = JWRITE_INIT(&body);
    jwrite_object(&w);
    jwrite_kbool(&w, "success", false);
    jwrite_kcstr(&w, "error", sentence);
    jwrite_object_end(&w);
    api_reply_json(x, status, &body);
}

void terminal_calls_open(struct terminal_calls *c) {
    list_init(&c->starting);
}

static void finish(struct terminal_call *call) {
    list_remove(&call->in_calls);
    free(call);
}

void terminal_calls_close(struct terminal_calls *c) {
    list_for_each(pos, &c->starting) {
        struct terminal_call *call = list_entry(pos, struct terminal_call, in_calls);
        http_reply_error(call->exchange, 503,
                         "ostler is stopping; what was begun is shown when it runs again");
        call->exchange = NULL;
    }
}

bool terminal_calls_has(const struct terminal_calls *c, struct span terminal_id) {
    list_for_each(pos, &c->starting)
        if (span_eq_str(terminal_id, list_entry(pos, struct terminal_call, in_calls)->id)) return true;
    return false;
}

struct terminal_call *terminal_call_begin(const struct terminal_call *fill) {
    struct terminal_call *call = xmalloc(sizeof *call);
    *call = *fill;
    list_append(&call->api->terminal_calls->starting, &call->in_calls);
    return call;
}

static int status_of(int r) {
    switch (r) {
    case -EINVAL: return 400;
    case -ENOSPC: return 429;
    case -EBUSY: return 409;
    case -ECANCELED: return 503;
    default: return 500;
    }
}

static void failed(const struct terminal_call *call, int r, const struct err *err) {
    if (call->undo && r != -ECANCELED) { /* a daemon that stops does not know how it went on */
        struct command undo = *call->undo;
        undo.value = arena_printf(http_request(call->exchange)->arena, "not started: %s", err->msg);
        (void)calls_note(call->api->calls, &undo);
    }
    if (call->seeds_errors)
        terminal_refuse(call->exchange, status_of(r), err->msg);
    else
        http_reply_error(call->exchange, status_of(r), "%s", err->msg);
}

/* It runs: its card is made, or is there already, and then the request is answered. */
void terminal_call_done(void *user, struct terminal *t, int r, const struct err *err) {
    struct terminal_call *call = user;
    if (!call->exchange) { /* the daemon stops, and they have been told */
        finish(call);
        return;
    }
    if (t) {
        struct command made;
        terminal_made_command(&made, t);
        calls_submit_done(call->api->calls, call->exchange, &made, call->body);
    } else {
        failed(call, r, err);
    }
    finish(call);
}
