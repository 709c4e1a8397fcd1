#include "api/calls.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/jwrite.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/str.h"
#include "spool/record.h"

#include <stdlib.h>
#include <string.h>

enum { ERROR_BYTES = 8192 };

struct call {
    struct list in_calls;
    uint64_t number;
    struct http_exchange *exchange; /* who waits; or, when it is NULL: */
    calls_done_fn *done;
    void *user;
    struct span body;
    char *owned;  /* what `body` points to, when it is ours */
    uint64_t pos; /* of its record, once applied */
    bool applied;
};

void calls_open(struct calls *c, const struct notes *notes) {
    *c = (struct calls){.notes = notes, .newest = (uint64_t)clock_wall(notes->clock)};
    list_init(&c->waiting);
}

typedef int note_ending(const struct notes *n, struct jwrite *w);

static int put(const struct calls *c, const struct command *cmd, note_ending *end) {
    AUTO(buf) struct buf record = BUF_INIT(SPOOL_RECORD_MAX);
    struct jwrite w = note_begin(c->notes, &record, "command");
    command_write(&w, cmd);
    return end(c->notes, &w);
}

int calls_note(const struct calls *c, const struct command *cmd) {
    return put(c, cmd, note_end);
}

static void finish(struct call *call) {
    list_remove(&call->in_calls);
    free(call->owned);
    free(call);
}

/* Answers, and it is over. */
static void reply(struct call *call, int status, struct span json) {
    if (call->exchange)
        http_reply(call->exchange, status, SPAN("application/json; charset=utf-8"), json);
    else if (call->done)
        call->done(call->user, status, json);
    finish(call);
}

void calls_write_refusal(struct buf *out, struct span sentence, const char *state) {
    struct jwrite w = JWRITE_INIT(out);
    jwrite_object(&w);
    jwrite_kstr(&w, "error", sentence);
    if (state) jwrite_kcstr(&w, "state", state);
    jwrite_object_end(&w);
}

static void refuse(struct call *call, int status, struct span sentence, const char *state) {
    AUTO(buf) struct buf body = BUF_INIT(ERROR_BYTES);
    calls_write_refusal(&body, sentence, state);
    reply(call, status, buf_span(&body));
}

static void submit(struct calls *c, struct call *call, struct command *cmd, note_ending *end) {
    cmd->call = call->number = ++c->newest;
    list_append(&c->waiting, &call->in_calls);
    int r = put(c, cmd, end);
    if (r == 0) return;
    char sentence[ERR_MSG_BYTES + PATH_BYTES];
    (void)snprintf(sentence, sizeof sentence, "nothing was changed: the spool %s cannot be written: %s",
                   c->notes->spool_dir, strerror(-r));
    refuse(call, 503, span_str(sentence), NULL);
}

static struct call *call_new(struct call from) {
    struct call *call = xcalloc(1, sizeof *call);
    *call = from;
    return call;
}

void calls_submit(struct calls *c, struct http_exchange *x, struct command *cmd, struct span body) {
    submit(c, call_new((struct call){.exchange = x, .body = body}), cmd, note_end_now);
}

void calls_submit_done(struct calls *c, struct http_exchange *x, struct command *cmd, struct span body) {
    submit(c, call_new((struct call){.exchange = x, .body = body}), cmd, note_end);
}

void calls_submit_for(struct calls *c, struct command *cmd, struct span body, calls_done_fn *done,
                      void *user) {
    char *owned = str_dup(body);
    struct call from = {.done = done, .user = user, .owned = owned, .body = span_str(owned)};
    submit(c, call_new(from), cmd, note_end_now);
}

void calls_forget(struct calls *c, const void *user) {
    list_for_each_safe(at, &c->waiting) {
        struct call *call = list_entry(at, struct call, in_calls);
        if (!call->exchange && call->user == user) finish(call);
    }
}

static struct call *find(struct calls *c, uint64_t number) {
    list_for_each(at, &c->waiting) {
        struct call *call = list_entry(at, struct call, in_calls);
        if (call->number == number) return call;
    }
    return NULL;
}

/* An answer came too late, or not at all. */
static void refuse_late(struct call *call, const struct effect *e) {
    static const char *const words[REQUEST_END_N_] = {
        [REQUEST_END_OPEN] = "it was answered already, a moment ago",
        [REQUEST_END_ALLOWED] = "too late: it was allowed already",
        [REQUEST_END_DENIED] = "too late: it was denied already",
        [REQUEST_END_DESK] = "too late: it was answered at the desk",
        [REQUEST_END_EXPIRED] = "too late: it has expired",
        [REQUEST_END_GONE] = "too late: its agent has ended, or goes on without an answer",
    };
    const char *state = request_end_to_str(e->end);
    if (e->outcome == OUTCOME_CHANGED)
        refuse(call, 409, SPAN("it has changed since you looked: look at it again"), state);
    else if (e->outcome == OUTCOME_UNDELIVERED)
        refuse(call, 409, e->why, state);
    else
        refuse(call, 409, span_str(words[e->end]), state);
}

void calls_applied(struct calls *c, const struct effect *e) {
    struct call *call = find(c, e->call);
    if (!call) return;
    call->pos = e->pos;
    call->applied = true;
    if (e->outcome == OUTCOME_NOT_FOUND)
        refuse(call, 404, SPAN("Session not found"), NULL);
    else if (e->outcome != OUTCOME_DONE)
        refuse_late(call, e);
}

void calls_committed(struct calls *c, uint64_t position) {
    list_for_each_safe(at, &c->waiting) {
        struct call *call = list_entry(at, struct call, in_calls);
        if (call->applied && call->pos < position) reply(call, 200, call->body);
    }
}

static void answer_all(struct calls *c, const char *sentence) {
    list_for_each_safe(at, &c->waiting) {
        struct call *call = list_entry(at, struct call, in_calls);
        refuse(call, 503, span_str(sentence), NULL);
    }
}

void calls_refused(struct calls *c, const char *why) {
    char sentence[ERR_MSG_BYTES * 2];
    (void)snprintf(sentence, sizeof sentence,
                   "the change is kept in the spool and will be made, but is not yet in the database: %s",
                   why);
    answer_all(c, sentence);
}

void calls_close(struct calls *c) {
    answer_all(c, "ostler is stopping; the change is kept in the spool and will be made when it runs again");
}
