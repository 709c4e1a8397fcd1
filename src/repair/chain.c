#include "repair/chain.h"

#include "base/cleanup.h"

#include <errno.h>
#include <stdlib.h>

/* Where the walk is, for each message; cleared memory means unseen. */
enum { UNSEEN, ON_THIS_WALK, SEEN };

/* Cleared memory of as many bytes as there are messages, or of so much for each. NULL: there is none. */
static void *zeros(struct buf *b, size_t n) {
    *b = BUF_INIT(SIZE_MAX / 2);
    char *p = buf_reserve(b, n);
    if (!p) return NULL;
    memset(p, 0, n);
    buf_grew(b, n);
    return p;
}

/* Messages that close a cycle: of each the one that is earliest in the file. */
struct cycles {
    struct buf first; /* uint32_t */
    uint64_t count;
};

/* Links that only go back cannot form a cycle, and nearly no file has others. */
static bool may_have_cycles(const struct transcript *t) {
    for (uint32_t i = 0, n = transcript_count(t); i < n; i++) {
        uint32_t link = transcript_link(t, i);
        if (link != MESSAGE_NONE && link >= i) return true;
    }
    return false;
}

static int add_cycle(const struct transcript *t, uint32_t member, struct cycles *ret) {
    uint32_t first = member;
    for (uint32_t i = transcript_link(t, member); i != member; i = transcript_link(t, i))
        first = MIN(first, i);
    ret->count++;
    return buf_append(&ret->first, &first, sizeof first);
}

/* Walks from every message to where somebody has been; meeting one's own steps is a cycle. */
static int find_cycles(const struct transcript *t, struct cycles *ret) {
    *ret = (struct cycles){.first = BUF_INIT(SIZE_MAX / 2)};
    if (!may_have_cycles(t)) return 0;
    uint32_t n = transcript_count(t);
    AUTO(buf) struct buf memory = {0};
    char *seen = zeros(&memory, n);
    if (!seen) return -ENOMEM;
    for (uint32_t start = 0; start < n; start++) {
        uint32_t i = start;
        for (; i != MESSAGE_NONE && seen[i] == UNSEEN; i = transcript_link(t, i))
            seen[i] = ON_THIS_WALK;
        if (i != MESSAGE_NONE && seen[i] == ON_THIS_WALK && add_cycle(t, i, ret) < 0) return -ENOMEM;
        for (i = start; i != MESSAGE_NONE && seen[i] == ON_THIS_WALK; i = transcript_link(t, i))
            seen[i] = SEEN;
    }
    return 0;
}

static void cycles_fini(struct cycles *c) {
    buf_fini(&c->first);
}

/* A cycle has no end: there it ends where it began to repeat. */
static int walk_depth(const struct transcript *t, bool has_cycles, uint64_t *ret) {
    uint32_t n = transcript_count(t);
    AUTO(buf) struct buf memory = {0};
    char *seen = has_cycles ? zeros(&memory, n) : NULL;
    if (has_cycles && !seen) return -ENOMEM;
    uint64_t depth = 0;
    for (uint32_t i = n ? n - 1 : MESSAGE_NONE; i != MESSAGE_NONE; i = transcript_link(t, i)) {
        if (seen && seen[i]) break;
        if (seen) seen[i] = SEEN;
        depth++;
    }
    *ret = depth;
    return 0;
}

/* The stop hook's shape at the end of the chain: summary › progress › assistant, perhaps with the turn's duration behind.
 * Returns the summary, and the assistant's message. */
static uint32_t find_stop_hook(const struct transcript *t, uint32_t *ret_assistant) {
    uint32_t n = transcript_count(t);
    if (n == 0) return MESSAGE_NONE;
    uint32_t leaf = n - 1;
    if (transcript_at(t, leaf)->kind == MESSAGE_TURN_DURATION && transcript_link(t, leaf) != MESSAGE_NONE)
        leaf = transcript_link(t, leaf);
    const struct message *summary = transcript_at(t, leaf);
    uint32_t progress_at = transcript_link(t, leaf);
    if (summary->kind != MESSAGE_STOP_HOOK_SUMMARY || progress_at == MESSAGE_NONE) return MESSAGE_NONE;
    const struct message *progress = transcript_at(t, progress_at);
    uint32_t assistant = transcript_link(t, progress_at);
    if (progress->kind != MESSAGE_STOP_HOOK_PROGRESS || summary->tool_use == ID_FALSY ||
        summary->tool_use != progress->tool_use || assistant == MESSAGE_NONE ||
        transcript_at(t, assistant)->kind != MESSAGE_ASSISTANT)
        return MESSAGE_NONE;
    *ret_assistant = assistant;
    return leaf;
}

