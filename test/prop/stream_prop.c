/*
 * Random terminals and viewers of every kind against what is simply known: who wants every byte gets every byte, or is told of a
 * gap; everybody else ends at the newest screen; memory stays bounded. An argument is the seed of an earlier run.
 */
#include "base/cleanup.h"
#include "base/mem.h"
#include "term/stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

enum { ROUNDS = 60, STEPS = 400, VIEWERS = 6, MEMORY_MAX = STREAM_KEEP_BYTES + (192 << 10) };

static uint64_t state;

/* xorshift64*: good enough to pick cases, the same everywhere. */
static uint32_t below(uint32_t limit) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * 2685821657736338717U) >> 33) % limit;
}

#define NEED(condition)                                                                           \
    do {                                                                                          \
        if (!(condition)) {                                                                       \
            printf("not ok - seed %" PRIu64 ", line %d: %s\n", first_seed, __LINE__, #condition); \
            exit(1);                                                                              \
        }                                                                                         \
    } while (0)

static uint64_t first_seed;

/* What the terminal printed, by offset, and what happened to it. */
static char byte_at(uint64_t epoch, uint64_t offset) {
    return (char)((offset * 2654435761U >> 7) + epoch);
}

struct peer {
    struct stream_viewer v;
    bool attached;
    bool knows; /* where it is: by a snapshot, or because it was there before */
    uint64_t epoch, offset;
    unsigned cols; /* as it knows */
    bool exited;
    uint64_t unacked; /* newest offset that it has not acknowledged yet */
    uint64_t skipped_ms;
};

struct terminal {
    struct stream s;
    unsigned cols;
    bool exited;
    uint64_t now_ms;
    struct peer peers[VIEWERS];
};

static void print(struct terminal *t, size_t n) {
    AUTO(free) char *bytes = xmalloc(n);
    for (size_t i = 0; i < n; i++)
        bytes[i] = byte_at(t->s.epoch, t->s.newest + i);
    stream_append(&t->s, span_of(bytes, n));
    NEED(stream_memory(&t->s) <= MEMORY_MAX);
}

static void attach(struct terminal *t, struct peer *p) {
    uint64_t epoch = p->epoch, offset = p->offset;
    bool returns = p->knows && below(4);
    if (!returns) p->cols = 0;
    p->v.flow = below(2);
    p->v.exact = below(2);
    p->exited = p->knows = false;
    stream_attach(&t->s, &p->v, returns ? &epoch : NULL, returns ? &offset : NULL);
    p->knows = returns && !p->v.needs_snapshot;
    p->epoch = t->s.epoch;
    p->unacked = 0;
    p->skipped_ms = 0;
    p->attached = true;
}

/* Marks are met at their offsets, and a gap leads from one side to the other. */
static void meet_mark(struct terminal *t, struct peer *p, const struct stream_mark *m) {
    NEED(p->knows && m->offset <= p->offset);
    if (m->kind == STREAM_RESIZED) p->cols = m->cols;
    if (m->kind == STREAM_GAP) NEED(m->offset == p->offset && m->to <= t->s.newest);
    if (m->kind == STREAM_GAP) p->offset = m->to;
    if (m->kind == STREAM_EXITED) NEED(!p->exited && p->offset == t->s.newest);
    if (m->kind == STREAM_EXITED) p->exited = true;
    if (m->kind == STREAM_GAP && !p->v.exact) p->knows = false;
}

static void take_snapshot(struct terminal *t, struct peer *p, uint64_t offset, bool skipped) {
    NEED(offset == t->s.newest);
    NEED(!p->v.exact || !skipped);
    if (skipped && p->skipped_ms) NEED(t->now_ms - p->skipped_ms >= STREAM_SKIP_MS);
    if (skipped) p->skipped_ms = t->now_ms;
    stream_viewer_at(&t->s, &p->v, offset);
    p->knows = true;
    p->offset = offset;
    p->cols = t->cols;
}

/* The journal has what was printed, or lost it. */
static void fetch(struct terminal *t, struct peer *p, const struct stream_item *item) {
    NEED(p->v.exact && item->offset == p->offset && item->bytes.n &&
         p->offset + item->bytes.n <= t->s.oldest);
    if (below(30) == 0) {
        stream_viewer_lost(&t->s, &p->v);
        return;
    }
    size_t n = 1 + below((uint32_t)item->bytes.n);
    stream_viewer_sent(&p->v, n);
    p->offset += n;
}

static bool pull(struct terminal *t, struct peer *p) {
    struct stream_item item;
    bool wanted = p->v.needs_snapshot;
    size_t max = 1 + below(100000);
    switch (stream_pull(&t->s, &p->v, t->now_ms, max, &item)) {
    case VIEW_NOTHING: return false;
    case VIEW_BYTES:
        NEED(p->knows && item.offset == p->offset && item.bytes.n && item.bytes.n <= max);
        for (size_t i = 0; i < item.bytes.n; i += 1 + below(50))
            NEED(item.bytes.p[i] == byte_at(p->epoch, item.offset + i));
        p->offset += item.bytes.n;
        break;
    case VIEW_MARK: meet_mark(t, p, &item.mark); break;
    case VIEW_SNAPSHOT: take_snapshot(t, p, item.offset, !wanted); break;
    case VIEW_OLDER: fetch(t, p, &item); break;
    case VIEW_EPOCH:
        p->epoch = t->s.epoch;
        p->offset = 0;
        p->exited = false;
        p->knows = p->v.exact;
        break;
    }
    NEED(!p->v.flow || p->offset - p->v.acked <= STREAM_WINDOW_BYTES);
    return true;
}

static void mark(struct terminal *t, struct stream_mark m) {
    m.offset = t->s.newest;
    stream_mark(&t->s, &m);
}

static void happen(struct terminal *t) {
    uint32_t what = below(100);
    if (what < 60 && !t->exited) print(t, 1 + below(below(8) ? 2000 : 400000));
    if (what == 60 && !t->exited)
        mark(t, (struct stream_mark){.kind = STREAM_GAP, .to = t->s.newest + 1 + below(3000000)});
    if (what > 60 && what < 75)
        mark(t, (struct stream_mark){.kind = STREAM_RESIZED, .cols = t->cols = 2 + below(300), .rows = 24});
    if (what == 75 && !t->exited) {
        mark(t, (struct stream_mark){.kind = STREAM_EXITED});
        t->exited = true;
    }
    if (what == 76) {
        stream_restart(&t->s, t->s.epoch + 1);
        t->exited = false;
        for (size_t i = 0; i < VIEWERS; i++) /* what it knew of the size it knows no more */
            t->peers[i].cols = 0;
        mark(t, (struct stream_mark){.kind = STREAM_RESIZED, .cols = t->cols, .rows = 24});
    }
    if (what == 77) stream_trim(&t->s);
    if (what == 77) NEED(stream_memory(&t->s) <= STREAM_IDLE_BYTES + (32 << 10));
    t->now_ms += below(120);
}

static void look(struct terminal *t, struct peer *p) {
    if (!p->attached) {
        if (below(4) == 0) attach(t, p);
        return;
    }
    if (below(60) == 0) {
        stream_detach(&p->v);
        p->attached = false;
        return;
    }
    for (uint32_t left = below(6); left && pull(t, p); left--)
        ;
    if (below(3) == 0 && p->knows && p->offset)
        (void)stream_ack(&t->s, &p->v, p->offset - below((uint32_t)MIN(p->offset, 1000)));
    if (below(50) == 0) (void)stream_ack(&t->s, &p->v, below(1 << 24)); /* nonsense */
}

/* Nothing more is printed: everybody gets to the end. */
static void settle(struct terminal *t, struct peer *p) {
    if (!p->attached) attach(t, p);
    for (int turns = 0; turns < 10000; turns++) {
        if (pull(t, p)) continue;
        if (p->v.due_ms) {
            NEED(p->v.due_ms > t->now_ms && p->v.due_ms <= t->now_ms + STREAM_SKIP_MS);
            t->now_ms = p->v.due_ms;
        } else if (p->offset == p->v.acked || !stream_ack(&t->s, &p->v, p->offset)) {
            break;
        }
    }
    NEED(p->knows && p->epoch == t->s.epoch && p->offset == t->s.newest);
    NEED(p->exited == t->exited);
    NEED(p->cols == t->cols || p->cols == 0 || p->v.exact);
    stream_detach(&p->v);
}

static void play_round(void) {
    struct terminal t = {.cols = 80, .now_ms = 1 + below(1000)};
    stream_init(&t.s, 1 + below(1000), below(2) ? 0 : below(1 << 30));
    for (int step = 0; step < STEPS; step++) {
        happen(&t);
        for (size_t i = 0; i < VIEWERS; i++)
            look(&t, &t.peers[i]);
    }
    for (size_t i = 0; i < VIEWERS; i++)
        settle(&t, &t.peers[i]);
    NEED(list_empty(&t.s.viewers));
    stream_fini(&t.s);
}

int main(int argc, char **argv) {
    if (argc > 1)
        state = strtoull(argv[1], NULL, 10);
    else if (getrandom(&state, sizeof state, 0) != sizeof state)
        return 1;
    if (!state) state = 1;
    first_seed = state;
    printf("1..1\n# seed %" PRIu64 "\n", state);
    for (int i = 0; i < ROUNDS; i++)
        play_round();
    printf("ok 1 - viewers get to the end\n");
    return 0;
}
