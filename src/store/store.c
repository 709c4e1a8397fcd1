/*
 * The writer thread. It has two jobs at most, one batch and one checkpoint, each tried until it succeeds: a
 * checkpoint that a long reader holds up does not hold up commits. The connection belongs to the thread from the
 * first job on; before that `store_load` uses it.
 */
#include "store/store.h"

#include "base/mem.h"
#include "store/batch.h"
#include "store/load.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

enum { RETRY_FIRST_MS = 100, RETRY_MAX_MS = 5000 };

enum job_kind { JOB_BATCH, JOB_CHECKPOINT, JOB_N_ };

struct job {
    bool pending;
    struct store_batch *batch;
    store_done_fn *done;
    void *user;
    usec_t due; /* by the monotonic clock */
    usec_t delay;
};

struct store {
    struct db *db; /* NULL while it cannot be opened again */
    char *file;
    struct post *mail;
    pthread_t thread;
    pthread_mutex_t lock; /* for the rest */
    pthread_cond_t wake;
    struct job jobs[JOB_N_];
    bool closing;
};

/* The outcome of a try on its way to the loop. It knows nothing of the store, which may be closed by then. */
struct report {
    struct post_item item;
    store_done_fn *done;
    void *user;
    struct err err;
};

static void on_report(struct post_item *item) {
    struct report *r = CONTAINER_OF(item, struct report, item);
    r->done(r->user, r->err.code, r->err.msg);
    free(r);
}

static void send_report(struct store *s, const struct job *job, const struct err *err) {
    struct report *r = xmalloc(sizeof *r);
    *r = (struct report){.item = {.run = on_report}, .done = job->done, .user = job->user, .err = *err};
    post_send(s->mail, &r->item);
}

/* The job to do now, or NULL and when the next one is due. A store that closes waits for nothing. */
static struct job *pick(struct store *s, usec_t *ret_due) {
    usec_t now = clock_mono(&clock_system);
    *ret_due = USEC_NEVER;
    for (size_t i = 0; i < JOB_N_; i++) {
        struct job *job = &s->jobs[i];
        if (!job->pending) continue;
        if (s->closing || job->due <= now) return job;
        *ret_due = MIN(*ret_due, job->due);
    }
    return NULL;
}

static void wait_until(struct store *s, usec_t due) {
    if (due == USEC_NEVER) {
        (void)pthread_cond_wait(&s->wake, &s->lock);
        return;
    }
    struct timespec at = {.tv_sec = due / USEC_PER_SEC, .tv_nsec = due % USEC_PER_SEC * 1000};
    (void)pthread_cond_timedwait(&s->wake, &s->lock, &at);
}

/* After the try: frees the place of the job, so that `done` may fill it again, or sets the time of the next one. */
static void settle(struct store *s, struct job *job, const struct err *err) {
    struct job was = *job;
    if (err->code == 0 || s->closing) {
        store_batch_free(job->batch);
        *job = (struct job){0};
    } else {
        job->due = clock_mono(&clock_system) + job->delay;
        job->delay = MIN(job->delay * 2, RETRY_MAX_MS * USEC_PER_MSEC);
    }
    send_report(s, &was, err);
}

static bool is_disk_trouble(int error) {
    return error == -ENOSPC || error == -EDQUOT || error == -EROFS;
}

/* Full and read-only disks do not keep what is there from being served. */
static int open_db(const char *file, struct db **ret, struct err *err) {
    int r = db_open(file, &session_schema, ret, err);
    struct err second = {0};
    if (is_disk_trouble(r) && db_open_makeshift(file, &session_schema, ret, &second) == 0) return 0;
    return r;
}

/* A database that was opened as well as could be is opened properly as soon as that works. */
static int refresh(struct store *s, struct err *err) {
    if (s->db && !s->db->makeshift) return 0;
    db_close(s->db);
    s->db = NULL;
    return open_db(s->file, &s->db, err);
}

static void do_job(struct store *s, const struct job *job, struct err *err) {
    if (refresh(s, err) < 0) return;
    if (job->batch)
        (void)batch_commit(s->db, job->batch, err);
    else
        (void)db_checkpoint(s->db, err);
}

static void *run(void *user) {
    struct store *s = user;
    (void)pthread_mutex_lock(&s->lock);
    for (;;) {
        usec_t due;
        struct job *job = pick(s, &due);
        if (!job && s->closing) break;
        if (!job) {
            wait_until(s, due);
            continue;
        }
        (void)pthread_mutex_unlock(&s->lock);
        struct err err = {0};
        do_job(s, job, &err);
        (void)pthread_mutex_lock(&s->lock);
        settle(s, job, &err);
    }
    (void)pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* Signals are the loop thread's. */
static int start_thread(struct store *s) {
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    int r = pthread_create(&s->thread, NULL, run, s);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return -r;
}

static void destroy(struct store *s) {
    db_close(s->db);
    free(s->file);
    (void)pthread_cond_destroy(&s->wake);
    (void)pthread_mutex_destroy(&s->lock);
    free(s);
}

int store_open(const char *file, struct post *mail, struct store **ret, struct err *err) {
    struct db *db;
    int r = open_db(file, &db, err);
    if (r < 0) return r;

    struct store *s = xcalloc(1, sizeof *s);
    s->db = db;
    s->file = xstrdup(file);
    s->mail = mail;
    (void)pthread_mutex_init(&s->lock, NULL);
    pthread_condattr_t attr;
    (void)pthread_condattr_init(&attr);
    (void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&s->wake, &attr);
    (void)pthread_condattr_destroy(&attr);

    r = start_thread(s);
    if (r < 0) {
        destroy(s);
        return err_sys(err, r, "The thread that writes the database cannot be started");
    }
    *ret = s;
    return 0;
}

void store_close(struct store *s) {
    if (!s) return;
    (void)pthread_mutex_lock(&s->lock);
    s->closing = true;
    (void)pthread_cond_signal(&s->wake);
    (void)pthread_mutex_unlock(&s->lock);
    (void)pthread_join(s->thread, NULL);
    destroy(s);
}

int store_load(struct store *s, struct state *st, struct store_meta *ret, struct err *err) {
    return load_state(s->db, st, ret, err);
}

static void start_job(struct store *s, enum job_kind kind, struct job job) {
    job.pending = true;
    job.delay = RETRY_FIRST_MS * USEC_PER_MSEC;
    (void)pthread_mutex_lock(&s->lock);
    assert(!s->jobs[kind].pending);
    s->jobs[kind] = job;
    (void)pthread_cond_signal(&s->wake);
    (void)pthread_mutex_unlock(&s->lock);
}

void store_submit(struct store *s, struct store_batch *b, store_done_fn *done, void *user) {
    start_job(s, JOB_BATCH, (struct job){.batch = b, .done = done, .user = user});
}

void store_checkpoint(struct store *s, store_done_fn *done, void *user) {
    start_job(s, JOB_CHECKPOINT, (struct job){.done = done, .user = user});
}
