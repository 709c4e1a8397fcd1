#include "app/screens.h"

#include "app/app.h"
#include "app/told.h"
#include "base/cleanup.h"
#include "core/screen_rule.h"
#include "term/vt.h"

enum { ROW_BYTES_MAX = 64 << 10 };

/* The lowest rows, the last one first. */
static size_t read_rows(const struct vt *vt, struct buf *text, struct span rows[SCREEN_RULE_ROWS]) {
    struct vt_view view;
    vt_view(vt, &view);
    size_t count = MIN(view.rows, (unsigned)SCREEN_RULE_ROWS), ends[SCREEN_RULE_ROWS];
    for (size_t i = 0; i < count; i++) {
        vt_row_text(vt, (int)(view.rows - 1 - i), text);
        ends[i] = text->n;
    }
    for (size_t i = 0; i < count; i++)
        rows[i] = span_of(text->p + (i ? ends[i - 1] : 0), ends[i] - (i ? ends[i - 1] : 0));
    return count;
}

static void report(struct app *app, const struct worker *w, enum activity activity, struct span question) {
    const struct told t = {.session = w->session->id,
                           .activity = activity,
                           .by = EVIDENCE_SCREEN,
                           .since_ms = usec_to_msec(clock_wall(app->clock)),
                           .text = question};
    (void)told_report(&app->notes, &t);
}

/* Does a dialog that is gone tell how it ended? Codex and Gemini have no better word for it; others have, unless only the
 * screen knew that something was asked. */
static bool is_answer(const struct conversation *c) {
    return c->cli == CLI_CODEX || c->cli == CLI_GEMINI || c->evidence.source == EVIDENCE_SCREEN;
}

void screens_shown(struct app *app, struct terminal *t) {
    struct terminal_facts f;
    terminal_facts(t, &f);
    struct worker *w = state_find(&app->state, span_str(f.id));
    const struct vt *vt = terminal_screen(t);
    if (!vt || !w || w->type != WORKER_TYPE_AGENT || w->conversation.status == SESSION_STATUS_ENDED) return;
    AUTO(buf) struct buf text = BUF_INIT(ROW_BYTES_MAX);
    struct span rows[SCREEN_RULE_ROWS], question = SPAN_NONE;
    size_t count = read_rows(vt, &text, rows);
    bool asks = !text.failed && screen_rule_asks(w->conversation.cli, rows, count, &question);
    bool asked = w->shows_dialog, missed = w->misses_dialog;
    w->misses_dialog = asked && !asks;
    if (w->misses_dialog && !missed) { /* or it is only half drawn */
        terminal_look_again(t);
        return;
    }
    w->shows_dialog = asks;
    if (asks && !asked) report(app, w, ACTIVITY_WAITING, question);
    /* It was answered: what it was about runs now, or there is nothing to run. */
    if (asked && !asks && is_answer(&w->conversation))
        report(app, w, w->conversation.call_count ? ACTIVITY_BUSY : ACTIVITY_IDLE, SPAN_NONE);
}
