/* What is waited for in one turn. Only descriptors that something is wanted of are looked at: the end of another would wake us over
 * and over, and poll() refuses more entries than a process may have descriptors. */
#pragma once

#include "base/clock.h"

#include <poll.h>
#include <stdbool.h>

enum { POLLS_MAX = 24 };

struct polls {
    struct pollfd fds[POLLS_MAX];
    nfds_t count;
};

/* Begin with an empty one. Returns the place of `fd`, or -1 when nothing is wanted of it. */
int polls_add(struct polls *p, int fd, bool in, bool out);

/* Until something happens, a signal comes, or it is `at`. Signals are taken only here. */
void polls_wait(struct polls *p, usec_t at, usec_t now);

/* What happened at a place. Ends and errors count as both: reading or writing tells them. */
bool polls_in(const struct polls *p, int place);
bool polls_out(const struct polls *p, int place);
