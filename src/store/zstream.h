/* zstd over a descriptor, a piece at a time, in bounded memory. */
#pragma once

#include "base/span.h"

#include <sys/types.h>

struct zwriter;
int zwriter_open(int fd, struct zwriter **ret);
int zwriter_put(struct zwriter *w, struct span bytes);
/* Writes what is left, with a checksum. */
int zwriter_end(struct zwriter *w);
uint64_t zwriter_packed(const struct zwriter *w); /* bytes written so far */
void zwriter_free(struct zwriter *w);

struct zreader;
int zreader_open(int fd, struct zreader **ret);
/* The next `n` bytes, fewer only at the end; -EBADMSG when it is damaged, was cut off, or something follows its end. */
ssize_t zreader_get(struct zreader *r, void *to, size_t n);
uint64_t zreader_packed(const struct zreader *r); /* bytes read from the descriptor so far */
void zreader_free(struct zreader *r);

static inline void cleanup_zwriter(struct zwriter **w) {
    zwriter_free(*w);
}

static inline void cleanup_zreader(struct zreader **r) {
    zreader_free(*r);
}
