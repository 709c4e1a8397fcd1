/* The environment of the person's own shell: found out soon after the start, for terminals and for who asks how it went. */
#pragma once

#include "api/api.h"
#include "pty/shell_env.h"

struct app;

struct shell_glue {
    struct shell_env *env;
    uv_timer_t soon;
    struct list waiting; /* requests that are answered when it is known */
};

/* `seconds` is the shell's time; 0: it is not asked. */
void shell_glue_open(struct app *app, unsigned seconds);
void shell_glue_close(struct app *app);
void shell_glue_free(struct app *app);

/* terminals_ops.environment; `user` is the struct app. */
int shell_glue_environment(void *user, char *const **ret);
/* struct agent_place.path: its PATH; NULL while it is being found out. */
const char *shell_glue_path(void *user);
/* Tells those who bring hooks up to date its PATH, now or when it is known. */
void shell_glue_tell_path(struct app *app);
/* struct api.shell_environment: how it went; `again`: after it was found out anew. */
void shell_glue_request(void *user, struct http_exchange *x, bool again);
