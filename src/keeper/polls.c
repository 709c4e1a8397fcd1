#include "keeper/polls.h"

#include "base/compiler.h"

#include <signal.h>
#include <time.h>

int polls_add(struct polls *p, int fd, bool in, bool out) {
    short events = (short)((in ? POLLIN : 0) | (out ? POLLOUT : 0));
    if (fd < 0 || !events) return -1;
    assert(p->count < POLLS_MAX);
    p->fds[p->count] = (struct pollfd){.fd = fd, .events = events};
    return (int)p->count++;
}

void polls_wait(struct polls *p, usec_t at, usec_t now) {
    sigset_t none;
    (void)sigemptyset(&none);
    usec_t left = at == USEC_NEVER ? 0 : MAX(at - now, 0);
    struct timespec timeout = {.tv_sec = left / USEC_PER_SEC, .tv_nsec = left % USEC_PER_SEC * 1000};
    if (ppoll(p->fds, p->count, at == USEC_NEVER ? NULL : &timeout, &none) >= 0) return;
    for (nfds_t i = 0; i < p->count; i++)
        p->fds[i].revents = 0;
}

static bool seen(const struct polls *p, int place, short events) {
    return place >= 0 && (p->fds[place].revents & (events | POLLERR | POLLHUP | POLLNVAL));
}

bool polls_in(const struct polls *p, int place) {
    return seen(p, place, POLLIN);
}

bool polls_out(const struct polls *p, int place) {
    return seen(p, place, POLLOUT);
}
