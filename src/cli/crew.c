#include "cli/crew.h"

#include "base/mem.h"
#include "cli/progress.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_bool stopped;

struct crew;

struct hand {
    struct crew *crew;
    uint64_t in_hand; /* bytes done of its file */
    uint64_t size;    /* of its file, as it was counted in */
};

struct crew {
    const struct crew_job *job;
    pthread_mutex_t lock; /* over all that follows, and over tell() */
    size_t next;          /* the first item that nobody has taken */
    size_t told;          /* the first that was not told */
    void **results;
    uint64_t finished; /* bytes of files that are done */
    struct progress_bar bar;
    struct hand hands[CREW_MAX];
};

static void on_signal(int number) {
    (void)number;
    atomic_store(&stopped, true);
}

bool crew_is_stopped(void) {
    return atomic_load(&stopped);
}

static void show_progress(struct crew *c) {
    uint64_t done = c->finished;
    for (size_t i = 0; i < CREW_MAX; i++)
        done += c->hands[i].in_hand;
    progress_bar_show(&c->bar, done);
}

static bool on_progress(void *user, uint64_t done, uint64_t total) {
    struct hand *h = user;
    (void)total;
    (void)pthread_mutex_lock(&h->crew->lock);
    /* Work may go through a file several times; the bar never goes back for it. */
    h->in_hand = MAX(h->in_hand, MIN(done, h->size));
    show_progress(h->crew);
    (void)pthread_mutex_unlock(&h->crew->lock);
    return !crew_is_stopped();
}

/* Tells the results up to the first that is missing, or all that there are. */
static void tell(struct crew *c, bool all) {
    for (; c->told < c->job->count && (c->results[c->told] || all); c->told++) {
        if (!c->results[c->told]) continue;
        progress_bar_clear(&c->bar);
        c->job->tell(c->job->user, c->told, c->results[c->told]);
        c->results[c->told] = NULL;
    }
}

static void *work(void *user) {
    struct hand *h = user;
    struct crew *c = h->crew;
    const struct crew_job *job = c->job;
    struct progress progress = {.fn = on_progress, .user = h};
    (void)pthread_mutex_lock(&c->lock);
    while (c->next < job->count && !crew_is_stopped()) {
        size_t item = c->next++;
        h->size = job->size(job->user, item);
        (void)pthread_mutex_unlock(&c->lock);
        void *result = job->work(job->user, item, &progress);
        (void)pthread_mutex_lock(&c->lock);
        c->results[item] = result;
        c->finished += h->size;
        h->in_hand = 0;
        tell(c, false);
        show_progress(c);
    }
    (void)pthread_mutex_unlock(&c->lock);
    return NULL;
}

static size_t crew_size(const struct crew_job *job) {
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = MIN((size_t)MAX(cpus, 1), (size_t)CREW_MAX);
    return MIN(most, MAX(job->count, 1));
}

/* The caller is one of the hands. A thread that cannot be had is one hand less. */
static void work_together(struct crew *c) {
    size_t want = crew_size(c->job), have = 1;
    pthread_t threads[CREW_MAX];
    while (have < want && pthread_create(&threads[have], NULL, work, &c->hands[have]) == 0)
        have++;
    (void)work(&c->hands[0]);
    while (have > 1)
        (void)pthread_join(threads[--have], NULL);
}

int crew_run(const struct crew_job *job) {
    struct crew c = {.job = job, .lock = PTHREAD_MUTEX_INITIALIZER};
    c.results = xcalloc(MAX(job->count, 1), sizeof *c.results);
    uint64_t total = 0;
    for (size_t i = 0; i < job->count; i++)
        total += job->size(job->user, i);
    for (size_t i = 0; i < CREW_MAX; i++)
        c.hands[i].crew = &c;
    progress_bar_init(&c.bar, job->verb, total);

    /* The second Ctrl-C is not ours: whatever hangs can be left. */
    struct sigaction ours = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND}, before;
    atomic_store(&stopped, false);
    (void)sigaction(SIGINT, &ours, &before);
    work_together(&c);
    tell(&c, true);
    progress_bar_clear(&c.bar);
    (void)sigaction(SIGINT, &before, NULL);
    free(c.results);
    return crew_is_stopped() ? -ECANCELED : 0;
}
