#define LOG_TAG "repair"
#include "app/mend_queue.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "repair/claude.h"
#include "store/transcript_db.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* One file on the pool. */
struct job {
    struct list in_queue;
    uv_work_t work;
    struct mend_queue *queue;
    struct order_item *item;
    bool disk, large; /* as it was taken, for the counts */
    bool stop_hook;
    char *hint;            /* where the transcript is said to be; NULL: unknown */
    char path[PATH_BYTES]; /* where it is */
    int result;
    struct mender_outcome outcome;
    atomic_bool cancelled;
};

struct mend_wait {
    struct list in_item;
    struct mend_queue *queue;
    uv_timer_t timer;
    mend_wait_fn *done;
    void *user;
};

static void start_more(struct mend_queue *q);

/* On the pool */

/* A path that somebody names is believed only for a file of that session below Claude Code's own directory. */
static bool is_plausible(const struct job *job, const char *path) {
    char projects[PATH_BYTES];
    if (!path || claude_projects(projects) < 0) return false;
    struct stat st;
    return strlen(path) < PATH_BYTES && claude_holds(projects, path) &&
           span_ends(span_str(path), SPAN(".jsonl")) &&
           span_eq_str(claude_session_of(span_str(path)), job->item->session_id) &&
           transcript_stat(path, projects, &st) != -ENOENT;
}

static bool find_file(struct job *job) {
    char projects[PATH_BYTES], known[PATH_BYTES];
    struct span id = span_str(job->item->session_id);
    if (is_plausible(job, job->hint)) {
        (void)snprintf(job->path, sizeof job->path, "%s", job->hint);
        return true;
    }
    if (transcript_db_path(mender_db(job->queue->mender), id, known) == 1 && is_plausible(job, known)) {
        memcpy(job->path, known, sizeof known);
        return true;
    }
    return claude_is_session_id(id) && claude_projects(projects) == 0 &&
           claude_find(projects, id, job->path) == 0;
}

static bool on_progress(void *user, uint64_t done UNUSED, uint64_t total UNUSED) {
    struct job *job = user;
    return !atomic_load_explicit(&job->cancelled, memory_order_relaxed);
}

static void on_pool(uv_work_t *work) {
    struct job *job = CONTAINER_OF(work, struct job, work);
    struct stat st;
    char projects[PATH_BYTES];
    if (claude_projects(projects) < 0 || !find_file(job)) {
        job->path[0] = '\0';
        job->outcome =
            (struct mender_outcome){.scan = {.status = TRANSCRIPT_MISSING}, .mend = {.status = MEND_FAILED}};
        return;
    }
    if (!job->large && transcript_stat(job->path, projects, &st) == 0 && st.st_size >= MEND_LARGE_BYTES) {
        job->result = -EFBIG;
        return;
    }
    struct mender_options options = {.root = projects,
                                     .stop_hook = job->stop_hook,
                                     .only_settled = true,
                                     .now_ms = usec_to_msec(clock_wall(&clock_system))};
    struct progress progress = {on_progress, job};
    job->result = mender_file(job->queue->mender, job->path, &options, &progress, &job->outcome);
}

/* On the loop: those who wait */

static void on_wait_closed(uv_handle_t *handle) {
    free(CONTAINER_OF(handle, struct mend_wait, timer));
}

static void wait_close(struct mend_wait *w) {
    list_remove(&w->in_item);
    list_init(&w->in_item);
    uv_close((uv_handle_t *)&w->timer, on_wait_closed);
}

static void wait_end(struct mend_wait *w, int result, const struct mend_news *news) {
    wait_close(w);
    w->done(w->user, result, news);
}

static void on_wait_timeout(uv_timer_t *timer) {
    wait_end(CONTAINER_OF(timer, struct mend_wait, timer), -ETIMEDOUT, NULL);
}

static void on_wait_in_vain(uv_timer_t *timer) {
    wait_end(CONTAINER_OF(timer, struct mend_wait, timer), -ECANCELED, NULL);
}

static void answer(struct order_item *item, int result, const struct mend_news *news) {
    while (!list_empty(&item->waiters))
        wait_end(list_entry(item->waiters.next, struct mend_wait, in_item), result, news);
}

void mend_wait_cancel(struct mend_wait *w) {
    wait_close(w);
}

/* On the loop: files */

static void on_retry(uv_timer_t *timer);

static void arm_retry(struct mend_queue *q) {
    uint64_t due = UINT64_MAX, now = uv_now(q->loop);
    list_for_each(pos, &q->later)
        due = MIN(due, list_entry(pos, struct order_item, in_order)->due);
    if (due != UINT64_MAX) (void)uv_timer_start(&q->retry, on_retry, due > now ? due - now : 0, 0);
}

static void retry_now(struct mend_queue *q, struct order_item *item) {
    list_remove(&item->in_order);
    item->due = 0;
    order_put_back(&q->order, item, false);
}