int chain_judge(const struct transcript *t, struct scan_verdict *ret) {
    struct scan_verdict v = {.messages = transcript_count(t), .glued = t->glued};
    struct cycles cycles;
    int r = find_cycles(t, &cycles);
    if (r == 0) r = walk_depth(t, cycles.count > 0, &v.depth);
    v.cycles = cycles.count;
    cycles_fini(&cycles);
    if (r < 0) return r;
    for (uint32_t i = 0, n = transcript_count(t); i < n; i++)
        v.orphans += transcript_is_orphan(t, i);
    uint32_t assistant;
    v.stop_hook_inline = find_stop_hook(t, &assistant) != MESSAGE_NONE;
    v.status = v.orphans || v.cycles || v.glued ? TRANSCRIPT_CORRUPTED : TRANSCRIPT_HEALTHY;
    *ret = v;
    return 0;
}

/* Mending */

/*
 * The messages as a forest: broken ones are roots until they are mended, so whether a message leads back to the broken one
 * is whether it is in its tree. Trees only ever merge. Candidates are the messages so far that can be followed by one of their
 * kind; runs of them that were found to be in one tree stay so, and are stepped over at once the next time.
 */
struct candidates {
    uint32_t *message;
    uint32_t *run;  /* by candidate: all from there on up to it are in one tree */
    uint32_t *same; /* by candidate: all from there on up to it have one id */
    uint32_t count;
};

struct forest {
    const struct transcript *t;
    struct buf memory;             /* of all that follows */
    uint32_t *up;                  /* towards the root, by message; a root leads to itself */
    struct candidates kinds[2][2]; /* for who is of a subagent, or not; and for who is not read, or is */
};

static void cleanup_forest(struct forest *f) {
    buf_fini(&f->memory);
}

static uint32_t root_of(struct forest *f, uint32_t i) {
    while (f->up[i] != i)
        i = f->up[i] = f->up[f->up[i]];
    return i;
}

static uint32_t id_of(const struct forest *f, uint32_t message) {
    return transcript_at(f->t, message)->id;
}

/* Where a link to a message would lead: to the last one with its id. */
static uint32_t target_of(const struct forest *f, uint32_t message) {
    return ids_at(&f->t->ids, id_of(f, message))->last - 1;
}

static void add_to(struct forest *f, struct candidates *c, uint32_t message) {
    uint32_t id = id_of(f, message), k = c->count;
    c->message[k] = message;
    c->run[k] = k;
    c->same[k] = k > 0 && id_of(f, c->message[k - 1]) == id ? c->same[k - 1] : k;
    c->count++;
}

static bool is_boundary(const struct forest *f, uint32_t message) {
    return transcript_at(f->t, message)->kind == MESSAGE_COMPACT_BOUNDARY;
}

/* Nobody but its summary is put behind a compact boundary: where that is lost, what was before is all there is. */
static void add_candidate(struct forest *f, uint32_t message) {
    struct candidates *kinds = f->kinds[transcript_at(f->t, message)->is_side];
    if (!ids_can_refer(&f->t->ids, id_of(f, message)) || is_boundary(f, target_of(f, message))) return;
    add_to(f, &kinds[true], message);
    if (!transcript_at(f->t, target_of(f, message))->is_left_out) add_to(f, &kinds[false], message);
}

/* The boundary that a broken summary belongs to, and does not lead back to it; MESSAGE_NONE for others. */
static uint32_t find_boundary(struct forest *f, uint32_t broken) {
    const struct message *m = transcript_at(f->t, broken);
    if (m->kind != MESSAGE_COMPACT_SUMMARY) return MESSAGE_NONE;
    uint32_t boundary = broken - 1;
    bool fits = ids_can_refer(&f->t->ids, id_of(f, boundary)) && id_of(f, boundary) != m->id &&
                target_of(f, boundary) == boundary && transcript_at(f->t, boundary)->is_side == m->is_side &&
                root_of(f, boundary) != broken;
    return fits ? boundary : MESSAGE_NONE;
}

