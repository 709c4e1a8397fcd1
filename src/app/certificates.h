/*
 * The TLS certificate while the daemon runs: files that are replaced are taken up without a restart, for connections that come
 * from then on. A new pair that does not work changes nothing and is told; so is one that has expired. One of our own is made anew
 * when it expires. Files are read on the pool.
 */
#pragma once

#include "api/api.h"
#include "app/reach.h"

#include <uv.h>

struct certificates {
    uv_loop_t *loop;
    const struct reach *reach;
    uv_fs_event_t
        watches[2];   /* the directories of certificate and key: files there are renamed, links turned */
    uv_timer_t timer; /* a quiet moment after a change, or the certificate's end */
    uv_work_t work;
    bool open, closing, working, again;
    bool due; /* a change was noticed */
    struct certificate_mark {
        uint64_t inode;
        int64_t size, seconds, nanoseconds;
    } marks[2];        /* of the files that were read last */
    bool known;        /* they are the same */
    struct tls *fresh; /* what the pool has read */
    int result;
    struct err err;
    struct api_stats *stats;     /* what health tells of it */
    void (*changed)(void *user); /* there is another one */
    void *user;
};

/* With a `reach` that has TLS. What cannot be watched is only logged. */
void certificates_open(struct certificates *c, uv_loop_t *loop, const struct reach *reach,
                       struct api_stats *stats, void (*changed)(void *user), void *user);
void certificates_close(struct certificates *c); /* one that was never opened is fine */