static void on_retry(uv_timer_t *timer) {
    struct mend_queue *q = CONTAINER_OF(timer, struct mend_queue, retry);
    list_for_each_safe(pos, &q->later) {
        struct order_item *item = list_entry(pos, struct order_item, in_order);
        if (item->due <= uv_now(q->loop)) retry_now(q, item);
    }
    arm_retry(q);
    start_more(q);
}

/* Somebody writes to it: later, and the longer that lasts the later. */
static void try_later(struct mend_queue *q, struct order_item *item) {
    uint64_t delay = MIN((uint64_t)MEND_RETRY_MS << MIN(item->tries, 16U), (uint64_t)MEND_RETRY_MAX_MS);
    item->tries++;
    item->due = uv_now(q->loop) + delay;
    list_append(&q->later, &item->in_order);
    arm_retry(q);
}

static void tell(struct mend_queue *q, struct job *job, bool waits) {
    struct mend_news news = {.session_id = span_str(job->item->session_id),
                             .path = job->path[0] ? job->path : NULL,
                             .waits = waits,
                             .outcome = job->outcome};
    q->ops->news(q->user, &news);
    /* Who waits has asked for more than a look at a lower priority does: that is still to come. */
    if (!waits && job->item->again == MEND_PRIORITY_N_) answer(job->item, 0, &news);
}

static void finish(struct mend_queue *q, struct job *job) {
    struct order_item *item = job->item;
    if (q->closing) {
        answer(item, -ECANCELED, NULL);
        (void)order_done(&q->order, item);
    } else if (job->result == -EFBIG) {
        order_put_back(&q->order, item, true);
    } else if (job->result == -EAGAIN) {
        /* Once is enough: nothing has changed until it is mended. */
        if (item->tries == 0) tell(q, job, true);
        try_later(q, item);
    } else {
        if (job->result < 0) {
            job->outcome.mend.status = MEND_FAILED;
            log_warn("%s: %s", item->session_id, job->outcome.err.msg);
        }
        tell(q, job, false);
        (void)order_done(&q->order, item);
    }
}

static void on_done(uv_work_t *work, int status UNUSED) {
    struct job *job = CONTAINER_OF(work, struct job, work);
    struct mend_queue *q = job->queue;
    q->running--;
    q->running_disk -= job->disk;
    q->running_large -= job->large;
    list_remove(&job->in_queue);
    q->unsaved |= !job->outcome.cached;
    finish(q, job);
    free(job->hint);
    free(job);
    start_more(q);
}

/* When there is nothing left to do, the last verdicts must not wait for more to come. */

struct save {
    uv_work_t work;
    struct mender *mender;
};

static void on_save(uv_work_t *work) {
    mender_flush(CONTAINER_OF(work, struct save, work)->mender);
}

static void on_saved(uv_work_t *work, int status UNUSED) {
    free(CONTAINER_OF(work, struct save, work));
}

static void save(struct mend_queue *q) {
    struct save *s = xcalloc(1, sizeof *s);
    s->mender = q->mender;
    q->unsaved = false;
    (void)uv_queue_work(q->loop, &s->work, on_save, on_saved);
}

static struct order_item *take_next(struct mend_queue *q) {
    if (q->closing || q->running >= MEND_AT_ONCE) return NULL;
    enum mend_priority least = q->running_disk < MEND_DISK_AT_ONCE ? MEND_DISK : MEND_BACKGROUND;
    struct order_item *item = order_take(&q->order, false, least);
    if (!item && q->running_large == 0) item = order_take(&q->order, true, least);
    return item;
}

static void start_more(struct mend_queue *q) {
    for (struct order_item *item; (item = take_next(q));) {
        struct job *job = xcalloc(1, sizeof *job);
        job->queue = q;
        job->item = item;
        job->disk = item->priority == MEND_DISK;
        job->large = item->large;
        job->stop_hook = item->priority == MEND_ACTIVE;
        job->hint = item->path ? xstrdup(item->path) : NULL;
        q->running++;
        q->running_disk += job->disk;
        q->running_large += job->large;
        list_append(&q->jobs, &job->in_queue);
        (void)uv_queue_work(q->loop, &job->work, on_pool, on_done);
    }
    if (q->running == 0 && q->unsaved && !q->closing) save(q);
}

/* Adds it, and lets one that waits for its writer be tried at once. */
static struct order_item *add(struct mend_queue *q, struct span session_id, const char *path,
                              enum mend_priority priority) {
    struct order_item *item = order_add(&q->order, session_id, path, false, priority);
    if (item->due && priority < MEND_DISK) retry_now(q, item);
    return item;
}

/* Without a database nothing is known and nothing is done, and that is an answer, too. */
static void tell_helpless(struct mend_queue *q, struct span session_id) {
    struct mend_news news = {
        .session_id = session_id,
        .outcome = {.scan = {.status = TRANSCRIPT_UNREADABLE}, .mend = {.status = MEND_FAILED}}};
    (void)err_set(&news.outcome.err, -ENODEV, "Transcripts are not looked after: the daemon's log says why.");
    q->ops->news(q->user, &news);
}

