#include "hook/payload.h"

#include "spool/spool.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

enum { PATIENCE_MS = 10000 }; /* for an agent that never closes our stdin */

/* Zero pages until the kernel copies into them: a small payload costs one page, not eight megabytes. */
static char bytes[SPOOL_PAYLOAD_MAX + 1];

int payload_read(int fd, struct payload *ret) {
    size_t n = 0;
    uint64_t drained = 0;
    for (;;) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        if (poll(&wait, 1, PATIENCE_MS) == 0) break; /* what came may well be all of it */
        bool over = n > SPOOL_PAYLOAD_MAX;
        ssize_t got = over ? read(fd, bytes, sizeof bytes) : read(fd, bytes + n, sizeof bytes - n);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -errno;
        if (got == 0) break;
        if (over)
            drained += (uint64_t)got;
        else
            n += (size_t)got;
    }
    *ret = (struct payload){.p = bytes, .n = n, .oversized = n > SPOOL_PAYLOAD_MAX ? n + drained : 0};
    return 0;
}

bool payload_blank(const struct payload *p) {
    return span_trim(span_of(p->p, p->n)).n == 0;
}
