#include "base/clock.h"

#include "base/compiler.h"

#include <time.h>

static usec_t read_clock(clockid_t id) {
    struct timespec ts;
    (void)clock_gettime(id, &ts);
    return (usec_t)ts.tv_sec * USEC_PER_SEC + ts.tv_nsec / 1000;
}

static usec_t system_wall(void *user UNUSED) {
    return read_clock(CLOCK_REALTIME);
}

static usec_t system_mono(void *user UNUSED) {
    return read_clock(CLOCK_MONOTONIC);
}

static usec_t system_boot(void *user UNUSED) {
    return read_clock(CLOCK_BOOTTIME);
}

const struct clock clock_system = {system_wall, system_mono, NULL, system_boot};
