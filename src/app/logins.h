/*
 * What logging in needs of the system: passwords compared on the pool, one after the other; who is logged in kept in a file;
 * a timer for when they no longer are.
 *
 * The file (`tokens` in the state directory, 0600) is small and written whole, at each login and logout. It is not in the
 * database: that is written by a thread in batches, and a logout must hold from the moment it is answered.
 */
#pragma once

#include "api/auth.h"
#include "base/path.h"

#include <uv.h>

struct logins {
    struct auth auth;
    struct http_server *http; /* NULL: it does not listen yet, or no longer */
    uv_loop_t *loop;
    uv_timer_t timer; /* the next token's end */
    uv_work_t work;
    struct list waiting;       /* struct login */
    struct login *at_work;     /* the one that is being compared */
    bool open;                 /* the file has been read */
    void (*ended)(void *user); /* some logins are no more; may be NULL */
    void *ended_user;
    char file[PATH_BYTES];
    char config_file[PATH_BYTES];
    char hook_token_file[PATH_BYTES];
};

/* Never fails; logins_load() must follow before anybody is served. */
void logins_open(struct logins *l, uv_loop_t *loop, const struct clock *clock);
/* The password and who is logged in. A configuration that cannot be read is an error: it may say that there is a password. */
int logins_load(struct logins *l, const struct paths *paths, struct err *err);
/* Ends asynchronously with the loop; who still waits is sent away. Before http_close(). */
void logins_close(struct logins *l);
/* When the loop has ended; one that was never opened is fine. */
void logins_free(struct logins *l);
