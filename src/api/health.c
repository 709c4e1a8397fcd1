#include "api/api.h"
#include "base/cleanup.h"
#include "base/jwrite.h"
#include "base/version.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void write_loop(struct jwrite *w, const struct api *api) {
    struct pulse_stats loop = watchdog_stats(api->watchdog);
    jwrite_key(w, "loop");
    jwrite_object(w);
    jwrite_ku64(w, "stalls", loop.stalls);
    jwrite_ki64(w, "worstMs", loop.worst_ms);
    jwrite_key(w, "lastAt");
    if (loop.stalls)
        jwrite_i64(w, loop.last_ms);
    else
        jwrite_null(w);
    jwrite_object_end(w);
}

void api_get_health(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    struct ingest_stats in;
    ingest_stats(api->ingest, &in);
    AUTO(buf) struct buf body = BUF_INIT(64 << 10);
    struct jwrite w = JWRITE_INIT(&body);
    bool store_ok = !api->stats->store_problem[0];
    jwrite_object(&w);
    jwrite_kcstr(&w, "status", store_ok && !in.last_error ? "ok" : "degraded");
    jwrite_kcstr(&w, "version", version_text);
    jwrite_ki64(&w, "pid", getpid());
    jwrite_ki64(&w, "uptimeMs", usec_to_msec(clock_wall(api->clock)) - api->stats->started_ms);
    jwrite_key(&w, "problems");
    jwrite_array(&w);
    if (!store_ok) jwrite_cstr(&w, api->stats->store_problem);
    if (in.last_error) {
        char line[ERR_MSG_BYTES];
        (void)snprintf(line, sizeof line, "the spool %s cannot be read: %s", api->spool_dir,
                       strerror(-in.last_error));
        jwrite_cstr(&w, line);
    }
    jwrite_array_end(&w);
    write_loop(&w, api);
    jwrite_object_end(&w);
    api_reply_json(x, 200, &body);
}

/* For everybody: is it up? */
void api_get_life(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    struct ingest_stats in;
    ingest_stats(api->ingest, &in);
    bool well = !api->stats->store_problem[0] && !in.last_error;
    http_reply_static(x, 200, SPAN("application/json; charset=utf-8"),
                      well ? SPAN("{\"status\":\"ok\"}") : SPAN("{\"status\":\"degraded\"}"));
}

void api_get_mq_stats(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    const struct api_stats *stats = api->stats;
    struct ingest_stats in;
    ingest_stats(api->ingest, &in);
    AUTO(buf) struct buf body = BUF_INIT(64 << 10);
    struct jwrite w = JWRITE_INIT(&body);
    jwrite_object(&w);
    jwrite_ku64(&w, "linesProcessed", stats->applied);
    jwrite_ku64(&w, "linesErrored", stats->refused);
    jwrite_key(&w, "lastProcessedAt");
    if (stats->last_event_ms)
        jwrite_i64(&w, stats->last_event_ms);
    else
        jwrite_null(&w);
    jwrite_ki64(&w, "startedAt", stats->started_ms);
    jwrite_kcstr(&w, "queueFile", api->spool_dir);
    jwrite_kbool(&w, "running", in.last_error == 0);
    jwrite_ku64(&w, "currentOffset", in.position);
    jwrite_kbool(&w, "hasPartialLine", in.partial);
    jwrite_ku64(&w, "torn", in.torn + stats->torn);
    jwrite_ku64(&w, "oversized", in.oversized + stats->oversized);
    jwrite_ku64(&w, "dropped", stats->dropped);
    jwrite_ku64(&w, "duplicates", stats->duplicates);
    jwrite_ku64(&w, "committed", stats->committed);
    jwrite_object_end(&w);
    api_reply_json(x, 200, &body);
}
