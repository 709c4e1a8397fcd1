/* Every part of the daemon, owned in one place and built in this order. */
#pragma once

#include "app/broadcast.h"
#include "app/persist.h"
#include "app/stats_feed.h"
#include "base/path.h"
#include "core/apply.h"
#include "net/http.h"

#include <uv.h>

struct app {
    uv_loop_t loop;
    const struct clock *clock;
    struct paths paths;
    char hook[PATH_BYTES]; /* where ostler-hook is */
    int lock;              /* descriptor of the state directory's lock */

    struct state state;
    struct effects fx;
    struct arena arena; /* scratch memory of the event being applied */

    struct post *mail;
    struct store *store;
    struct board *board;
    struct broadcast broadcast;
    struct persist persist;
    struct ingest *ingest;
    struct http_server *http;

    struct api_stats stats;
    struct hook_stats hook_stats;
    struct stats_feed stats_feed;
    struct api api;

    uv_timer_t deadline; /* the core's next deadline */
    uv_signal_t sigterm, sigint;
    bool stopping;
};
