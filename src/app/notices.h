/* Notifies people: what the rule says is news (app/notice_rule) goes to the browsers that want it (app/push) and to the command of
 * the user's own (app/notify_command). */
#pragma once

#include "app/notice_rule.h"
#include "app/notify_command.h"
#include "app/push.h"
#include "core/state.h"

struct api;
struct config;

struct notices {
    struct notice_rule rule;
    struct notify_command command;
    struct pushes *pushes; /* borrowed, as are the next four */
    const struct api *api;
    const struct state *state;
    const struct clock *clock;
    struct clock_step step;
    const char *url; /* of the board, for the command */
    struct map told; /* subscription and topic of what was sent and is not over → itself */
    uv_timer_t timer;
};

void notices_open(struct notices *n, uv_loop_t *loop, const struct clock *clock, struct pushes *pushes,
                  const struct api *api, const struct state *state, const char *url);
/* The state is loaded: what it holds is no news. */
void notices_start(struct notices *n, const struct config *config);
void notices_close(struct notices *n); /* ends asynchronously with the loop */
void notices_free(struct notices *n);  /* when the loop has ended */

/* The session changed, or has left the board. */
void notices_session(struct notices *n, const struct session *s);
void notices_removed(struct notices *n, const struct session *s);
