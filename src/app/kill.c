#define LOG_TAG "kill"
#include "app/kill.h"

#include "base/cleanup.h"
#include "base/log.h"
#include "base/mem.h"
#include "platform/pidfd.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

struct kill {
    struct list in_kills;
    uv_timer_t timer; /* until force is used */
    uv_poll_t poll;   /* on fd: it ended before that */
    int fd;           /* -1: none was to be had, and `poll` is not in use */
    bool polled;
    unsigned open; /* handles that the loop still has */
    int64_t pid;
    uint64_t start;
};

static void on_closed(uv_handle_t *handle) {
    struct kill *e = handle->data;
    if (--e->open == 0) free(e);
}

static void finish(struct kill *e) {
    list_remove(&e->in_kills);
    uv_close((uv_handle_t *)&e->timer, on_closed);
    if (e->polled) uv_close((uv_handle_t *)&e->poll, on_closed);
    if (e->fd >= 0) (void)close(e->fd);
}

static void on_end(uv_poll_t *poll, int status, int events) {
    (void)status, (void)events;
    finish(poll->data);
}

static void on_grace_over(uv_timer_t *timer) {
    struct kill *e = timer->data;
    int r = pidfd_signal(e->fd, e->pid, e->start, SIGKILL);
    if (r < 0 && r != -ESRCH) log_warn("cannot kill process %lld: %s", (long long)e->pid, strerror(-r));
    finish(e);
}

static const struct kill *find(const struct kills *k, int64_t pid, uint64_t start) {
    list_for_each(i, &k->running) {
        const struct kill *e = list_entry(i, struct kill, in_kills);
        if (e->pid == pid && e->start == start) return e;
    }
    return NULL;
}

static void await_end(struct kills *k, int fd, int64_t pid, uint64_t start) {
    struct kill *e = xcalloc(1, sizeof *e);
    e->fd = fd;
    e->pid = pid;
    e->start = start;
    list_append(&k->running, &e->in_kills);
    e->timer.data = e->poll.data = e;
    (void)uv_timer_init(k->loop, &e->timer);
    (void)uv_timer_start(&e->timer, on_grace_over, k->grace_ms, 0);
    e->polled = fd >= 0 && uv_poll_init(k->loop, &e->poll, fd) == 0;
    if (e->polled) (void)uv_poll_start(&e->poll, UV_READABLE, on_end);
    e->open = e->polled ? 2 : 1;
}

int kill_start(struct kills *k, int64_t pid, uint64_t start) {
    if (!start) return -ESRCH; /* whoever has the number by now */
    if (find(k, pid, start)) return 0;
    AUTO(fd) int fd = pidfd_hold(pid, start);
    if (fd == -ESRCH) return fd;
    int r = pidfd_signal(fd, pid, start, SIGTERM);
    if (r < 0) return r;
    await_end(k, TAKE_FD(fd), pid, start);
    return 0;
}

void kills_open(struct kills *k, uv_loop_t *loop) {
    *k = (struct kills){.loop = loop, .grace_ms = KILL_GRACE_MS};
    list_init(&k->running);
}

void kills_close(struct kills *k) {
    list_for_each_safe(i, &k->running)
        finish(list_entry(i, struct kill, in_kills));
}
