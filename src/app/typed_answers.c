#define LOG_TAG "inbox"
#include "app/typed_answers.h"

#include "app/app.h"
#include "app/screens.h"
#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/log.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/screen_rule.h"

#include <errno.h>
#include <stdlib.h>

enum {
    ROW_BYTES_MAX = 256 << 10,
    ARENA_BYTES_MAX = 8 << 20,
    SETTLE_MS = 600, /* keys that come in the first moments of a dialog are lost in some CLIs */
    AGAIN_MS = 120,  /* a dialog that is not there may be half drawn */
};

struct typed_answer {
    struct typing typing;
    struct app *app;
    char session[ID_BYTES], request[ID_BYTES];
    enum decision decision;
    char *message, *answers;
    char *before;  /* what was shown when keys were typed last */
    bool was_last; /* these keys make the decision */
    bool is_missed;
};

/* What is shown */

/* `d`: the dialog that is on the screen now; NULL: none. */
static void note(struct app *app, struct worker *w, const struct dialog *d) {
    uint64_t hash = d ? map_hash(d->shown) | 1 : 0;
    if (hash == w->dialog_hash) return;
    w->dialog_hash = hash;
    w->dialog_us = clock_mono(app->clock);
    if (app->typed.changed) app->typed.changed(app, w);
}

static bool read_dialog(enum cli cli, const struct vt *vt, struct buf *text, struct arena *arena,
                        struct dialog *ret) {
    struct span rows[DIALOG_ROWS];
    size_t count = screens_rows(vt, ARRAY_LEN(rows), text, rows);
    return dialog_read(cli, rows, count, arena, ret);
}

void typed_answers_shown(struct app *app, const struct terminal *t) {
    struct terminal_facts f;
    terminal_facts(t, &f);
    struct worker *w = state_find(&app->state, span_str(f.id));
    const struct vt *vt = terminal_screen(t);
    if (!vt || !w || (!w->conversation.request_count && !w->dialog_hash)) return;
    AUTO(arena) struct arena arena = ARENA_INIT(ARENA_BYTES_MAX);
    AUTO(buf) struct buf text = BUF_INIT(ROW_BYTES_MAX);
    struct dialog d;
    note(app, w, read_dialog(w->conversation.cli, vt, &text, &arena, &d) ? &d : NULL);
}

/* What can be done */

/* The dialog on the screen of this agent, if it is about this request. */
static bool look_for(struct app *app, const struct worker *w, const struct request *r, struct buf *text,
                     struct arena *arena, struct dialog *ret) {
    const struct terminal *t = typing_terminal(app->terminals, w);
    const struct vt *vt = t ? terminal_screen(t) : NULL;
    return vt && read_dialog(w->conversation.cli, vt, text, arena, ret) && !ret->is_begun &&
           dialog_is_about(ret, r, arena);
}

unsigned typed_answers_can(void *user, const struct worker *w, const struct request *r) {
    struct app *app = user;
    const struct terminal *t = typing_terminal(app->terminals, w);
    if (!t) return 0;
    struct terminal_facts f;
    terminal_facts(t, &f);
    struct typed_answers *ta = &app->typed;
    for (size_t i = 0; i < ARRAY_LEN(ta->looks); i++)
        if (strcmp(ta->looks[i].request, r->id) == 0 && ta->looks[i].offset == f.offset)
            return ta->looks[i].can;
    AUTO(arena) struct arena arena = ARENA_INIT(ARENA_BYTES_MAX);
    AUTO(buf) struct buf text = BUF_INIT(ROW_BYTES_MAX);
    struct dialog d;
    struct typed_look *l = &ta->looks[ta->next_look++ % ARRAY_LEN(ta->looks)];
    *l = (struct typed_look){.offset = f.offset};
    memcpy(l->request, r->id, sizeof l->request);
    l->can = look_for(app, w, r, &text, &arena, &d) ? dialog_can(&d) : 0;
    return l->can;
}

struct span typed_answers_words(struct app *app, const struct worker *w, const struct request *r,
                                enum decision decision, struct arena *arena) {
    AUTO(buf) struct buf text = BUF_INIT(ROW_BYTES_MAX);
    struct dialog d;
    if (!look_for(app, w, r, &text, arena, &d)) return SPAN_NONE;
    return arena_dup(arena, dialog_words(&d, decision));
}

/* Carrying it out */

static const struct request *find_request(const struct worker *w, const char *id) {
    for (size_t i = 0; i < w->conversation.request_count; i++)
        if (strcmp(w->conversation.requests[i].id, id) == 0) return &w->conversation.requests[i];
    return NULL;
}

static enum typing_next fail(struct err *why, const char *words) {
    (void)err_set(why, -ECANCELED, "%s", words);
    return TYPING_FAILED;
}

