/* Terminals and the rest of the daemon: what happens to one becomes a command in the spool and news for who looks on. */
#pragma once

#include "base/err.h"
#include "core/model.h"

struct app;

struct serve_options;

/* Opens them. A file of patterns that cannot be used is an error. */
int terminals_glue_open(struct app *app, const struct serve_options *wanted, struct err *err);
/* Finds those of earlier daemons; the spool can be written by now. */
void terminals_glue_adopt(struct app *app);
/* The spool has been read to its end: cards whose terminals are gone learn of it. */
void terminals_glue_caught_up(struct app *app);

/* A card left the board: what it ran in goes with it, with everything that was kept of it. */
void terminals_glue_removed(struct app *app, const struct session *s);

void terminals_glue_close(struct app *app); /* ends asynchronously with the loop; keepers go on */
void terminals_glue_free(struct app *app);
