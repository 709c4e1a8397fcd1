#define LOG_TAG "inbox"
#include "app/inbox_glue.h"

#include "api/approvals.h"
#include "api/board_inbox.h"
#include "app/app.h"
#include "base/cleanup.h"
#include "base/log.h"
#include "core/inbox.h"

#include <errno.h>

enum { MESSAGE_BYTES_MAX = 4 << 20, MS_PER_MINUTE = 60 * 1000 };

/* Boards */

static void publish_open(struct app *app, const struct worker *w, const struct request *r) {
    if (!board_has_inbox(app->board)) return;
    AUTO(buf) struct buf message = BUF_INIT(MESSAGE_BYTES_MAX);
    struct jwrite out = JWRITE_INIT(&message);
    struct approval_way way = approvals_way(&app->api, w, r);
    jwrite_object(&out);
    jwrite_kcstr(&out, "type", "approval");
    jwrite_key(&out, "approval");
    approval_json_open(&out, w, r, &way);
    jwrite_object_end(&out);
    if (!message.failed) board_publish_inbox(app->board, buf_span(&message));
}

static void publish_ended(struct app *app, const struct ended_request *e) {
    if (!board_has_inbox(app->board)) return;
    AUTO(buf) struct buf message = BUF_INIT(MESSAGE_BYTES_MAX);
    struct jwrite out = JWRITE_INIT(&message);
    jwrite_object(&out);
    jwrite_kcstr(&out, "type", "approval");
    jwrite_key(&out, "approval");
    approval_json_ended(&out, e);
    jwrite_object_end(&out);
    if (!message.failed) board_publish_inbox(app->board, buf_span(&message));
}

static void publish_away(struct app *app) {
    AUTO(buf) struct buf message = BUF_INIT(MESSAGE_BYTES_MAX);
    struct jwrite out = JWRITE_INIT(&message);
    jwrite_object(&out);
    jwrite_kcstr(&out, "type", "away");
    jwrite_key(&out, "away");
    approvals_write_away(&app->api, &out);
    jwrite_object_end(&out);
    board_publish_inbox(app->board, buf_span(&message));
}

static void write_all(void *user, struct jwrite *w) {
    const struct app *app = user;
    approvals_write_all(&app->api, w);
}

static void on_board_answer(void *user, struct span id, struct span body, const char *by, calls_done_fn *done,
                            void *waits) {
    const struct app *app = user;
    approvals_answer(&app->api, id, body, by, done, waits);
}

static void on_board_forget(void *user, const void *waits) {
    struct app *app = user;
    calls_forget(&app->calls, waits);
}

const struct board_inbox_ops inbox_glue_board_ops = {
    .write_all = write_all, .answer = on_board_answer, .forget = on_board_forget};

/* Hooks that wait */

static void on_hold_changed(void *user, const char *session, const char *request) {
    struct app *app = user;
    struct worker *w = state_find(&app->state, span_str(session));
    const struct request *r = w ? inbox_find_in(w->session, span_str(request), &w) : NULL;
    if (r) publish_open(app, w, r);
}

static bool is_away(void *user) {
    const struct app *app = user;
    return app->state.away || inbox_glue_is_auto_away(user);
}

static const struct holds_ops holds_ops = {.changed = on_hold_changed, .is_away = is_away};

/* What is on an agent's screen says what of its requests can be answered by keys. */
static void on_dialog_changed(struct app *app, struct worker *w) {
    for (size_t i = 0; i < w->conversation.request_count; i++)
        publish_open(app, w, &w->conversation.requests[i]);
}

bool inbox_glue_is_held(void *user, const char *hold) {
    const struct app *app = user;
    return holds_has(&app->holds, hold);
}

bool inbox_glue_is_auto_away(void *user) {
    const struct app *app = user;
    int64_t after_ms = app->api.away_after_minutes * MS_PER_MINUTE;
    return after_ms > 0 && usec_to_msec(clock_boot(app->clock) - app->typed_at) >= after_ms;
}

