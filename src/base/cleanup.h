/*
 * Scope cleanup: a local that owns something says so where it is declared and is released at the end of its
 * scope. Moving it out is visible: TAKE() and TAKE_FD() leave an empty value behind.
 */
#pragma once

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define AUTO(name) __attribute__((cleanup(cleanup_##name)))

/* Defines cleanup_<name>() that calls `release` on a pointer local; `release` must accept NULL. */
#define DEFINE_CLEANUP(name, type, release)      \
    static inline void cleanup_##name(type *p) { \
        release(*p);                             \
    }                                            \
    struct cleanup_##name##_defined

static inline void cleanup_free(void *p) {
    free(*(void **)p);
}

static inline void cleanup_fd(int *fd) {
    if (*fd >= 0) (void)close(*fd);
}

static inline void cleanup_file(FILE **f) {
    if (*f) (void)fclose(*f);
}

static inline void cleanup_dir(DIR **d) {
    if (*d) (void)closedir(*d);
}

#define TAKE(p)                     \
    __extension__({                 \
        __typeof__(p) taken_ = (p); \
        (p) = NULL;                 \
        taken_;                     \
    })

#define TAKE_FD(fd)        \
    __extension__({        \
        int taken_ = (fd); \
        (fd) = -1;         \
        taken_;            \
    })
