#define LOG_TAG "feed"
#include "app/feed.h"

#include "app/app.h"
#include "app/effects.h"
#include "app/inbox_glue.h"
#include "app/payload_log.h"
#include "app/terminals_glue.h"
#include "base/log.h"
#include "core/clock_set.h"
#include "core/deadline.h"

#include <errno.h>
#include <stdio.h>

/* What an event's arena may hold: the largest record with every byte escaped, and its strings decoded. */
enum { EVENT_ARENA_BYTES = 10 * SPOOL_RECORD_MAX, CATCH_UP_MS = 20 };
enum { AHEAD_MS = 2000 }; /* an event from later than this is not believed */

static void tell_set(int64_t by_ms) {
    log_info("the clock was set %s by %lld s: what waits goes on waiting for as long as before",
             by_ms < 0 ? "back" : "forward", (long long)((by_ms < 0 ? -by_ms : by_ms) / 1000));
}

/* The time, by which what the state knows is judged. Only where nothing is under way. */
static int64_t look_at_clock(struct app *app) {
    int64_t by_ms, now_ms = clock_step_now_ms(&app->step, app->clock, &by_ms);
    if (!by_ms) return now_ms;
    tell_set(by_ms);
    state_clock_set(&app->state, by_ms, &app->fx);
    effects_carry_out(app);
    broadcast_flush(&app->broadcast);
    return now_ms;
}

void feed_begin(struct app *app) {
    int64_t now_ms = look_at_clock(app), newest_ms = state_newest_ms(&app->state);
    if (newest_ms <= now_ms + CLOCK_STEP_MIN_MS) return;
    tell_set(now_ms - newest_ms);
    state_clock_set(&app->state, now_ms - newest_ms, &app->fx);
    effects_clear(&app->fx); /* nobody was told otherwise */
}

/* What an agent's event cost; the daemon's own records are not counted. */
static void measure(struct app *app, const struct event *ev, usec_t begun) {
    if (ev->kind->flags & EVENT_INTERNAL) return;
    usec_t now = clock_wall(app->clock), took = clock_mono(app->clock) - begun;
    hook_stats_note(&app->hook_stats, span_str(ev->kind->name), (double)(now - ev->sent_us) / 1000,
                    (double)took / 1000, usec_to_msec(now));
}

static void apply(struct app *app, const struct event *ev) {
    usec_t begun = clock_mono(app->clock);
    if (!apply_event(&app->state, ev, &app->arena, &app->fx)) {
        app->stats.duplicates++;
    } else if (!(ev->kind->flags & EVENT_INTERNAL)) {
        app->stats.applied++;
        app->stats.last_event_ms = app->stats.heard[ev->cli].event_ms = usec_to_msec(clock_wall(app->clock));
        if (ev->key.n) persist_key(&app->persist, ev->key, ev->at_ms);
    }
    effects_carry_out(app);
    measure(app, ev, begun);
}

/* Its clock was set back since, or is another: from then on everything of before would be long ago, and cards would go. */
static void come_now(struct event *ev, int64_t now_ms) {
    ev->at_ms = now_ms;
    ev->sent_us = now_ms * USEC_PER_MSEC;
}

static void on_record(void *user, uint64_t pos, struct span record) {
    struct app *app = user;
    app->arena.cap = EVENT_ARENA_BYTES;
    struct event ev;
    struct err err = {0};
    int64_t now_ms = look_at_clock(app);
    payload_log(app->redact, pos, record);
    int r = event_parse(record, pos, &app->arena, &ev, &err);
    if (r == 0) {
        if (ev.at_ms > now_ms + AHEAD_MS) come_now(&ev, now_ms);
        if (ev.pid_namespace && ev.pid_namespace != app->pid_namespace) event_forget_process(&ev);
        apply(app, &ev);
    } else if (r == -ENODATA) {
        app->stats.dropped++;
        log_warn("the spool grew past its cap while no daemon ran; its oldest events were given up");
    } else if (r == -ENOMSG) {
        char *probe = app->stats.heard[ev.cli].probe;
        (void)snprintf(probe, sizeof app->stats.heard[0].probe, "%.*s", SPAN_ARG(ev.session_id));
    } else if (r == -EMSGSIZE) {
        app->stats.oversized++;
        app->stats.refused_by[REFUSAL_TOO_LARGE]++;
        app->stats.refused_ms = now_ms;
        log_warn("an agent's event was larger than 8 MiB; its hook did not keep it");
    } else if (r == -EPIPE) {
        app->stats.torn++;
    } else {
        refused_note(&app->refused, pos, ev.refusal, err.msg, record);
        hook_stats_note_refused(&app->hook_stats, event_unknown_name(r, &err));
        log_debug("record at %llu refused: %s", (unsigned long long)pos, err.msg);
    }
    arena_reset(&app->arena);
}

static void on_turn_end(void *user, const struct spool_mark *mark) {
    struct app *app = user;
    broadcast_flush(&app->broadcast);
    stats_feed_news(&app->stats_feed);
    persist_turn(&app->persist, mark);
    feed_arm_deadline(app);
}

/* Only now the sessions are as they are, and not as they were when the last daemon ended. */
static void on_caught_up(void *user) {
    struct app *app = user;
    watch_all(&app->watch);
    state_files_begin(&app->state_files);
    records_begin(&app->records);
    plan_files_begin(&app->plan_files);
    terminals_glue_caught_up(app);
    inbox_glue_caught_up(app);
}

const struct ingest_ops feed_ops = {.record = on_record, .turn_end = on_turn_end, .caught_up = on_caught_up};

/* Deadlines fire in the order of events: as long as older records wait in the spool, those decide. A card that would
 * have been removed by the clock may have been revived in there. */
static void on_deadline(uv_timer_t *timer) {
    struct app *app = CONTAINER_OF(timer, struct app, deadline);
    if (!ingest_caught_up(app->ingest)) {
        (void)uv_timer_start(timer, on_deadline, CATCH_UP_MS, 0);
        return;
    }
    apply_time(&app->state, look_at_clock(app), &app->fx);
    effects_carry_out(app);
    broadcast_flush(&app->broadcast);
    persist_turn(&app->persist, NULL);
    feed_arm_deadline(app);
}

void feed_arm_deadline(struct app *app) {
    usec_t now = look_at_clock(app) * USEC_PER_MSEC, due = deadline_next(&app->state); /* in this order */
    if (due == USEC_NEVER || app->stopping) {
        (void)uv_timer_stop(&app->deadline);
        return;
    }
    usec_t left = MAX(due - now, 0);
    (void)uv_timer_start(&app->deadline, on_deadline, (uint64_t)(left / USEC_PER_MSEC) + 1, 0);
}