void mend_queue_look(struct mend_queue *q, struct span session_id, const char *path,
                     enum mend_priority priority) {
    if (q->closing) return;
    if (!q->mender) {
        tell_helpless(q, session_id);
        return;
    }
    (void)add(q, session_id, path, priority);
    start_more(q);
}

struct mend_wait *mend_queue_wait(struct mend_queue *q, struct span session_id, const char *path,
                                  uint64_t timeout_ms, mend_wait_fn *done, void *user) {
    struct mend_wait *w = xcalloc(1, sizeof *w);
    w->queue = q;
    w->done = done;
    w->user = user;
    list_init(&w->in_item);
    (void)uv_timer_init(q->loop, &w->timer);
    if (!q->mender || q->closing) {
        (void)uv_timer_start(&w->timer, on_wait_in_vain, 0, 0);
        return w;
    }
    struct order_item *item = add(q, session_id, path, MEND_ACTIVE);
    list_append(&item->waiters, &w->in_item);
    (void)uv_timer_start(&w->timer, on_wait_timeout, timeout_ms, 0);
    start_more(q);
    return w;
}

/* The whole disk */

struct walk {
    uv_work_t work;
    struct mend_queue *queue;
    bool archives; /* copies are kept, so that those that are healthy matter too */
    atomic_bool cancelled;
    struct buf found; /* paths, each with its NUL and a byte that says whether it is large */
};

static int on_file(void *user, const char *path, const struct file_mark *mark) {
    struct walk *walk = user;
    struct scan_verdict known;
    if (transcript_db_get(mender_db(walk->queue->mender), path, mark, &known) == 1 &&
        known.status == TRANSCRIPT_HEALTHY && !walk->archives)
        return 0;
    if (buf_append_char(&walk->found, mark->size >= MEND_LARGE_BYTES ? 'L' : 'S') < 0 ||
        buf_append(&walk->found, path, strlen(path) + 1) < 0)
        return -ENOMEM;
    return atomic_load_explicit(&walk->cancelled, memory_order_relaxed) ? -ECANCELED : 0;
}

static void on_walk(uv_work_t *work) {
    struct walk *walk = CONTAINER_OF(work, struct walk, work);
    char projects[PATH_BYTES];
    if (claude_projects(projects) < 0) return;
    walk->archives = mender_archives(walk->queue->mender);
    (void)claude_each(projects, on_file, walk);
    int pruned = mender_prune(walk->queue->mender, usec_to_msec(clock_wall(&clock_system)));
    if (pruned > 0) log_info("removed %d backups older than 30 days", pruned);
}

static void on_walked(uv_work_t *work, int status UNUSED) {
    struct walk *walk = CONTAINER_OF(work, struct walk, work);
    struct mend_queue *q = walk->queue;
    size_t count = 0;
    for (struct span rest = buf_span(&walk->found); rest.n && !q->closing; count++) {
        const char *path = rest.p + 1;
        struct span session_id = claude_session_of(span_str(path));
        (void)order_add(&q->order, session_id, path, rest.p[0] == 'L', MEND_DISK);
        rest = span_skip(rest, strlen(path) + 2);
    }
    if (count) log_debug("%zu transcripts to look at", count);
    buf_fini(&walk->found);
    free(walk);
    q->walk = NULL;
    start_more(q);
}

void mend_queue_walk(struct mend_queue *q) {
    enum { FOUND_BYTES_MAX = 256 << 20 };
    if (!q->mender || q->walk) return;
    struct walk *walk = xcalloc(1, sizeof *walk);
    walk->queue = q;
    walk->found = BUF_INIT(FOUND_BYTES_MAX);
    q->walk = walk;
    (void)uv_queue_work(q->loop, &walk->work, on_walk, on_walked);
}

/* From beginning to end */

void mend_queue_open(struct mend_queue *q, uv_loop_t *loop, const char *state_dir,
                     const struct mend_queue_ops *ops, void *user) {
    struct err err;
    *q = (struct mend_queue){.loop = loop, .ops = ops, .user = user};
    order_init(&q->order);
    list_init(&q->jobs);
    list_init(&q->later);
    (void)uv_timer_init(loop, &q->retry);
    if (mender_open(state_dir, &q->mender, &err) < 0) {
        q->mender = NULL;
        log_warn("transcripts are not looked after: %s", err.msg);
    }
}

void mend_queue_close(struct mend_queue *q) {
    q->closing = true;
    uv_close((uv_handle_t *)&q->retry, NULL);
    list_for_each(pos, &q->jobs)
        atomic_store_explicit(&list_entry(pos, struct job, in_queue)->cancelled, true, memory_order_relaxed);
    if (q->walk) atomic_store_explicit(&q->walk->cancelled, true, memory_order_relaxed);
    MAP_FOR_EACH(slot, &q->order.items)
        answer(slot->value, -ECANCELED, NULL);
}

void mend_queue_free(struct mend_queue *q) {
    order_fini(&q->order);
    mender_close(q->mender);
}
