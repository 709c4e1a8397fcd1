#define LOG_TAG "watch"
#include "app/watch.h"

#include "app/search.h"
#include "base/cleanup.h"
#include "base/log.h"
#include "base/mem.h"
#include "platform/pidfd.h"
#include "platform/proc.h"

#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

/* A process' descriptor on the loop. It outlives what it belongs to until the loop lets go of it. */
struct hold {
    uv_poll_t poll;
    int fd;
    struct watched *of;
};

/* What is known of one session's process. */
struct watched {
    struct watch *watch;
    struct list in_list; /* watch.slow or watch.lost, or none */
    struct hold *hold;   /* NULL: in a list, or dead and told */
    int64_t pid;         /* 0: lost */
    uint64_t start;
    enum probe why;       /* what its death will be reported as */
    int64_t found_pid;    /* told already as the process of a lost one: not every 15 s again */
    uint64_t found_start; /* with it */
    char session[ID_BYTES];
};

/* Holding on to a process */

static void on_hold_closed(uv_handle_t *handle) {
    free(CONTAINER_OF(handle, struct hold, poll));
}

static void let_go(struct watched *e) {
    if (!e->hold) return;
    uv_close((uv_handle_t *)&e->hold->poll, on_hold_closed);
    (void)close(e->hold->fd); /* the loop has taken it out of its set by now */
    e->hold = NULL;
    e->watch->held--;
}

/* It has ended. What cannot be told now is told when the slow ones are looked at. */
static void died(struct watched *e) {
    struct probe_finding f = {.session = e->session, .what = e->why, .pid = e->pid};
    if (probe_report(e->watch->notes, &f) == 0)
        list_remove(&e->in_list);
    else if (list_empty(&e->in_list))
        list_append(&e->watch->slow, &e->in_list);
}

static void follow(struct watched *e);
static void on_timer(uv_timer_t *timer);

static void arm(struct watch *w) {
    if (list_empty(&w->slow) && list_empty(&w->lost))
        (void)uv_timer_stop(&w->timer);
    else if (!uv_is_active((uv_handle_t *)&w->timer))
        (void)uv_timer_start(&w->timer, on_timer, w->every_ms, w->every_ms);
}

static void on_end(uv_poll_t *poll, int status, int events) {
    (void)events;
    struct watched *e = CONTAINER_OF(poll, struct hold, poll)->of;
    let_go(e);
    if (status < 0)
        follow(e); /* the loop has trouble, not the process */
    else
        died(e);
    arm(e->watch);
}

static int take_hold(struct watched *e) {
    struct watch *w = e->watch;
    if (w->held >= w->held_max) return -EMFILE;
    AUTO(fd) int fd = pidfd_hold(e->pid, e->start);
    if (fd < 0) return fd;
    AUTO(free) struct hold *h = xmalloc(sizeof *h);
    int r = uv_poll_init(w->loop, &h->poll, fd);
    if (r < 0) return r;
    (void)uv_poll_start(&h->poll, UV_READABLE, on_end);
    h->fd = TAKE_FD(fd);
    h->of = e;
    e->hold = TAKE(h);
    w->held++;
    return 0;
}

/* Watches a process in the best way there is, or finds that it has ended. */
static void follow(struct watched *e) {
    int r = take_hold(e);
    if (r == -ESRCH || (r < 0 && !proc_alive(e->pid, e->start))) {
        died(e);
        return;
    }
    e->why = PROBE_EXIT; /* it lives: if it ends, it ends under our eyes */
    if (r == 0) {
        list_remove(&e->in_list);
    } else if (list_empty(&e->in_list)) {
        log_debug("process %lld is looked at every %llu ms: %s", (long long)e->pid,
                  (unsigned long long)e->watch->every_ms, strerror(-r));
        list_append(&e->watch->slow, &e->in_list);
    }
}

/* Looking for those that are lost */

static void tell_found(struct watched *e, const struct search_want *want) {
    if (!want->pid || (want->pid == e->found_pid && want->start == e->found_start)) return;
    struct probe_finding f = {
        .session = e->session, .what = PROBE_FIND, .pid = want->pid, .start = want->start, .alive = true};
    if (probe_report(e->watch->notes, &f) < 0) return;
    e->found_pid = want->pid;
    e->found_start = want->start;
}

static void drop(struct watched *e) {
    let_go(e);
    list_remove(&e->in_list);
    (void)map_remove(&e->watch->by_session, span_str(e->session));
    free(e);
}

/* What is wanted for the lost ones; those whose session is gone from the board are dropped. */
static size_t list_lost(struct watch *w, struct search_want *ret) {
    size_t n = 0;
    list_for_each_safe(i, &w->lost) {
        struct watched *e = list_entry(i, struct watched, in_list);
        const struct worker *worker = state_find(w->state, span_str(e->session));
        if (worker)
            ret[n++] = (struct search_want){.session = worker->session, .user = e};
        else
            drop(e);
    }
    return n;
}

