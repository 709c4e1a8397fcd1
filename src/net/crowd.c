#include "net/crowd.h"

enum { NETWORK_BYTES = 8 };

void crowd_init(struct crowd *c, unsigned limit, unsigned per_address, unsigned per_user) {
    *c = (struct crowd){.limit = limit, .per_address = per_address, .per_user = per_user, .guests = MAP_INIT};
}

void crowd_fini(struct crowd *c) {
    map_fini(&c->guests);
}

/* Three lengths: no address looks like a user, or like a network. */
static struct span address_key(const struct crowd_guest *who) {
    return span_of((const char *)who->from.bytes,
                   addr_is_v4(&who->from) ? sizeof who->from.bytes : NETWORK_BYTES);
}

static struct span user_key(const struct crowd_guest *who) {
    return span_of((const char *)who->user, sizeof *who->user);
}

static uintptr_t count_of(const struct crowd *c, struct span key) {
    return (uintptr_t)map_get(&c->guests, key);
}

static void set_count(struct crowd *c, struct span key, uintptr_t n) {
    if (n)
        (void)map_put(&c->guests, key, (void *)n); /* NOLINT(performance-no-int-to-ptr) */
    else
        (void)map_remove(&c->guests, key);
}

/* A quarter of the places is for this user. */
static bool has_place(const struct crowd *c, enum crowd_kind kind) {
    unsigned others = c->count[CROWD_OTHER] + c->count[CROWD_PROXY], local = c->count[CROWD_LOCAL];
    switch (kind) {
    case CROWD_OWNER: return c->count[CROWD_OWNER] < c->limit;
    case CROWD_LOCAL: return others + local < c->limit;
    case CROWD_PROXY:
    case CROWD_OTHER:
    case CROWD_KINDS_: break;
    }
    return others + local < c->limit && others < c->limit - c->limit / 4;
}

bool crowd_enter(struct crowd *c, const struct crowd_guest *who) {
    if (!has_place(c, who->kind)) return false;
    if (who->kind == CROWD_OTHER) {
        uintptr_t n = count_of(c, address_key(who)), of_user = who->user ? count_of(c, user_key(who)) : 0;
        if (n >= c->per_address || (who->user && of_user >= c->per_user)) return false;
        set_count(c, address_key(who), n + 1);
        if (who->user) set_count(c, user_key(who), of_user + 1);
    }
    c->count[who->kind]++;
    return true;
}

void crowd_leave(struct crowd *c, const struct crowd_guest *who) {
    assert(c->count[who->kind] > 0);
    c->count[who->kind]--;
    if (who->kind != CROWD_OTHER) return;
    set_count(c, address_key(who), count_of(c, address_key(who)) - 1);
    if (who->user) set_count(c, user_key(who), count_of(c, user_key(who)) - 1);
}
