/* Files and directories of a test, by a path below its temporary directory. */
#pragma once

#include "base/path.h"
#include "temp_dir.h"
#include "test.h"

#include <fcntl.h>

struct tree_path {
    char p[PATH_BYTES];
};

static inline struct tree_path tree_at(const struct temp_dir *t, const char *path) {
    struct tree_path at;
    if (path_join(at.p, t->path, path) < 0) abort();
    return at;
}

static inline void tree_dir(const struct temp_dir *t, const char *path) {
    if (path_make_dirs(tree_at(t, path).p) < 0) abort();
}

static inline void tree_write(const struct temp_dir *t, const char *path, const char *text) {
    AUTO(file) FILE *f = fopen(tree_at(t, path).p, "we");
    if (!f || fputs(text, f) < 0) abort();
}

static inline void tree_append(const struct temp_dir *t, const char *path, const char *text) {
    AUTO(file) FILE *f = fopen(tree_at(t, path).p, "ae");
    if (!f || fputs(text, f) < 0) abort();
}

/* The whole file, for the caller to free; "" when it is not there. */
static inline char *tree_read(const struct temp_dir *t, const char *path) {
    AUTO(file) FILE *f = fopen(tree_at(t, path).p, "re");
    char *text = NULL;
    size_t room = 0;
    if (f && getdelim(&text, &room, '\0', f) >= 0) return text;
    free(text);
    return strdup("");
}
