/*
 * Rest. A shell in which nothing has run for long, and that nobody has looked at, is ended and can be had back as it was. That is
 * told some time before, and it is looked twice: what runs, or cannot be told to be idle, is never ended.
 */
#define LOG_TAG "terminal"
#include "pty/rest.h"
#include "base/log.h"
#include "base/mem.h"
#include "pty/runs.h"
#include "pty/terminal_int.h"

#include <stdlib.h>

enum { NOTICE_MS = 5 * 60 * 1000 };

struct rest_look {
    uv_work_t work;
    struct terminal *terminal;
    char id[TERMINAL_ID_BYTES];
    struct runs_look look;
    enum runs runs;
};

/* So long before its rest that is told. */
static int64_t notice_ms(const struct terminals *ts) {
    return MIN((int64_t)NOTICE_MS, ts->options.idle_ms / 2);
}

/* Until it may be told of its rest; 0: now. */
static int64_t left_ms(const struct terminal *t) {
    int64_t now_ms = terminals_now_ms(t->owner); /* first: it may move the others */
    int64_t quiet = now_ms - MAX(t->meta.output_ms, t->seen_ms);
    int64_t wanted = t->owner->options.idle_ms - notice_ms(t->owner);
    return quiet < 0 ? wanted : MAX(wanted - quiet, (int64_t)0);
}

static bool may_rest(const struct terminal *t) {
    struct terminals *ts = t->owner;
    return ts->options.idle_ms && t->connection == TERMINAL_LIVE && !t->resting && !viewers_count(t) &&
           ts->ops->may_rest(ts->user, (struct terminal *)t);
}

void rest_put_off(struct terminal *t) {
    t->seen_ms = terminals_now_ms(t->owner);
    rest_cancel(t);
    rest_consider(t);
}

void rest_cancel(struct terminal *t) {
    t->rest_cpu = 0;
    if (!t->rests_ms) return;
    t->rests_ms = 0;
    terminal_set_due(t, DUE_TELL, 1);
}

void rest_consider(struct terminal *t) {
    if (t->owner->options.idle_ms) terminal_set_due(t, DUE_REST, (uint64_t)MAX(left_ms(t), (int64_t)1));
}

static void go_to_rest(struct terminal *t) {
    log_info("%s has been quiet for long, nothing runs in it and nobody looks: it is put to rest",
             t->meta.id);
    t->resting = true;
    rest_cancel(t);
    terminal_end(t);
}

/* The first look of two that find nothing. */
static void announce(struct terminal *t, const struct rest_look *r) {
    int64_t notice = notice_ms(t->owner);
    t->rest_cpu = r->look.cpu;
    t->rests_ms = terminals_now_ms(t->owner) + notice;
    terminal_tell(t);
    terminal_set_due(t, DUE_REST, (uint64_t)notice);
}

static void on_looked(uv_work_t *work, int status) {
    struct rest_look *r = CONTAINER_OF(work, struct rest_look, work);
    struct terminal *t = r->terminal;
    t->rest_looking = false;
    bool nothing = status == 0 && r->runs == RUNS_NOTHING && r->look.pid == t->pid;
    if (t->deleted || t->owner->closing || !may_rest(t)) {
        rest_cancel(t);
    } else if (left_ms(t) > 0) { /* something happened while it was looked at */
        rest_cancel(t);
        rest_consider(t);
    } else if (!nothing || (t->rests_ms && t->rest_cpu != r->look.cpu)) {
        rest_cancel(t);
        terminal_set_due(t, DUE_REST, (uint64_t)notice_ms(t->owner));
    } else if (!t->rests_ms) {
        announce(t, r);
    } else {
        go_to_rest(t);
    }
    free(r);
    terminal_settle(t);
}

static void look_on_pool(uv_work_t *work) {
    struct rest_look *r = CONTAINER_OF(work, struct rest_look, work);
    r->runs = runs_look(&r->look);
}

void rest_due(struct terminal *t) {
    if (t->rest_looking || viewers_count(t) || t->connection != TERMINAL_LIVE)
        return; /* set again when the last one leaves */
    if (left_ms(t) > 0) {
        rest_consider(t);
        return;
    }
    if (!may_rest(t)) {
        rest_cancel(t);
        if (t->owner->options.idle_ms) terminal_set_due(t, DUE_REST, (uint64_t)notice_ms(t->owner));
        return;
    }
    struct rest_look *r = xcalloc(1, sizeof *r);
    r->terminal = t;
    memcpy(r->id, t->meta.id, sizeof r->id);
    r->look = (struct runs_look){.id = r->id, .pid = t->pid, .start = t->pid_start};
    t->rest_looking = uv_queue_work(t->owner->loop, &r->work, look_on_pool, on_looked) == 0;
    if (!t->rest_looking) free(r);
}
