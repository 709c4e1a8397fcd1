/* zstd over file descriptors, in bounded memory whatever the size. */
#pragma once

#include "base/err.h"

#include <stdint.h>

struct pack_job {
    int in, out;
    uint64_t size;         /* unpacked */
    const char *from, *to; /* their names, for sentences */
};

/* Packs exactly the first `size` bytes; what comes after them is somebody's append. -ESTALE when there are fewer. The
 * size is in the packed file's head, a checksum at its end. */
int pack(const struct pack_job *job, struct err *err);

/* Unpacks all of it, which must be `size` bytes. -EUCLEAN when it is damaged, or of another size. */
int unpack(const struct pack_job *job, struct err *err);

/* How many bytes a packed file says it holds; -EUCLEAN when it does not say. */
int pack_size(int fd, uint64_t *ret);