static void match_lost(struct watch *w, struct search *search) {
    size_t room = 0;
    list_for_each(i, &w->lost)
        room++;
    if (room == 0) return;
    AUTO(free) struct search_want *wants = xcalloc(room, sizeof *wants);
    size_t n = list_lost(w, wants);
    search_match(search, w->state, usec_to_msec(clock_wall(w->notes->clock)), wants, n);
    for (size_t i = 0; i < n; i++)
        tell_found(wants[i].user, &wants[i]);
}

/* A look at all processes, while the loop goes on. */
struct watch_look {
    uv_work_t work;
    struct watch *watch; /* NULL: it has closed meanwhile */
    struct search *search;
    int result;
};

static void on_pool(uv_work_t *work) {
    struct watch_look *look = CONTAINER_OF(work, struct watch_look, work);
    look->result = search_look(look->search);
}

static void on_looked(uv_work_t *work, int status UNUSED) {
    struct watch_look *look = CONTAINER_OF(work, struct watch_look, work);
    struct watch *w = look->watch;
    if (w) w->look = NULL;
    if (look->result < 0) log_debug("cannot look for agents' processes: %s", strerror(-look->result));
    if (w && look->result == 0) match_lost(w, look->search);
    search_free(look->search);
    free(look);
}

static void search_lost(struct watch *w) {
    if (w->look || list_empty(&w->lost)) return;
    struct watch_look *look = xcalloc(1, sizeof *look);
    look->watch = w;
    look->search = search_new();
    look->result = -ECANCELED;
    w->look = look;
    (void)uv_queue_work(w->loop, &look->work, on_pool, on_looked);
}

static void on_timer(uv_timer_t *timer) {
    struct watch *w = CONTAINER_OF(timer, struct watch, timer);
    list_for_each_safe(i, &w->slow)
        follow(list_entry(i, struct watched, in_list));
    search_lost(w);
    arm(w);
}

/* Sessions */

static void add(struct watch *w, const struct session *s, enum probe why) {
    const struct conversation *c = &s->primary->conversation;
    struct watched *e = xcalloc(1, sizeof *e);
    e->watch = w;
    list_init(&e->in_list);
    e->pid = c->pid;
    e->start = c->pid_start;
    e->why = why;
    memcpy(e->session, s->id, sizeof e->session);
    (void)map_put(&w->by_session, span_str(e->session), e);
    if (e->pid)
        follow(e);
    else
        list_append(&w->lost, &e->in_list);
}

/* An agent that is only about to begin has no process that one could look for. */
static bool is_watchable(const struct session *s) {
    if (!s->primary || s->primary->type != WORKER_TYPE_AGENT) return false;
    const struct conversation *c = &s->primary->conversation;
    return c->status != SESSION_STATUS_ENDED && (c->pid || c->status != SESSION_STATUS_CONNECTING);
}

static void look(struct watch *w, const struct session *s, enum probe why) {
    struct watched *e = map_get(&w->by_session, span_str(s->id));
    bool wanted = is_watchable(s);
    const struct conversation *c = wanted ? &s->primary->conversation : NULL;
    if (e && c && e->pid == c->pid && (e->start == c->pid_start || c->pid == 0)) return;
    if (e) drop(e);
    if (wanted) add(w, s, why);
    arm(w);
}

void watch_session(struct watch *w, const struct session *s) {
    if (w->begun) look(w, s, PROBE_EXIT);
}

void watch_all(struct watch *w) {
    w->begun = true;
    list_for_each(i, &w->state->sessions)
        look(w, list_entry(i, struct session, in_state), PROBE_RESTART);
}

void watch_forget(struct watch *w, const struct session *s) {
    struct watched *e = map_get(&w->by_session, span_str(s->id));
    if (e) drop(e);
    arm(w);
}

void watch_raise_limit(void) {
    struct rlimit l;
    if (getrlimit(RLIMIT_NOFILE, &l) < 0) return;
    rlim_t want = MIN(l.rlim_max, (rlim_t)WATCH_FILES_MAX);
    if (l.rlim_cur >= want) return;
    l.rlim_cur = want;
    if (setrlimit(RLIMIT_NOFILE, &l) < 0)
        log_debug("cannot raise the limit of open files: %s", strerror(errno));
}

void watch_open(struct watch *w, uv_loop_t *loop, const struct notes *notes, struct state *state) {
    *w = (struct watch){.loop = loop, .notes = notes, .state = state, .every_ms = WATCH_EVERY_MS};
    list_init(&w->slow);
    list_init(&w->lost);
    struct rlimit l;
    w->held_max =
        getrlimit(RLIMIT_NOFILE, &l) == 0 ? (size_t)MIN(l.rlim_cur, (rlim_t)WATCH_FILES_MAX) / 2 : 0;
    (void)uv_timer_init(loop, &w->timer);
}

void watch_close(struct watch *w) {
    if (w->look) w->look->watch = NULL;
    w->look = NULL;
    MAP_FOR_EACH(slot, &w->by_session)
        drop(slot->value);
    map_fini(&w->by_session);
    w->by_session = MAP_INIT;
    w->begun = false;
    uv_close((uv_handle_t *)&w->timer, NULL);
}
