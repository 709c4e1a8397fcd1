/* A directory of a test's own, removed at the end of its scope: AUTO(temp_dir) struct temp_dir t = temp_dir_make(); */
#pragma once

#include "base/cleanup.h"

#include <ftw.h>
#include <sys/stat.h>

struct temp_dir {
    char path[64];
};

static inline struct temp_dir temp_dir_make(void) {
    struct temp_dir t = {.path = "/tmp/ostler-test-XXXXXX"};
    if (!mkdtemp(t.path)) abort();
    return t;
}

static inline int temp_dir_remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw) {
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

static inline void temp_dir_remove(const char *path) {
    (void)nftw(path, temp_dir_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static inline void cleanup_temp_dir(struct temp_dir *t) {
    temp_dir_remove(t->path);
}
