/* Time is an argument: microseconds, from a clock that tests replace. */
#pragma once

#include <stdint.h>

typedef int64_t usec_t;

#define USEC_PER_MSEC ((usec_t)1000)
#define USEC_PER_SEC ((usec_t)1000000)
#define USEC_NEVER INT64_MAX

struct clock {
    usec_t (*wall)(void *user); /* since the epoch */
    usec_t (*mono)(void *user); /* never goes back */
    void *user;
    usec_t (*boot)(void *user); /* the same, and goes on while the machine sleeps; NULL: as `mono` */
};

/* The machine's clocks. */
extern const struct clock clock_system;

static inline usec_t clock_wall(const struct clock *c) {
    return c->wall(c->user);
}

static inline usec_t clock_mono(const struct clock *c) {
    return c->mono(c->user);
}

static inline usec_t clock_boot(const struct clock *c) {
    return c->boot ? c->boot(c->user) : c->mono(c->user);
}

static inline int64_t usec_to_msec(usec_t t) {
    return t / USEC_PER_MSEC;
}