/* Nobody else would notice that it is so now. */
static void on_away_due(uv_timer_t *timer) {
    struct app *app = CONTAINER_OF(timer, struct app, away);
    int64_t after_ms = app->api.away_after_minutes * MS_PER_MINUTE;
    int64_t left = after_ms - usec_to_msec(clock_boot(app->clock) - app->typed_at);
    if (after_ms <= 0) return;
    if (left <= 0)
        publish_away(app);
    else
        (void)uv_timer_start(timer, on_away_due, (uint64_t)left, 0);
}

/* Effects */

void inbox_glue_asked(struct app *app, const struct effect *e) {
    struct worker *w;
    const struct request *r = inbox_find_in(e->session, span_str(e->request), &w);
    if (!r) return; /* it ended by the same record */
    holds_asked(&app->holds, e->session, r);
    publish_open(app, w, r);
}

void inbox_glue_ended(struct app *app, const struct effect *e) {
    persist_ended_request(&app->persist, e->ended);
    holds_ended(&app->holds, &e->ended->request);
    publish_ended(app, e->ended);
}

void inbox_glue_reply(struct app *app, const struct effect *e) {
    struct worker *w;
    const struct request *r = inbox_find_in(e->session, span_str(e->request), &w);
    if (!r || !app->caught_up) return; /* inbox_glue_caught_up() sees to those of before */
    if (r->answer.by_keys)
        typed_answers_reply(app, w, r);
    else
        holds_reply(&app->holds, e->session, r);
}

void inbox_glue_away(struct app *app) {
    persist_away(&app->persist);
    if (!app->state.away) holds_release(&app->holds, &app->state, NULL);
    publish_away(app);
}

void inbox_glue_typed(struct app *app, struct terminal *t) {
    struct terminal_facts f;
    bool was_away = inbox_glue_is_auto_away(app);
    app->typed_at = clock_boot(app->clock);
    terminal_facts(t, &f);
    const struct worker *w = state_find(&app->state, span_str(f.id));
    if (w && w->conversation.request_count) holds_release(&app->holds, &app->state, w->session);
    if (!was_away) return;
    on_away_due(&app->away);
    publish_away(app);
}

/* Life */

static void give_up_answer(const struct app *app, const struct session *s, const struct request *r) {
    static const char why[] =
        "ostler was restarted before the answer arrived: look at it again, and answer it once more";
    struct command cmd = {.kind = COMMAND_UNDELIVERED,
                          .session = span_str(s->id),
                          .request = span_str(r->id),
                          .value = span_str(why)};
    int failed = calls_note(&app->calls, &cmd);
    if (failed < 0) log_warn("cannot note that an answer did not arrive: %s", strerror(-failed));
}

void inbox_glue_caught_up(struct app *app) {
    app->caught_up = true;
    list_for_each(at, &app->state.sessions) {
        const struct session *s = list_entry(at, struct session, in_state);
        list_for_each(pos, &s->workers) {
            const struct conversation *c = &list_entry(pos, struct worker, in_session)->conversation;
            for (size_t i = 0; i < c->request_count; i++) {
                holds_asked(&app->holds, s, &c->requests[i]);
                if (c->requests[i].answer.decision) give_up_answer(app, s, &c->requests[i]);
            }
        }
    }
}

void inbox_glue_init(struct app *app) {
    app->typed_at = clock_boot(app->clock);
    (void)uv_timer_init(&app->loop, &app->away);
    app->typed.changed = on_dialog_changed;
    holds_init(&app->holds, &app->loop, &app->calls, &holds_ops, app);
}

void inbox_glue_open(struct app *app) {
    holds_open(&app->holds, app->paths.state);
    on_away_due(&app->away);
}

void inbox_glue_close(struct app *app) {
    holds_close(&app->holds);
    uv_close((uv_handle_t *)&app->away, NULL);
}

void inbox_glue_fini(struct app *app) {
    holds_fini(&app->holds);
}
