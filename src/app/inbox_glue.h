/*
 * The inbox and the rest of the daemon: what is asked or over is told to boards, hooks that wait and the store; an answer is carried
 * to its agent, through the hook that waits for it or by keys.
 */
#pragma once

#include "core/effect.h"
#include "pty/terminals.h"

struct app;

void inbox_glue_init(struct app *app);
void inbox_glue_open(struct app *app);
void inbox_glue_close(struct app *app);
void inbox_glue_fini(struct app *app);

/* The effects. */
void inbox_glue_asked(struct app *app, const struct effect *e);
void inbox_glue_ended(struct app *app, const struct effect *e);
void inbox_glue_reply(struct app *app, const struct effect *e);
void inbox_glue_away(struct app *app);

/* The spool has been read to its end: answers of before the start that did not arrive never will. */
void inbox_glue_caught_up(struct app *app);

/* Somebody typed into a terminal: they are here, and its agent's dialog is not kept from them. */
void inbox_glue_typed(struct app *app, struct terminal *t);

/* For struct api. */
bool inbox_glue_is_held(void *user, const char *hold);
bool inbox_glue_is_auto_away(void *user);

extern const struct board_inbox_ops inbox_glue_board_ops;
