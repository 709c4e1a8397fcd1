/* NULL-terminated vectors of owned strings: arguments, environments. */
#pragma once

#include "base/span.h"

/* A deep copy; NULL for NULL. */
char **strv_dup(const char *const *v);
void strv_free(char **v); /* NULL is fine */
size_t strv_count(const char *const *v);
/* Adds a copy of `s` at the end of `*v`, which may be NULL. */
void strv_push(char ***v, struct span s);
/* Sets "NAME=value" of an environment: replaces the one of that name, or adds it. */
void strv_set_env(char ***v, const char *name, const char *value);

static inline void cleanup_strv(char ***v) {
    strv_free(*v);
}
