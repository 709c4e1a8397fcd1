#include "api/api.h"
#include "base/cleanup.h"
#include "base/jwrite.h"
#include "base/version.h"

#include <unistd.h>

/* Null when it never was. */
static void write_last(struct jwrite *w, int64_t at_ms) {
    jwrite_key(w, "lastAt");
    if (at_ms)
        jwrite_i64(w, at_ms);
    else
        jwrite_null(w);
}

static void write_loop(struct jwrite *w, const struct api *api) {
    struct pulse_stats loop = watchdog_stats(api->watchdog);
    jwrite_key(w, "loop");
    jwrite_object(w);
    jwrite_ku64(w, "stalls", loop.stalls);
    jwrite_ki64(w, "worstMs", loop.worst_ms);
    write_last(w, loop.stalls ? loop.last_ms : 0);
    jwrite_object_end(w);
}

static void write_lines(struct jwrite *w, const char *key, char lines[][ERR_MSG_BYTES], size_t count) {
    jwrite_key(w, key);
    jwrite_array(w);
    for (size_t i = 0; i < count; i++)
        jwrite_cstr(w, lines[i]);
    jwrite_array_end(w);
}

static void write_losses(struct jwrite *w, const struct losses *losses) {
    jwrite_key(w, "lost");
    jwrite_object(w);
    jwrite_ku64(w, "events", losses_total(losses));
    for (enum loss why = 0; why < LOSS_N_; why++)
        if (losses->count[why]) jwrite_ku64(w, loss_name(why), losses->count[why]);
    write_last(w, losses->last_ms);
    jwrite_object_end(w);
}

static void write_refused(struct jwrite *w, const struct api_stats *stats) {
    jwrite_key(w, "refused");
    jwrite_object(w);
    jwrite_ku64(w, "events", stats->refused + stats->oversized);
    for (enum event_refusal why = REFUSAL_NONE + 1; why < REFUSAL_N_; why++)
        if (stats->refused_by[why]) jwrite_ku64(w, event_refusal_to_str(why), stats->refused_by[why]);
    write_last(w, stats->refused_ms);
    jwrite_object_end(w);
}

void api_get_health(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    struct trouble t;
    trouble_look(api, &t);
    AUTO(buf) struct buf body = BUF_INIT(64 << 10);
    struct jwrite w = JWRITE_INIT(&body);
    jwrite_object(&w);
    jwrite_kcstr(&w, "status", t.problem_count ? "degraded" : "ok");
    jwrite_kcstr(&w, "version", version_text);
    jwrite_ki64(&w, "pid", getpid());
    jwrite_ki64(&w, "uptimeMs", usec_to_msec(clock_boot(api->clock) - api->stats->begun));
    jwrite_kbool(&w, "knowsUsers", http_knows_users(api->http));
    if (api->stats->certificate_expires_ms)
        jwrite_ki64(&w, "certificateExpiresAt", api->stats->certificate_expires_ms);
    write_lines(&w, "problems", t.problems, t.problem_count);
    write_lines(&w, "hints", t.hints, t.hint_count);
    write_losses(&w, &t.losses);
    write_refused(&w, api->stats);
    write_loop(&w, api);
    jwrite_object_end(&w);
    api_reply_json(x, 200, &body);
}

/* For everybody: is it up? */
void api_get_life(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    http_reply_static(x, 200, SPAN("application/json; charset=utf-8"),
                      trouble_is_any(user) ? SPAN("{\"status\":\"degraded\"}") : SPAN("{\"status\":\"ok\"}"));
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
