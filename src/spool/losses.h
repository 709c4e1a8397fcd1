/*
 * How many records could not be kept, by reason: a small file of fixed size, whose block is there before it is needed, so that it
 * can be counted on a full disk. Hooks add to it, the daemon reads it. Allocates nothing.
 */
#pragma once

#include "spool/spool.h"

enum loss { LOSS_FULL, LOSS_READ_ONLY, LOSS_NOT_OURS, LOSS_OTHER, LOSS_N_ };

struct losses {
    uint64_t count[LOSS_N_];
    int64_t last_ms; /* when the newest was; 0 = none */
};

/* In a few words, "the disk was full". */
const char *loss_words(enum loss why);
/* Its name in JSON. */
const char *loss_name(enum loss why);
/* What the error of a spool_append() comes to. */
enum loss loss_of(int error);
static inline uint64_t losses_total(const struct losses *l) {
    uint64_t n = 0;
    for (int i = 0; i < LOSS_N_; i++)
        n += l->count[i];
    return n;
}

/* Makes the file in the directory `path`, so that there is something to count in. 0 or -errno. */
int losses_make(const char *path);

/* One more. 0 or -errno: it could not be counted. */
int losses_add(const char *path, enum loss why);

/* Adds what the file in the directory `path` says to `ret`; one that is not there says nothing. */
void losses_read(const char *path, struct losses *ret);
