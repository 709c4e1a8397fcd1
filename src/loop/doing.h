/* What the loop is at, for who wants to know why it does not turn: a word set in passing, as cheap as a store. */
#pragma once

#include <stdatomic.h>

extern _Atomic(const char *) loop_doing; /* of static storage; NULL: nothing in particular */

static inline void doing(const char *what) {
    atomic_store_explicit(&loop_doing, what, memory_order_relaxed);
}