/* No dialog that is known is there. */
static enum typing_next look_without(struct typed_answer *a, enum cli cli, const struct typing_view *v,
                                     struct err *why) {
    struct span question;
    bool asks = screen_rule_asks(cli, v->rows, MIN(v->count, (size_t)SCREEN_RULE_ROWS), &question);
    if (a->was_last && !asks) {
        if (a->is_missed) return TYPING_DONE;
        a->is_missed = true; /* or it is only half drawn */
        a->typing.soon_ms = AGAIN_MS;
        return TYPING_SOON;
    }
    if (v->is_late)
        return fail(why, a->typing.steps ? "its dialog has become one that is not known: look at its terminal"
                                         : "its screen does not show that dialog");
    if (!a->typing.steps && a->is_missed) return fail(why, "its screen does not show that dialog");
    a->is_missed = true;
    a->typing.soon_ms = AGAIN_MS;
    return a->typing.steps ? TYPING_WAIT : TYPING_SOON;
}

static const char *step_words(int r) {
    if (r == -E2BIG)
        return "the text is too long to be typed into its dialog: shorten it, or answer in its terminal";
    return "its dialog cannot be answered like this: answer in its terminal";
}

static enum typing_next next_keys(struct typed_answer *a, const struct dialog *d, const struct typing_view *v,
                                  struct buf *keys, struct err *why) {
    const struct dialog_wish wish = {
        .decision = a->decision, .message = span_str(a->message), .answers = span_str(a->answers)};
    int r = dialog_step(d, &wish, v->takes_paste, v->arena, keys, &a->was_last);
    if (r < 0) return fail(why, step_words(r));
    free(a->before);
    a->before = str_dup(d->shown);
    return TYPING_KEYS;
}

static enum typing_next look(struct typing *t, const struct typing_view *v, struct buf *keys,
                             struct err *why) {
    struct typed_answer *a = CONTAINER_OF(t, struct typed_answer, typing);
    struct worker *w = state_find(&a->app->state, span_str(a->session));
    const struct request *r = w ? find_request(w, a->request) : NULL;
    if (!r) return a->was_last ? TYPING_DONE : fail(why, "it was answered elsewhere");
    struct dialog d;
    if (!dialog_read(w->conversation.cli, v->rows, v->count, v->arena, &d))
        return look_without(a, w->conversation.cli, v, why);
    a->is_missed = false;
    note(a->app, w, &d);
    if (a->before && span_eq_str(d.shown, a->before))
        return v->is_late ? fail(why, "its dialog did not take the key: look at its terminal") : TYPING_WAIT;
    if (a->was_last) return TYPING_DONE; /* another one is there now */
    if (!dialog_is_about(&d, r, v->arena)) return fail(why, "its screen shows another dialog");
    if (!t->steps && d.is_begun) return fail(why, "somebody has begun to answer it in its terminal");
    usec_t age = clock_mono(a->app->clock) - w->dialog_us;
    if (!t->steps && age < SETTLE_MS * USEC_PER_MSEC) {
        t->soon_ms = SETTLE_MS - (unsigned)usec_to_msec(age);
        return TYPING_SOON;
    }
    return next_keys(a, &d, v, keys, why);
}

static void tell(struct app *app, const char *session, const char *request, enum decision decision, bool done,
                 const char *why) {
    const struct command cmd = {.kind = done ? COMMAND_REPLIED : COMMAND_UNDELIVERED,
                                .session = span_str(session),
                                .request = span_str(request),
                                .value = span_str(done ? decision_to_str(decision) : why)};
    if (!done) log_info("the answer to %s was not typed: %s", request, why);
    int r = calls_note(&app->calls, &cmd);
    if (r < 0) log_warn("cannot note what became of an answer: %s", strerror(-r));
}

static void end(struct typing *t, bool done, const char *why) {
    const struct typed_answer *a = CONTAINER_OF(t, struct typed_answer, typing);
    tell(a->app, a->session, a->request, a->decision, done, why);
}

static void release(struct typing *t) {
    struct typed_answer *a = CONTAINER_OF(t, struct typed_answer, typing);
    free(a->message);
    free(a->answers);
    free(a->before);
    free(a);
}

static const struct typing_ops ops = {.look = look, .end = end, .release = release};

void typed_answers_reply(struct app *app, const struct worker *w, const struct request *r) {
    struct terminal *terminal = typing_terminal(app->terminals, w);
    AUTO(arena) struct arena arena = ARENA_INIT(ARENA_BYTES_MAX);
    struct jmember m[] = {JMEMBER("message"), JMEMBER("answers")};
    (void)jscan_object(span_str(r->answer.reply), m, ARRAY_LEN(m));
    struct typed_answer *a = xcalloc(1, sizeof *a);
    a->app = app;
    a->decision = r->answer.decision;
    a->message = str_dup(jscan_text(m[0].value, &arena));
    a->answers = str_dup(m[1].value);
    memcpy(a->session, w->session->id, sizeof a->session);
    memcpy(a->request, r->id, sizeof a->request);
    int begun = terminal ? typing_begin(&app->typings, &a->typing, &ops, terminal) : -EPIPE;
    if (begun == 0) return;
    tell(app, w->session->id, r->id, a->decision, false,
         begun == -EBUSY ? "something else is just being typed into its terminal"
                         : "its terminal is not there");
    release(&a->typing);
}
