/* The payload: what the agent CLI gives its hook, on stdin. */
#pragma once

#include "base/span.h"

struct payload {
    char *p; /* writable */
    size_t n;
    uint64_t
        oversized; /* bytes that came when they were more than SPOOL_PAYLOAD_MAX; p is not to be used then */
};

/* Reads `fd` to its end. Too much of it is drained, so that the agent never writes into a closed pipe, and
 * counted. */
int payload_read(int fd, struct payload *ret);

/* True when there is nothing but white space. */
bool payload_blank(const struct payload *p);
