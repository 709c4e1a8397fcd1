/* The segments as files: what lies there in which order, where a mark points, and which one comes next. */
#pragma once

#include "spool/spool.h"

/* A sealed segment in the directory. */
struct sealed {
    uint64_t number;
    uint64_t size;
    uint64_t end; /* position behind its last byte; only known once it was read */
    uint64_t dev, ino;
};

/* Sealed segments in order of their numbers. */
struct sealed_list {
    struct sealed *v;
    size_t n, room;
};

void sealed_list_fini(struct sealed_list *list);
void sealed_list_add(struct sealed_list *list, const struct sealed *s);
void sealed_list_remove_first(struct sealed_list *list);
bool sealed_list_has(const struct sealed_list *list, uint64_t number);

static inline void cleanup_sealed_list(struct sealed_list *list) {
    sealed_list_fini(list);
}

/* What is in the directory now. */
int files_list(const char *dir, struct sealed_list *ret);

/* The segment that is being read. */
struct source {
    int fd;                             /* -1: none */
    uint64_t number;                    /* 0 while it is the active one */
    bool unnamed;                       /* neither active nor sealed any more: somebody deleted it */
    bool lost_tail;                     /* shorter than it once was; new records must not go there */
    uint64_t base;                      /* position of its first byte */
    uint64_t off;                       /* bytes consumed */
    char head[SPOOL_FINGERPRINT_BYTES]; /* the first of them, for the fingerprint */
};

void source_close(struct source *s);

/* Counts `bytes` at the source's offset as consumed. */
void source_consume(struct source *s, struct span bytes);

/* The mark for what is consumed. */
struct spool_mark source_mark(const struct source *s);

/* Opens the segment that `mark` points into, under whatever name it has now, and lists in `done` the
 * sealed ones before it. Returns 1, or 0 when there is no such segment; -errno when that cannot be told
 * now. */
int files_locate(const char *dir, const struct spool_mark *mark, struct source *ret,
                 struct sealed_list *done);

/* Opens the first segment that is not in `done`, to begin at position `base`. Returns 1, 0 when there is
 * none yet, or -errno. */
int files_open_next(const char *dir, const struct sealed_list *done, uint64_t base, struct source *ret);

/* Looks up what became of a segment that was opened as the active one. Returns 1 when it still is;
 * otherwise 0, with its number or `unnamed` filled in; -errno. */
int files_check_active(const char *dir, struct source *s);
