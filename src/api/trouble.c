/*
 * What is told of a daemon in trouble must be true: events wait in the spool as long as it has room for them, and those that it
 * had none for are lost, and counted.
 */
#include "api/api.h"
#include "api/auth.h"
#include "spool/append.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    EVENT_BYTES = 1600,      /* an event takes about so much */
    ENOUGH_BYTES = 64 << 10, /* of room: with less the next one may not fit */
    DAY_MS = 24 * 3600000,
    RECENT_MS = DAY_MS,      /* so long a loss is told of by itself */
    EXPIRY_MS = 14 * DAY_MS, /* so long beforehand is told that a certificate will expire */
};

static bool is_full(int error) {
    return error == -ENOSPC || error == -EDQUOT;
}

static char *next_problem(struct trouble *t) {
    return t->problem_count < API_TROUBLE_MAX ? t->problems[t->problem_count++] : NULL;
}

static char *next_hint(struct trouble *t) {
    return t->hint_count < API_TROUBLE_MAX ? t->hints[t->hint_count++] : NULL;
}

static void say_spool_error(const struct api *api, const struct ingest_stats *in, int cannot,
                            struct trouble *t) {
    char *line = in->last_error ? next_problem(t) : NULL;
    if (line)
        (void)snprintf(line, ERR_MSG_BYTES, "the spool %s cannot be read: %s", api->spool_dir,
                       strerror(-in->last_error));
    line = cannot < 0 && cannot != -EROFS ? next_problem(t) : NULL;
    if (line)
        (void)snprintf(
            line, ERR_MSG_BYTES,
            "the spool %s cannot be written to: %s; new events are lost (%llu so far, where they could be counted)",
            api->spool_dir, strerror(-cannot), (unsigned long long)losses_total(&t->losses));
}

/* Where events go now. `cannot`: why hooks cannot write there; 0 when they can. */
static void say_room(const struct api *api, const struct ingest_stats *in, int cannot, struct trouble *t) {
    bool short_of_it = in->room_error < 0;
    bool read_only = cannot == -EROFS || in->room_error == -EROFS || api->stats->store_error == -EROFS;
    bool stuck = is_full(api->stats->store_error);
    if (!short_of_it && !stuck && !read_only) return;
    char *line = next_problem(t);
    if (!line) return;
    unsigned long long lost = losses_total(&t->losses);
    const char *dir = api->spool_dir;
    if (read_only)
        (void)snprintf(
            line, ERR_MSG_BYTES,
            "The disk of %s cannot be written to: new events are lost (%llu so far, where they could "
            "be counted), and changes cannot be made; make it writable, and ostler goes on by itself.",
            dir, lost);
    else if (in->room >= ENOUGH_BYTES)
        (void)snprintf(
            line, ERR_MSG_BYTES,
            "The disk of %s is full, but room was kept for about %llu more events, which wait there; "
            "free some space, and ostler goes on by itself.",
            dir, (unsigned long long)(in->room / EVENT_BYTES));
    else if (is_full(in->room_error) || stuck)
        (void)snprintf(
            line, ERR_MSG_BYTES,
            "The disk of %s is full, and the room that was kept for events is used up: new ones are "
            "lost (%llu so far); free some space, and ostler goes on by itself.",
            dir, lost);
    else
        (void)snprintf(line, ERR_MSG_BYTES, "no room can be kept for events in %s: %s", dir,
                       strerror(-in->room_error));
}

static void say_losses(const struct api *api, struct trouble *t) {
    int64_t now_ms = usec_to_msec(clock_wall(api->clock));
    uint64_t lost = losses_total(&t->losses);
    char *line = lost && now_ms - t->losses.last_ms < RECENT_MS ? next_hint(t) : NULL;
    if (!line) return;
    enum loss most = LOSS_FULL;
    for (enum loss why = 0; why < LOSS_N_; why++)
        if (t->losses.count[why] > t->losses.count[most]) most = why;
    (void)snprintf(line, ERR_MSG_BYTES,
                   "%llu event%s lost, the last one %lld min ago, because %s; ostler doctor says more.",
                   (unsigned long long)lost, lost == 1 ? " was" : "s were",
                   (long long)((now_ms - t->losses.last_ms) / 60000), loss_words(most));
}

/* Newer CLIs have events that we do not know: that is told with the hooks, and troubles nobody. */
static void say_refused(const struct api *api, struct trouble *t) {
    const struct api_stats *stats = api->stats;
    uint64_t refused = 0;
    enum event_refusal most = REFUSAL_NONE;
    for (enum event_refusal why = REFUSAL_NONE + 1; why < REFUSAL_N_; why++) {
        if (why == REFUSAL_UNKNOWN_EVENT) continue;
        refused += stats->refused_by[why];
        if (stats->refused_by[why] > stats->refused_by[most]) most = why;
    }
    char *line = refused ? next_hint(t) : NULL;
    if (line)
        (void)snprintf(
            line, ERR_MSG_BYTES,
            "%llu event%s not understood since the daemon started (%s); the newest are in %s, ostler "
            "doctor says more.",
            (unsigned long long)refused, refused == 1 ? " was" : "s were", event_refusal_to_str(most),
            api->refused_file);
}

static void say_expiry(const struct api *api, struct trouble *t) {
    int64_t at_ms = api->stats->certificate_expires_ms;
    int64_t left_ms = at_ms - usec_to_msec(clock_wall(api->clock));
    bool is_near = at_ms && !api->stats->certificate_problem[0] && left_ms < EXPIRY_MS;
    char *line = is_near ? next_hint(t) : NULL;
    if (!line) return;
    long long days = MAX(left_ms, (int64_t)0) / DAY_MS;
    (void)snprintf(
        line, ERR_MSG_BYTES,
        "The TLS certificate expires in %lld day%s: put a new one in its place, it is taken up at once.",
        days, days == 1 ? "" : "s");
}

/* Nobody is served over TCP. */
static bool is_shut(const struct api *api) {
    return !http_knows_users(api->http) && !auth_has_password(api->auth);
}

static void say_shut(const struct api *api, struct trouble *t) {
    char *line = is_shut(api) ? next_problem(t) : NULL;
    if (line)
        (void)snprintf(
            line, ERR_MSG_BYTES,
            "this system does not tell which user a connection is of, so that nobody is served over TCP without a "
            "password: ostler password set");
}

bool trouble_is_any(const struct api *api) {
    struct ingest_stats in;
    ingest_stats(api->ingest, &in);
    return api->stats->store_problem[0] || api->stats->certificate_problem[0] || in.last_error ||
           in.room_error || is_shut(api);
}

void trouble_look(const struct api *api, struct trouble *ret) {
    struct ingest_stats in;
    ingest_stats(api->ingest, &in);
    *ret = (struct trouble){0};
    losses_read(api->spool_dir, &ret->losses);
    losses_read(api->run_dir, &ret->losses);
    int cannot = spool_check(api->spool_dir);
    char *line = api->stats->store_problem[0] ? next_problem(ret) : NULL;
    if (line) (void)snprintf(line, ERR_MSG_BYTES, "%s", api->stats->store_problem);
    line = api->stats->certificate_problem[0] ? next_problem(ret) : NULL;
    if (line) (void)snprintf(line, ERR_MSG_BYTES, "%s", api->stats->certificate_problem);
    say_spool_error(api, &in, cannot, ret);
    say_room(api, &in, cannot, ret);
    say_shut(api, ret);
    say_expiry(api, ret);
    say_losses(api, ret);
    say_refused(api, ret);
}
