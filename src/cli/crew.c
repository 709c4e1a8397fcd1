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

/* Small files are taken by the armful: what is known already is looked up in no time, and a lock for each would cost more
 * than the work. */
enum { ARMFUL_ITEMS = 64, ARMFUL_BYTES = 1 << 20 };

/* An item that takes longer than this is worth a second thread; shorter ones would wait for each other at the database. */
enum { LONG_USEC = 100 };

struct hand {
    struct crew *crew;
    uint64_t before;  /* bytes of its armful that are done */
    uint64_t size;    /* of the file it is at, as it was counted in */
    uint64_t in_hand; /* all that it has done and not delivered */
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
    pthread_t threads[CREW_MAX]; /* of the hands but the first, which is the caller's */
    size_t have, want;           /* hands */
};

static void *work(void *user);

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

/* Calls the other hands, once; one that cannot be had is done without. */
static void call_hands(struct crew *c) {
    while (c->have < c->want && pthread_create(&c->threads[c->have], NULL, work, &c->hands[c->have]) == 0)
        c->have++;
    c->want = c->have;
}

static bool on_progress(void *user, uint64_t done, uint64_t total) {
    struct hand *h = user;
    (void)total;
    (void)pthread_mutex_lock(&h->crew->lock);
    /* Work may go through a file several times; the bar never goes back for it. */
    h->in_hand = MAX(h->in_hand, h->before + MIN(done, h->size));
    call_hands(h->crew);
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

/* How many items a hand takes now. */
static size_t armful(const struct crew *c) {
    size_t n = 0;
    for (uint64_t bytes = 0; c->next + n < c->job->count && n < ARMFUL_ITEMS && bytes < ARMFUL_BYTES; n++)
        bytes += c->job->size(c->job->user, c->next + n);
    return n;
}

/* Items from `first` on; their results go where nobody else looks until they are delivered. */
static void work_on(struct hand *h, size_t first, size_t count, void **ret_results) {
    const struct crew_job *job = h->crew->job;
    struct progress progress = {.fn = on_progress, .user = h};
    h->before = 0;
    for (size_t i = 0; i < count && !crew_is_stopped(); i++) {
        h->size = job->size(job->user, first + i);
        ret_results[i] = job->work(job->user, first + i, &progress);
        h->before += h->size;
    }
}

static void *work(void *user) {
    struct hand *h = user;
    struct crew *c = h->crew;
    (void)pthread_mutex_lock(&c->lock);
    while (c->next < c->job->count && !crew_is_stopped()) {
        size_t first = c->next, count = armful(c);
        void *results[ARMFUL_ITEMS] = {NULL};
        usec_t since = clock_mono(&clock_system);
        c->next += count;
        (void)pthread_mutex_unlock(&c->lock);
        work_on(h, first, count, results);
        (void)pthread_mutex_lock(&c->lock);
        memcpy(c->results + first, results, count * sizeof *results);
        c->finished += h->before;
        h->in_hand = 0;
        if (clock_mono(&clock_system) - since > (usec_t)count * LONG_USEC) call_hands(c);
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

int crew_run(const struct crew_job *job) {
    struct crew c = {.job = job, .lock = PTHREAD_MUTEX_INITIALIZER, .have = 1, .want = crew_size(job)};
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
    (void)work(&c.hands[0]);
    /* From here on nobody calls anybody: the first hand left because there is nothing more to take. */
    (void)pthread_mutex_lock(&c.lock);
    c.want = c.have;
    (void)pthread_mutex_unlock(&c.lock);
    for (size_t i = 1; i < c.have; i++)
        (void)pthread_join(c.threads[i], NULL);
    tell(&c, true);
    progress_bar_clear(&c.bar);
    (void)sigaction(SIGINT, &before, NULL);
    free(c.results);
    return crew_is_stopped() ? -ECANCELED : 0;
}
