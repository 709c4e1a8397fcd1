/* GET /api/pty-stats: one look at all processes, on the pool, for everybody who waits for it. */
#pragma once

#include "app/usage.h"
#include "net/http.h"

#include <uv.h>

enum {
    PTY_STATS_FRESH_MS = 500, /* an earlier look that is younger is too young to tell a difference */
    PTY_STATS_OLD_MS = 60000, /* and one that is older says nothing about now */
};

struct pty_stats {
    struct http_exchange **waiting;
    size_t n;
    bool looking, closing;
    struct usage before; /* the look to compare with */
};

/* struct api.pty_stats; `user` is the struct app. */
void pty_stats_request(void *user, struct http_exchange *x);
struct app;
void pty_stats_close(struct app *app); /* whoever waits is answered */
void pty_stats_free(struct app *app);
