/*
 * The chain that a transcript's messages form: each one follows its parent, and a resume walks from the last one back.
 * Here is what is wrong with it, and how it is put right, both in time proportional to the number of messages.
 */
#pragma once

#include "repair/transcript.h"

/* What stands in a message's `parentUuid` is to become this. */
struct edit {
    uint32_t message;
    uint32_t parent; /* number of struct ids; ID_FALSY: null */
};

struct plan {
    struct buf edits;                     /* struct edit, in the order of the file */
    uint64_t orphans, cycles, stop_hooks; /* how many of each kind they mend */
    struct buf cuts;                      /* uint64_t: where in the file a line is to end, in order */
    uint64_t glued;                       /* lines that they part */
};

/* The verdict, but for the file's mark. Statuses: healthy or corrupted. -ENOMEM. */
int chain_judge(const struct transcript *t, struct scan_verdict *ret);

/* Finds a new parent for every orphan and for one message of every cycle: the nearest earlier message that does not lead back
 * to it, of the same side (no message of the conversation follows a subagent's), read by Claude Code if the orphan is, and no compact boundary
 * unless the orphan is its summary. With
 * `stop_hook` the newest Stop hook's summary is also made to follow its assistant's message. Lines that hold several records
 * are parted. Changes the transcript accordingly: judged again, it is healthy. -ENOMEM. */
int chain_mend(struct transcript *t, bool stop_hook, struct plan *ret);

#define PLAN_INIT ((struct plan){.edits = BUF_INIT(SIZE_MAX / 2), .cuts = BUF_INIT(SIZE_MAX / 2)})

static inline size_t plan_count(const struct plan *p) {
    return p->edits.n / sizeof(struct edit);
}

static inline struct edit *plan_at(const struct plan *p, size_t i) {
    return (struct edit *)(void *)p->edits.p + i;
}

static inline size_t plan_cut_count(const struct plan *p) {
    return p->cuts.n / sizeof(uint64_t);
}

static inline uint64_t plan_cut_at(const struct plan *p, size_t i) {
    return ((const uint64_t *)(const void *)p->cuts.p)[i];
}

static inline void cleanup_plan(struct plan *p) {
    buf_fini(&p->edits);
    buf_fini(&p->cuts);
}