/* The nearest candidate that does not lead back to the broken message; MESSAGE_NONE when there is none. */
static uint32_t find_parent(struct forest *f, uint32_t broken) {
    const struct message *m = transcript_at(f->t, broken);
    struct candidates *c = &f->kinds[m->is_side][m->is_left_out];
    uint32_t k = c->count, id = m->id;
    if (k == 0) return MESSAGE_NONE;
    if (target_of(f, broken) != broken) {
        /* A later message has the same id: nobody leads here. Its own id is still no parent for it. */
        if (id_of(f, c->message[k - 1]) == id) k = c->same[k - 1];
        return k ? c->message[k - 1] : MESSAGE_NONE;
    }
    const uint32_t newest = k - 1;
    while (k > 0 && root_of(f, target_of(f, c->message[k - 1])) == broken)
        k = c->run[k - 1];
    if (k <= newest) c->run[newest] = k;
    return k ? c->message[k - 1] : MESSAGE_NONE;
}

static int forest_init(struct forest *f, const struct transcript *t) {
    size_t n = transcript_count(t), at = n, counts[2] = {0};
    *f = (struct forest){.t = t};
    f->up = zeros(&f->memory, n * 7 * sizeof *f->up);
    if (!f->up) return -ENOMEM;
    for (uint32_t i = 0; i < n; i++)
        counts[transcript_at(t, i)->is_side]++;
    for (size_t kind = 0; kind < 4; kind++) {
        struct candidates *c = &f->kinds[kind / 2][kind % 2];
        c->message = f->up + at;
        c->run = c->message + counts[kind / 2];
        c->same = c->run + counts[kind / 2];
        at += 3 * counts[kind / 2];
    }
    return 0;
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static int add_edit(struct plan *plan, struct transcript *t, uint32_t message, uint32_t parent) {
    struct edit e = {message, parent};
    transcript_at(t, message)->parent = parent;
    return buf_append(&plan->edits, &e, sizeof e) < 0 ? -ENOMEM : 0;
}

/* Goes through the file once. The cycles are in order. */
static int mend_links(struct transcript *t, const struct cycles *cycles, struct plan *plan) {
    AUTO(forest) struct forest f;
    int r = forest_init(&f, t);
    if (r < 0) return r;
    uint32_t n = transcript_count(t);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t link = transcript_link(t, i);
        f.up[i] = link == MESSAGE_NONE ? i : link;
    }
    const uint32_t *cut = (const uint32_t *)(const void *)cycles->first.p;
    for (size_t k = 0; k < cycles->count; k++)
        f.up[cut[k]] = cut[k];

    size_t next_cut = 0;
    for (uint32_t i = 0; i < n && r == 0; i++) {
        bool closes_cycle = next_cut < cycles->count && cut[next_cut] == i,
             orphan = transcript_is_orphan(t, i);
        next_cut += closes_cycle;
        if (closes_cycle || orphan) {
            uint32_t parent = find_boundary(&f, i);
            if (parent == MESSAGE_NONE) parent = find_parent(&f, i);
            if (parent != MESSAGE_NONE) f.up[i] = target_of(&f, parent);
            r = add_edit(plan, t, i, parent == MESSAGE_NONE ? ID_FALSY : id_of(&f, parent));
            plan->orphans += orphan;
            plan->cycles += closes_cycle;
        }
        add_candidate(&f, i);
    }
    return r;
}

static int mend_stop_hook(struct transcript *t, struct plan *plan) {
    uint32_t assistant, summary = find_stop_hook(t, &assistant);
    if (summary == MESSAGE_NONE || !ids_can_refer(&t->ids, transcript_at(t, assistant)->id)) return 0;
    uint32_t parent = transcript_at(t, assistant)->id;
    plan->stop_hooks++;
    return add_edit(plan, t, summary, parent);
}

/* From here on the transcript is what the file will be. */
static void part_lines(struct transcript *t, struct plan *plan) {
    struct buf none = plan->cuts;
    plan->cuts = t->cuts;
    plan->glued = t->glued;
    t->cuts = none;
    t->glued = 0;
}

int chain_mend(struct transcript *t, bool stop_hook, struct plan *ret) {
    struct cycles cycles;
    int r = find_cycles(t, &cycles);
    uint64_t orphans = 0;
    for (uint32_t i = 0, n = transcript_count(t); i < n; i++)
        orphans += transcript_is_orphan(t, i);
    if (cycles.count) qsort(cycles.first.p, cycles.count, sizeof(uint32_t), by_number);
    if (r == 0 && (orphans || cycles.count)) r = mend_links(t, &cycles, ret);
    cycles_fini(&cycles);
    if (r == 0 && stop_hook) r = mend_stop_hook(t, ret);
    if (r == 0) part_lines(t, ret);
    return r;
}
