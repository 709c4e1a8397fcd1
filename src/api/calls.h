/*
 * Requests that change something. Each becomes a command in the spool, takes its turn there among the agents' events, and
 * is answered once what it did is in the database: an answer is a promise that a crash cannot break.
 */
#pragma once

#include "api/note.h"
#include "core/command.h"
#include "core/effect.h"
#include "net/http.h"

struct calls {
    const struct notes *notes;
    uint64_t newest;     /* number of the newest call; numbers of earlier runs were smaller */
    struct list waiting; /* struct call, the oldest first */
};

void calls_open(struct calls *c, const struct notes *notes);
/* Answers everybody who still waits: the daemon stops. */
void calls_close(struct calls *c);

/* Hands a command over; `x` is answered with 200 and `body` (which lives as long as the exchange) when it is done, with
 * 404 when there was no such session by then. */
void calls_submit(struct calls *c, struct http_exchange *x, struct command *cmd, struct span body);

/* The same for what has happened already: it is noted as soon as the spool can be written, and answered then. */
void calls_submit_done(struct calls *c, struct http_exchange *x, struct command *cmd, struct span body);

/* Who waits for the outcome without being an HTTP request: called exactly once, unless forgotten before. `json` is the answer's body. */
typedef void calls_done_fn(void *user, int status, struct span json);
/* The same for one of these; `body` is copied. */
void calls_submit_for(struct calls *c, struct command *cmd, struct span body, calls_done_fn *done,
                      void *user);
/* This one waits no longer. */
void calls_forget(struct calls *c, const void *user);

/* The same without anybody who waits. -errno when the spool cannot be written, and too much waits for it. */
int calls_note(const struct calls *c, const struct command *cmd);

/* The call of the effect was carried out, by the record at its `pos`, or could not be. */
void calls_applied(struct calls *c, const struct effect *e);
/* Everything before `position` is in the database. */
void calls_committed(struct calls *c, uint64_t position);
/* The database refuses to take it for now, for this reason. */
void calls_refused(struct calls *c, const char *why);

/* The body of a refusal: {"error": …}, and how the request is that an answer was for, unless `state` is NULL. */
void calls_write_refusal(struct buf *out, struct span sentence, const char *state);
