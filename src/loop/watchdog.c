#include "loop/watchdog.h"

#define LOG_TAG "watchdog"

#include "base/cleanup.h"
#include "base/log.h"
#include "base/mem.h"
#include "loop/doing.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A large database that is brought to another schema is no reason to be ended. */
#define START_US (600 * USEC_PER_SEC)

_Atomic(const char *) loop_doing;

struct watchdog {
    const struct clock *clock;
    long loop_thread;
    usec_t every;
    void (*beat)(void);
    usec_t begun;
    uv_prepare_t turn;
    uv_async_t nudge;
    _Atomic uint64_t turns;
    uv_thread_t thread;
    uv_mutex_t lock; /* guards what follows */
    uv_cond_t wake;
    bool watches, ends;
    struct pulse pulse;
};

static void on_turn(uv_prepare_t *handle) {
    struct watchdog *w = handle->data;
    atomic_fetch_add_explicit(&w->turns, 1, memory_order_relaxed);
    doing(NULL);
}

/* What the kernel says of the loop's thread: the letter of its state; '?' when it says nothing. */
static char thread_state(const struct watchdog *w) {
    char path[64], text[512];
    (void)snprintf(path, sizeof path, "/proc/self/task/%ld/stat", w->loop_thread);
    AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (n <= 0) return '?';
    text[n] = '\0';
    const char *name_end = strrchr(text, ')');
    return name_end && name_end[1] == ' ' ? name_end[2] : '?';
}

static const char *state_words(char state) {
    switch (state) {
    case 'R': return "it computes";
    case 'D': return "it waits for a disk";
    case 'T':
    case 't': return "somebody has stopped it";
    case 'S': return "it waits for something";
    default: return "why is not known";
    }
}

static void tell(struct watchdog *w, enum pulse_news news) {
    const char *what = atomic_load_explicit(&loop_doing, memory_order_relaxed);
    if (news == PULSE_STALLED)
        log_warn("the daemon does not answer: its loop has not turned for %lld s; it was last at: %s; %s",
                 (long long)(PULSE_STALL_US / USEC_PER_SEC), what ? what : "nothing that has a name",
                 state_words(thread_state(w)));
    if (news == PULSE_GOES_ON)
        log_warn("the loop turns again, after %lld ms", (long long)usec_to_msec(w->pulse.last_stall));
}

/* With the lock held. A loop that waits for something to do turns when it is nudged: a moment later that must show. */
static enum pulse_news look(struct watchdog *w) {
    usec_t now = clock_mono(w->clock);
    if (!w->watches) return now - w->begun < START_US ? PULSE_TURNS : PULSE_STUCK;
    uint64_t turns = atomic_load_explicit(&w->turns, memory_order_relaxed);
    enum pulse_news news = pulse_look(&w->pulse, turns, now, usec_to_msec(clock_wall(w->clock)));
    (void)uv_async_send(&w->nudge);
    return news;
}

static void run(void *user) {
    struct watchdog *w = user;
    uv_mutex_lock(&w->lock);
    while (!w->ends) {
        (void)uv_cond_timedwait(&w->wake, &w->lock, (uint64_t)w->every * 1000);
        if (w->ends) break;
        enum pulse_news news = look(w);
        uv_mutex_unlock(&w->lock); /* a log that nobody reads must not hold up who asks for the figures */
        tell(w, news);
        if (w->beat && (news == PULSE_TURNS || news == PULSE_GOES_ON)) w->beat();
        uv_mutex_lock(&w->lock);
    }
    uv_mutex_unlock(&w->lock);
}

struct watchdog *watchdog_open(uv_loop_t *loop, const struct clock *clock, usec_t beat_us,
                               void (*beat)(void)) {
    struct watchdog *w = xcalloc(1, sizeof *w);
    *w = (struct watchdog){.clock = clock,
                           .loop_thread = syscall(SYS_gettid),
                           .every = beat_us ? MIN(beat_us, PULSE_LOOK_US) : PULSE_LOOK_US,
                           .beat = beat_us ? beat : NULL,
                           .begun = clock_mono(clock)};
    (void)uv_prepare_init(loop, &w->turn);
    w->turn.data = w;
    (void)uv_prepare_start(&w->turn, on_turn);
    (void)uv_async_init(loop, &w->nudge, NULL);
    uv_unref((uv_handle_t *)&w->turn);
    uv_unref((uv_handle_t *)&w->nudge);
    (void)uv_mutex_init(&w->lock);
    (void)uv_cond_init(&w->wake);
    if (uv_thread_create(&w->thread, run, w) < 0) {
        log_warn("there is no thread that could notice when the daemon hangs");
        w->ends = true;
    }
    return w;
}

void watchdog_watch(struct watchdog *w) {
    uv_mutex_lock(&w->lock);
    w->watches = true;
    pulse_begin(&w->pulse, clock_mono(w->clock));
    uv_mutex_unlock(&w->lock);
}

void watchdog_let_go(struct watchdog *w) {
    uv_mutex_lock(&w->lock);
    w->watches = false;
    w->begun = clock_mono(w->clock);
    uv_mutex_unlock(&w->lock);
    uv_close((uv_handle_t *)&w->turn, NULL);
    uv_close((uv_handle_t *)&w->nudge, NULL);
}

void watchdog_free(struct watchdog *w) {
    if (!w) return;
    uv_mutex_lock(&w->lock);
    bool has_thread = !w->ends;
    w->ends = true;
    uv_cond_signal(&w->wake);
    uv_mutex_unlock(&w->lock);
    if (has_thread) (void)uv_thread_join(&w->thread);
    uv_cond_destroy(&w->wake);
    uv_mutex_destroy(&w->lock);
    free(w);
}

struct pulse_stats watchdog_stats(struct watchdog *w) {
    if (!w) return (struct pulse_stats){0};
    uv_mutex_lock(&w->lock);
    struct pulse_stats stats = w->pulse.stats;
    uv_mutex_unlock(&w->lock);
    return stats;
}
