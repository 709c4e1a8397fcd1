/*
 * Allocation of small, fixed-shape things: these die with a message when memory is out. Whatever a peer can size
 * goes through `buf` or `arena`, which have caps and return -ENOBUFS.
 */
#pragma once

#include "base/compiler.h"

#include <stddef.h>

void *xmalloc(size_t bytes) __attribute__((malloc, returns_nonnull));
void *xcalloc(size_t count, size_t bytes) __attribute__((malloc, returns_nonnull));
void *xrealloc(void *p, size_t bytes) __attribute__((returns_nonnull));
void *xreallocarray(void *p, size_t count, size_t bytes) __attribute__((returns_nonnull));
char *xstrdup(const char *s) __attribute__((malloc, returns_nonnull));
char *xstrndup(const char *s, size_t n) __attribute__((malloc, returns_nonnull));
