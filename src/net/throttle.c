#include "net/throttle.h"

#include "base/mem.h"

#include <stdlib.h>

struct throttle_address {
    struct list link; /* by_time */
    struct peer_block who;
    unsigned tries;
    usec_t newest;
    usec_t blocked; /* until then */
};

static struct span key_of(const struct peer_block *who) {
    return span_of(who->bytes, sizeof who->bytes);
}

/* What others than the owner share. */
static struct throttle_pool *pool_of(struct throttle *t, const struct peer_block *who) {
    return peer_block_is_here(who) ? &t->near : &t->far;
}

void throttle_init(struct throttle *t, usec_t now) {
    const struct throttle_pool full = {.left = THROTTLE_SHARED, .refilled = now};
    *t = (struct throttle){.addresses = MAP_INIT, .far = full, .near = full};
    list_init(&t->by_time);
}

static struct throttle_address *remember(struct throttle *t, const struct peer_block *who) {
    struct throttle_address *a = xcalloc(1, sizeof *a);
    a->who = *who;
    list_init(&a->link);
    (void)map_put(&t->addresses, key_of(who), a);
    return a;
}

static void forget(struct throttle *t, struct throttle_address *a) {
    (void)map_remove(&t->addresses, key_of(&a->who));
    list_remove(&a->link);
    free(a);
}

void throttle_fini(struct throttle *t) {
    for (struct throttle_address *a; (a = list_first(&t->by_time, struct throttle_address, link));)
        forget(t, a);
    map_fini(&t->addresses);
}

static void forget_old(struct throttle *t, usec_t now) {
    for (struct throttle_address *a; (a = list_first(&t->by_time, struct throttle_address, link));) {
        if (now - a->newest < THROTTLE_FORGET_S * USEC_PER_SEC && t->addresses.count < THROTTLE_ADDRESSES)
            break;
        forget(t, a);
    }
}

static void refill(struct throttle_pool *p, usec_t now) {
    usec_t grown = (now - p->refilled) / (THROTTLE_REFILL_S * USEC_PER_SEC);
    if (grown <= 0) return;
    p->refilled += grown * THROTTLE_REFILL_S * USEC_PER_SEC;
    p->left = (unsigned)MIN((usec_t)p->left + grown, (usec_t)THROTTLE_SHARED);
}

static unsigned seconds_until(usec_t then, usec_t now) {
    return (unsigned)((then - now + USEC_PER_SEC - 1) / USEC_PER_SEC);
}

static usec_t wait_after(unsigned tries) {
    unsigned wait = THROTTLE_FIRST_S;
    for (unsigned i = THROTTLE_FREE + 1; i < tries && wait < THROTTLE_LONGEST_S; i++)
        wait *= 2;
    return tries > THROTTLE_FREE ? MIN(wait, (unsigned)THROTTLE_LONGEST_S) * USEC_PER_SEC : 0;
}

unsigned throttle_try(struct throttle *t, const struct peer_block *who, usec_t now) {
    bool shares = !peer_block_is_ours(who);
    struct throttle_pool *pool = pool_of(t, who);
    struct throttle_address *a = map_get(&t->addresses, key_of(who));
    if (a && now - a->newest >= THROTTLE_FORGET_S * USEC_PER_SEC) a->tries = 0;
    if (a && a->blocked > now) return seconds_until(a->blocked, now);
    if (shares) {
        refill(pool, now);
        if (pool->left == 0) return seconds_until(pool->refilled + THROTTLE_REFILL_S * USEC_PER_SEC, now);
        pool->left--;
    }
    if (!a) {
        forget_old(t, now);
        a = remember(t, who);
    }
    list_remove(&a->link);
    list_append(&t->by_time, &a->link);
    a->tries++;
    a->newest = now;
    a->blocked = now + wait_after(a->tries);
    return 0;
}

void throttle_pardon(struct throttle *t, const struct peer_block *who) {
    struct throttle_address *a = map_get(&t->addresses, key_of(who));
    if (a) forget(t, a);
    struct throttle_pool *pool = pool_of(t, who);
    if (!peer_block_is_ours(who) && pool->left < THROTTLE_SHARED) pool->left++;
}
