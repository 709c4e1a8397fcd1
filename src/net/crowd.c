#include "net/crowd.h"

enum { NETWORK_BYTES = 8 };

void crowd_init(struct crowd *c, unsigned limit, unsigned per_address) {
    *c = (struct crowd){.limit = limit, .per_address = per_address, .addresses = MAP_INIT};
}

void crowd_fini(struct crowd *c) {
    map_fini(&c->addresses);
}

static struct span key_of(const struct addr *from) {
    return span_of((const char *)from->bytes, addr_is_v4(from) ? sizeof from->bytes : NETWORK_BYTES);
}

static uintptr_t count_of(const struct crowd *c, const struct addr *from) {
    return (uintptr_t)map_get(&c->addresses, key_of(from));
}

static void set_count(struct crowd *c, const struct addr *from, uintptr_t n) {
    if (n)
        (void)map_put(&c->addresses, key_of(from), (void *)n); /* NOLINT(performance-no-int-to-ptr) */
    else
        (void)map_remove(&c->addresses, key_of(from));
}

/* A quarter of the places is for this machine. */
static bool has_place(const struct crowd *c, enum crowd_kind kind) {
    unsigned others = c->count[CROWD_OTHER], local = c->count[CROWD_LOCAL];
    switch (kind) {
    case CROWD_OWNER: return c->count[CROWD_OWNER] < c->limit;
    case CROWD_LOCAL: return others + local < c->limit;
    case CROWD_OTHER: break;
    }
    return others + local < c->limit && others < c->limit - c->limit / 4;
}

bool crowd_enter(struct crowd *c, enum crowd_kind kind, const struct addr *from) {
    if (!has_place(c, kind)) return false;
    if (kind == CROWD_OTHER) {
        uintptr_t n = count_of(c, from);
        if (n >= c->per_address) return false;
        set_count(c, from, n + 1);
    }
    c->count[kind]++;
    return true;
}

void crowd_leave(struct crowd *c, enum crowd_kind kind, const struct addr *from) {
    assert(c->count[kind] > 0);
    c->count[kind]--;
    if (kind == CROWD_OTHER) set_count(c, from, count_of(c, from) - 1);
}
