/* Requests for terminals that are being started. */
#pragma once

#include "base/list.h"
#include "net/http.h"
#include "pty/terminals.h"

struct api;

struct terminal_calls {
    struct list starting; /* struct terminal_call */
};

void terminal_calls_open(struct terminal_calls *c);
/* The daemon stops: whoever still waits is answered. What was begun goes on and is found at the next start. */
void terminal_calls_close(struct terminal_calls *c);

/* Is somebody waiting for this one? Then its card is made by their call. */
bool terminal_calls_has(const struct terminal_calls *c, struct span terminal_id);

/* A call about a terminal that is being started; it is done with when the request is answered. */
struct terminal_call {
    struct list in_calls;
    const struct api *api;
    struct http_exchange *exchange; /* NULL: answered already */
    char id[TERMINAL_ID_BYTES];
    struct command *undo; /* noted when it does not start; NULL: nothing */
    bool seeds_errors;    /* refusals are {"success": false, "error": …} */
    struct span body;     /* of the answer; in the exchange's arena */
};

/* `fill` says all but in_calls; copied. */
struct terminal_call *terminal_call_begin(const struct terminal_call *fill);
/* For terminals_create() and terminal_resume(). */
void terminal_call_done(void *user, struct terminal *t, int r, const struct err *err);

/* An error in the seed's shape. */
void terminal_refuse(struct http_exchange *x, int status, const char *sentence);
