/*
 * Requests that change something. Each becomes a command in the spool, takes its turn there among the agents' events, and
 * is answered once what it did is in the database: an answer is a promise that a crash cannot break.
 */
#pragma once

#include "api/note.h"
#include "core/command.h"
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

/* The same without anybody who waits. -errno when the spool cannot be written, and too much waits for it. */
int calls_note(const struct calls *c, const struct command *cmd);

/* The record of the call with this number, at `pos`, was applied. */
void calls_applied(struct calls *c, uint64_t number, uint64_t pos, bool found);
/* Everything before `position` is in the database. */
void calls_committed(struct calls *c, uint64_t position);
/* The database refuses to take it for now, for this reason. */
void calls_refused(struct calls *c, const char *why);
