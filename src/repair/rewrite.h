/* A transcript written anew beside itself and put in its place. Internal to the files of this folder that do I/O. */
#pragma once

#include "base/buf.h"
#include "repair/copy.h"

/* The bytes `len` at `at`, which are `old`, become `text`. */
struct piece {
    uint64_t at, len;
    struct span text, old;
};

/* Replaces the file by one in which the pieces (in order) of its first `size` bytes are exchanged. Whatever was appended behind
 * `size` meanwhile comes along, up to the moment of the renaming and what the writers of that moment still add. `fd` is the
 * file of that place; the caller holds its lock. */
int rewrite(const struct place *p, int fd, uint64_t size, const struct piece *pieces, size_t n,
            struct err *err);

/* Removes what a rewrite that was killed has left beside the file. The caller holds its lock. */
void rewrite_forget(const struct place *p);
