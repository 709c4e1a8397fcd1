/* Inside ingest/: room for events on a disk that is full, see spool/reserve.h. Made on the pool: a disk may take its time. */
#pragma once

#include "base/path.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <uv.h>

struct ingest;

struct room {
    uint64_t wanted; /* for each segment; 0: none */
    uv_work_t work;
    char dir[PATH_BYTES];
    uint64_t bytes;
    int result;
    bool under_way;
    bool ready;        /* the next segment is there */
    int error;         /* of the last try; 0 when it went well */
    uint64_t tried_ns; /* when that was */
};

/* May the active segment, with this much in it, be sealed now? With room of its own for the next one, or where there is no such
 * thing. Asks for that room when not. */
bool room_for_next(struct ingest *in);

/* The active segment has little room left. */
bool room_is_short(const struct ingest *in, const struct stat *st);

/* It has enough: what went wrong once is forgotten. */
void room_is_enough(struct ingest *in);

/* There is no active segment: the next one is made it, once there is one. */
void room_begin(struct ingest *in);
