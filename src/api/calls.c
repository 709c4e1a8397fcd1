#include "api/calls.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/mem.h"
#include "spool/record.h"

#include <stdlib.h>
#include <string.h>

struct call {
    struct list in_calls;
    uint64_t number;
    struct http_exchange *exchange;
    struct span body;
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

static void submit(struct calls *c, struct http_exchange *x, struct command *cmd, struct span body,
                   note_ending *end) {
    cmd->call = ++c->newest;
    struct call *call = xcalloc(1, sizeof *call);
    *call = (struct call){.number = cmd->call, .exchange = x, .body = body};
    list_append(&c->waiting, &call->in_calls);
    int r = put(c, cmd, end);
    if (r == 0) return;
    list_remove(&call->in_calls);
    free(call);
    http_reply_error(x, 503, "nothing was changed: the spool %s cannot be written: %s", c->notes->spool_dir,
                     strerror(-r));
}

void calls_submit(struct calls *c, struct http_exchange *x, struct command *cmd, struct span body) {
    submit(c, x, cmd, body, note_end_now);
}

void calls_submit_done(struct calls *c, struct http_exchange *x, struct command *cmd, struct span body) {
    submit(c, x, cmd, body, note_end);
}

static void finish(struct call *call) {
    list_remove(&call->in_calls);
    free(call);
}

void calls_applied(struct calls *c, uint64_t number, uint64_t pos, bool found) {
    list_for_each_safe(at, &c->waiting) {
        struct call *call = list_entry(at, struct call, in_calls);
        if (call->number != number) continue;
        call->pos = pos;
        call->applied = true;
        if (found) return;
        http_reply_error(call->exchange, 404, "Session not found");
        finish(call);
        return;
    }
}

void calls_committed(struct calls *c, uint64_t position) {
    list_for_each_safe(at, &c->waiting) {
        struct call *call = list_entry(at, struct call, in_calls);
        if (!call->applied || call->pos >= position) return; /* they are applied in their order */
        http_reply(call->exchange, 200, SPAN("application/json; charset=utf-8"), call->body);
        finish(call);
    }
}

static void answer_all(struct calls *c, const char *sentence) {
    list_for_each_safe(at, &c->waiting) {
        struct call *call = list_entry(at, struct call, in_calls);
        http_reply_error(call->exchange, 503, "%s", sentence);
        finish(call);
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
