#include "app/prompting.h"

#include "app/app.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/input_box.h"
#include "core/screen_rule.h"

#include <errno.h>
#include <stdlib.h>

enum {
    LOOK_MS = 150,  /* an empty place to type may be half drawn */
    AGAIN_MS = 800, /* the first Enter may only have chosen from a list */
    ENTERS_MAX = 3,
    KEY_AGAIN_MS = 300, /* between two presses of the key that interrupts: in one they would be another key */
    PRESSES_MAX = 4,
};

struct prompting {
    struct typing typing;
    struct app *app;
    struct http_exchange *x;
    enum cli cli;
    char *text;      /* NULL: it is to be interrupted */
    bool is_shown;   /* the text is in its place */
    unsigned enters; /* or presses of the key that interrupts */
    bool is_missed;
    usec_t at_us; /* of the last of them */
};

static enum typing_next fail(struct err *why, const char *words) {
    (void)err_set(why, -ECANCELED, "%s", words);
    return TYPING_FAILED;
}

static enum typing_next soon(struct prompting *p, unsigned ms) {
    p->typing.soon_ms = ms;
    return TYPING_SOON;
}

static bool asks(const struct prompting *p, const struct typing_view *v) {
    struct span question;
    return screen_rule_asks(p->cli, v->rows, MIN(v->count, (size_t)SCREEN_RULE_ROWS), &question);
}

/* Time since the last key of ours. */
static bool is_past(const struct prompting *p, unsigned ms) {
    return clock_mono(p->app->clock) - p->at_us >= ms * USEC_PER_MSEC;
}

/* The prompt */

static enum typing_next first_look(struct prompting *p, const struct typing_view *v, struct buf *keys,
                                   struct err *why) {
    if (asks(p, v)) return fail(why, "it asks something: answer that first");
    if (!input_box_is_empty(p->cli, v->rows, v->count)) {
        if (p->is_missed) return fail(why, "its screen shows no empty place to type: look at its terminal");
        p->is_missed = true;
        return soon(p, LOOK_MS);
    }
    if (input_box_put(keys, span_str(p->text), v->takes_paste) < 0)
        return fail(why, "this text cannot be typed there");
    return TYPING_KEYS;
}

static enum typing_next enter(struct prompting *p, struct buf *keys) {
    p->enters++;
    p->at_us = clock_mono(p->app->clock);
    (void)buf_append_char(keys, '\r');
    return TYPING_KEYS;
}

static enum typing_next look_prompt(struct typing *t, const struct typing_view *v, struct buf *keys,
                                    struct err *why) {
    struct prompting *p = CONTAINER_OF(t, struct prompting, typing);
    if (!t->steps) return first_look(p, v, keys, why);
    bool empty = input_box_is_empty(p->cli, v->rows, v->count);
    if (!p->enters) { /* Enter when the text is there: what comes with it in one piece is taken for pasted, too */
        if (!empty && input_box_shows(v->rows, v->count, span_str(p->text), v->arena)) return enter(p, keys);
        return v->is_late ? fail(why, "it does not show what was typed: look at its terminal") : TYPING_WAIT;
    }
    if (empty || asks(p, v)) return TYPING_DONE;
    if (v->is_late) return fail(why, "the prompt stands in its terminal, but it was not taken: look there");
    if (p->enters < ENTERS_MAX && is_past(p, AGAIN_MS)) return enter(p, keys);
    return soon(p, AGAIN_MS);
}

/* The interruption */

static enum typing_next look_interrupt(struct typing *t, const struct typing_view *v, struct buf *keys,
                                       struct err *why) {
    struct prompting *p = CONTAINER_OF(t, struct prompting, typing);
    struct span key;
    if (asks(p, v)) return t->steps ? TYPING_DONE : fail(why, "it asks something: answer that");
    bool works = input_box_can_interrupt(p->cli, v->rows, v->count, &key);
    if (!works && !p->is_missed) {
        p->is_missed = true;
        return soon(p, LOOK_MS);
    }
    if (!works) return t->steps ? TYPING_DONE : fail(why, "it does nothing that could be interrupted");
    p->is_missed = false;
    if (v->is_late) return fail(why, "it goes on all the same: look at its terminal");
    if (t->steps && (p->enters == PRESSES_MAX || !is_past(p, KEY_AGAIN_MS))) return soon(p, KEY_AGAIN_MS);
    p->enters++;
    p->at_us = clock_mono(p->app->clock);
    (void)buf_append_span(keys, key);
    return TYPING_KEYS;
}

/* Both */

static void end(struct typing *t, bool done, const char *why) {
    const struct prompting *p = CONTAINER_OF(t, struct prompting, typing);
    if (done)
        http_reply(p->x, 200, SPAN("application/json; charset=utf-8"), SPAN("{\"ok\":true}"));
    else
        http_reply_error(p->x, 409, "%s", why);
}

static void release(struct typing *t) {
    struct prompting *p = CONTAINER_OF(t, struct prompting, typing);
    free(p->text);
    free(p);
}

static const struct typing_ops prompt_ops = {.look = look_prompt, .end = end, .release = release};
static const struct typing_ops interrupt_ops = {.look = look_interrupt, .end = end, .release = release};

static void start(struct app *app, struct http_exchange *x, const struct session *s, struct span text) {
    const struct worker *w = s->primary;
    if (!w || w->type != WORKER_TYPE_AGENT || w->is_shell) {
        http_reply_error(x, 409, "there is no agent in it: write to its terminal instead");
        return;
    }
    struct terminal *terminal = typing_terminal(app->terminals, w);
    if (!terminal || w->conversation.status == SESSION_STATUS_ENDED) {
        http_reply_error(x, 409, "%s",
                         w->conversation.status == SESSION_STATUS_ENDED
                             ? "the agent has ended: resume it first"
                             : "the agent does not run in a terminal of ostler's: go to where it runs");
        return;
    }
    struct prompting *p = xcalloc(1, sizeof *p);
    p->app = app;
    p->x = x;
    p->cli = w->conversation.cli;
    p->text = text.n ? str_dup(text) : NULL;
    int r = typing_begin(&app->typings, &p->typing, p->text ? &prompt_ops : &interrupt_ops, terminal);
    if (r == 0) return;
    release(&p->typing);
    http_reply_error(x, 409, "something else is just being typed into its terminal");
}

void prompting_prompt(void *user, struct http_exchange *x, const struct session *s, struct span text) {
    start(user, x, s, text);
}

void prompting_interrupt(void *user, struct http_exchange *x, const struct session *s) {
    start(user, x, s, SPAN_NONE);
}
