/* The loop's handles around the reader: when to look. */
#define LOG_TAG "ingest"

#include "ingest/ingest.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/path.h"
#include "ingest/reader.h"
#include "loop/doing.h"
#include "spool/reserve.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

enum {
    BUSY_RETRY_MS = 2,   /* a writer's lock is held for microseconds, and its release makes no notice */
    BLIND_POLL_MS = 200, /* when the system has no file watch to give */
};

static void on_idle(uv_idle_t *idle);
static void on_poll(uv_timer_t *timer);

static void schedule(struct ingest *in) {
    if (!in->paused && !in->closing) (void)uv_idle_start(&in->idle, on_idle);
}

static void poll_in(struct ingest *in, uint64_t ms) {
    unsigned repeat = in->watching ? in->limits.poll_ms : MIN(in->limits.poll_ms, BLIND_POLL_MS);
    (void)uv_timer_start(&in->poll, on_poll, ms ? ms : repeat, repeat);
}

static void on_idle(uv_idle_t *idle) {
    struct ingest *in = idle->data;
    doing("events out of the spool");
    enum reader_next next = reader_turn(in);
    bool first_time = next == READER_WAIT && !in->ever_caught_up;
    in->caught_up = next == READER_WAIT;
    in->ever_caught_up |= in->caught_up;
    if (in->advanced && !in->closing) {
        in->advanced = false;
        in->ops->turn_end(in->user, &in->mark);
    }
    if (first_time && !in->closing && in->ops->caught_up) in->ops->caught_up(in->user);
    if (in->closing || next == READER_MORE) return;
    (void)uv_idle_stop(idle);
    if (next == READER_SOON) poll_in(in, BUSY_RETRY_MS);
}

static void on_notice(uv_fs_event_t *watch, const char *name UNUSED, int events, int status UNUSED);

/* Watches the directory that the path names now. */
static void watch_dir(struct ingest *in, const struct stat *st) {
    (void)uv_fs_event_stop(&in->watch);
    int r = uv_fs_event_start(&in->watch, on_notice, in->dir, 0);
    if (r < 0 && r != UV_ENOENT)
        log_warn("cannot watch %s (%s): looking every %d ms instead", in->dir, uv_strerror(r), BLIND_POLL_MS);
    in->watching = r == 0;
    in->watched_dev = st->st_dev;
    in->watched_ino = st->st_ino;
    poll_in(in, 0);
}

/* Sees to it that the directory is there and is the one being watched. */
static void check_dir(struct ingest *in) {
    struct stat st;
    int r = stat(in->dir, &st) < 0 ? -errno : 0;
    if (r == -ENOENT && path_make_dirs(in->dir) == 0) r = stat(in->dir, &st) < 0 ? -errno : 0;
    if (r == 0 && (st.st_dev != in->watched_dev || st.st_ino != in->watched_ino)) watch_dir(in, &st);
}

static void on_notice(uv_fs_event_t *watch, const char *name UNUSED, int events, int status UNUSED) {
    struct ingest *in = watch->data;
    if (in->closing) return;
    if (events & UV_RENAME) check_dir(in);
    schedule(in);
}

static void on_poll(uv_timer_t *timer) {
    struct ingest *in = timer->data;
    check_dir(in);
    schedule(in);
}

int ingest_open_within(uv_loop_t *loop, const char *dir, const struct spool_mark *start,
                       const struct ingest_limits *limits, const struct ingest_ops *ops, void *user,
                       struct ingest **ret, struct err *err) {
    int r = path_make_dirs(dir);
    /* On a full disk it is made later. */
    if (r < 0 && r != -ENOSPC && r != -EDQUOT && r != -EROFS)
        return err_sys(err, r, "cannot create the spool directory %s", dir);
    struct ingest *in = xcalloc(1, sizeof *in);
    *in = (struct ingest){
        .limits = *limits,
        .ops = ops,
        .user = user,
        .dir = xstrdup(dir),
        .mark = *start,
        .next_base = spool_mark_position(start),
        .source.fd = -1,
        .room.wanted = limits->room_bytes,
        .buf = BUF_INIT(2 * (limits->record_max + READER_CHUNK_BYTES)),
    };
    (void)snprintf(in->room.dir, sizeof in->room.dir, "%s", dir);
    /* These three cannot fail on a system that has the loop itself. */
    (void)uv_fs_event_init(loop, &in->watch);
    (void)uv_timer_init(loop, &in->poll);
    (void)uv_idle_init(loop, &in->idle);
    in->watch.data = in->poll.data = in->idle.data = in;
    in->handles_open = 3;
    poll_in(in, 0);
    check_dir(in);
    schedule(in);
    *ret = in;
    return 0;
}

int ingest_open(uv_loop_t *loop, const char *dir, const struct spool_mark *start,
                const struct ingest_ops *ops, void *user, struct ingest **ret, struct err *err) {
    return ingest_open_within(loop, dir, start, &ingest_limits_default, ops, user, ret, err);
}

void ingest_release(struct ingest *in) {
    if (--in->handles_open) return;
    source_close(&in->source);
    sealed_list_fini(&in->done);
    buf_fini(&in->buf);
    free(in->dir);
    free(in);
}

static void on_close(uv_handle_t *handle) {
    ingest_release(handle->data);
}

void ingest_close(struct ingest *in) {
    if (in->closing) return;
    in->closing = true;
    uv_close((uv_handle_t *)&in->watch, on_close);
    uv_close((uv_handle_t *)&in->poll, on_close);
    uv_close((uv_handle_t *)&in->idle, on_close);
}

void ingest_pause(struct ingest *in, bool paused) {
    if (in->closing || in->paused == paused) return;
    in->paused = paused;
    if (paused)
        (void)uv_idle_stop(&in->idle);
    else
        schedule(in);
}

void ingest_poke(struct ingest *in) {
    schedule(in);
}

bool ingest_caught_up(const struct ingest *in) {
    return in->caught_up;
}

/* In the segment that hooks write to now. */
static uint64_t room_left(const struct ingest *in) {
    char path[PATH_BYTES];
    struct stat st;
    if (path_join(path, in->dir, SPOOL_ACTIVE) < 0 || lstat(path, &st) < 0) return 0;
    return reserve_left(&st);
}

void ingest_stats(const struct ingest *in, struct ingest_stats *ret) {
    *ret = in->stats;
    ret->position = in->source.fd >= 0 ? in->source.base + in->source.off : in->next_base;
    ret->partial = in->skipping || ingest_unread(in).n > 0;
    ret->room_error = in->room.error == -EOPNOTSUPP ? 0 : in->room.error;
    ret->room = room_left(in);
}
