#include "repair/ahead.h"

#include <errno.h>

static bool go_on(void *user, uint64_t done UNUSED, uint64_t total UNUSED) {
    struct ahead *a = user;
    return !atomic_load_explicit(&a->cancelled, memory_order_relaxed);
}

static void *copy(void *user) {
    struct ahead *a = user;
    struct progress progress = {go_on, a};
    a->result = beside_fill(&a->copy, a->place, a->fd, a->size, &progress, 0, a->size);
    return NULL;
}

void ahead_begin(struct ahead *a, const struct place *place, int fd, uint64_t size) {
    if (a->begun) return;
    *a = (struct ahead){.place = place, .fd = fd, .size = size};
    a->begun = pthread_create(&a->thread, NULL, copy, a) == 0;
}

int ahead_finish(struct ahead *a, int64_t now_ms, const struct progress *p, uint64_t done, uint64_t total,
                 char ret_name[PATH_BYTES], struct err *err) {
    if (!a->begun) return backup_make(a->place, a->fd, a->size, now_ms, p, done, total, ret_name, err);
    a->begun = false;
    (void)pthread_join(a->thread, NULL);
    (void)progress_tell(p, total, total);
    return backup_name(&a->copy, a->place, a->result, now_ms, ret_name, err);
}

void ahead_drop(struct ahead *a) {
    if (!a->begun) return;
    atomic_store_explicit(&a->cancelled, true, memory_order_relaxed);
    a->begun = false;
    (void)pthread_join(a->thread, NULL);
    beside_drop(&a->copy, a->place);
}
