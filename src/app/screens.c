#include "app/screens.h"

#include "app/app.h"
#include "app/told.h"
#include "base/cleanup.h"
#include "core/inbox.h"
#include "core/screen_rule.h"
#include "term/vt.h"

enum { ROW_BYTES_MAX = 64 << 10 };

size_t screens_rows(const struct vt *vt, size_t max, struct buf *text, struct span *rows) {
    struct vt_view view;
    vt_view(vt, &view);
    size_t count = MIN((size_t)view.rows, max), begin = 0;
    for (size_t i = 0; i < count; i++) {
        vt_row_text(vt, (int)(view.rows - 1 - i), text);
        rows[i] = span_of(NULL, text->n - begin); /* where it is may still change */
        begin = text->n;
    }
    begin = 0;
    for (size_t i = 0; i < count; i++) {
        rows[i] = span_of(text->p + begin, rows[i].n);
        begin += rows[i].n;
    }
    return text->failed ? 0 : count;
}

static void report(struct app *app, const struct worker *w, enum activity activity, int64_t since_ms,
                   struct span question) {
    const struct told t = {.session = w->session->id,
                           .activity = activity,
                           .by = EVIDENCE_SCREEN,
                           .since_ms = since_ms,
                           .text = question};
    (void)told_report(&app->notes, &t);
}

/* Does a dialog that is gone tell how it ended? Codex and Gemini have no better word for it; others have, unless only the
 * screen knew that something was asked. */
static bool is_answer(const struct conversation *c) {
    return c->cli == CLI_CODEX || c->cli == CLI_GEMINI || c->evidence.source == EVIDENCE_SCREEN;
}

/* A dialog that went says nothing of what was asked after it was seen: the next one may be about to be drawn. */
static int64_t gone_since(const struct worker *w) {
    const struct conversation *c = &w->conversation;
    for (size_t i = 0; i < c->request_count; i++)
        if (c->requests[i].since_ms > w->dialog_seen_ms) return w->dialog_seen_ms;
    return w->dialog_missed_ms;
}

void screens_shown(struct app *app, struct terminal *t) {
    struct terminal_facts f;
    terminal_facts(t, &f);
    struct worker *w = state_find(&app->state, span_str(f.id));
    const struct vt *vt = terminal_screen(t);
    if (!vt || !w || w->type != WORKER_TYPE_AGENT || w->conversation.status == SESSION_STATUS_ENDED) return;
    AUTO(buf) struct buf text = BUF_INIT(ROW_BYTES_MAX);
    struct span rows[SCREEN_RULE_ROWS], question = SPAN_NONE;
    size_t count = screens_rows(vt, ARRAY_LEN(rows), &text, rows);
    bool asks = screen_rule_asks(w->conversation.cli, rows, count, &question);
    bool asked = w->shows_dialog, missed = w->misses_dialog;
    int64_t now_ms = usec_to_msec(clock_wall(app->clock));
    if (asks) w->dialog_seen_ms = now_ms;
    if (asked && !asks && !missed) w->dialog_missed_ms = now_ms;
    w->misses_dialog = asked && !asks;
    if (w->misses_dialog && !missed) { /* or it is only half drawn */
        terminal_look_again(t);
        return;
    }
    if (asks && !asked && inbox_settles(&app->state, w, now_ms)) {
        terminal_look_again(
            t); /* it was answered from here, and is about to go; or is another one, and stays */
        return;
    }
    w->shows_dialog = asks;
    if (asks && !asked) report(app, w, ACTIVITY_WAITING, now_ms, question);
    /* It was answered: what it was about runs now, or there is nothing to run. */
    if (asked && !asks && is_answer(&w->conversation))
        report(app, w, w->conversation.call_count ? ACTIVITY_BUSY : ACTIVITY_IDLE, gone_since(w), SPAN_NONE);
}
