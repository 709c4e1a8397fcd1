#include "keeper/resizes.h"

void resizes_init(struct resizes *r, const struct frame_size *size) {
    r->entries[0] = (struct resize){.size = *size, .serial = 1};
    r->count = 1;
    r->last = 1;
}

const struct frame_size *resizes_now(const struct resizes *r) {
    return &r->entries[r->count - 1].size;
}

static bool same(const struct frame_size *a, const struct frame_size *b) {
    return a->cols == b->cols && a->rows == b->rows && a->xpixel == b->xpixel && a->ypixel == b->ypixel;
}

/* Gives up the older of two, whose bytes then count as the newer's. */
static void merge(struct resizes *r) {
    unsigned i = 0;
    while (i + 1 < r->count && r->entries[i].size.offset != r->entries[i + 1].size.offset)
        i++;
    if (i + 1 == r->count) i = 0;
    r->entries[i + 1].size.offset = r->entries[i].size.offset;
    r->count--;
    memmove(&r->entries[i], &r->entries[i + 1], (r->count - i) * sizeof r->entries[0]);
}

bool resizes_add(struct resizes *r, const struct frame_size *size) {
    if (same(resizes_now(r), size)) return false;
    assert(size->offset >= resizes_now(r)->offset);
    if (r->count == RESIZES_MAX) merge(r);
    r->entries[r->count++] = (struct resize){.size = *size, .serial = ++r->last};
    return true;
}

uint32_t resizes_at(const struct resizes *r, uint64_t offset) {
    unsigned i = r->count - 1;
    while (i > 0 && r->entries[i].size.offset > offset)
        i--;
    return r->entries[i].serial;
}

const struct resize *resizes_after(const struct resizes *r, uint32_t serial) {
    if (serial >= r->last) return NULL;
    for (unsigned i = 0; i < r->count; i++)
        if (r->entries[i].serial > serial) return &r->entries[i];
    return NULL;
}
