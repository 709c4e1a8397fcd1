/*
 * Events that are none: counted by reason, and the newest kept in `refused.jsonl` for a person to look at, one JSON object a
 * line: {reason, why, position, bytes, payload, at}. The payload is cut and masked. Written on the pool, a moment later.
 */
#pragma once

#include "api/api.h"
#include "base/path.h"
#include "base/strv.h"
#include "term/redact.h"

#define REFUSED_NAME "refused.jsonl"

enum {
    REFUSED_KEPT_MAX = 100,
    REFUSED_BYTES_MAX = 1 << 20,
    REFUSED_PAYLOAD_BYTES = 4096, /* of each */
};

struct refused {
    struct api_stats *stats;
    const struct clock *clock;
    struct redact_set *const *masks; /* what is masked; not there yet while the daemon starts */
    char path[PATH_BYTES];
    char *lines[REFUSED_KEPT_MAX]; /* the oldest first */
    size_t n, bytes;
    uv_timer_t soon;
    uv_work_t work;
    struct buf text; /* being written */
    bool writing, changed;
    int result;
    bool complained;
};

/* What an earlier daemon kept stays. */
void refused_open(struct refused *r, uv_loop_t *loop, const struct paths *paths, const struct clock *clock,
                  struct api_stats *stats, struct redact_set *const *masks);
/* Writes what is left. */
void refused_close(struct refused *r);
void refused_fini(struct refused *r);

/* A record at `pos` is no event. */
void refused_note(struct refused *r, uint64_t pos, enum event_refusal reason, const char *why,
                  struct span record);
