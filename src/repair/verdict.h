/* What is said of a transcript: the outcome of a scan, and of a repair. Values only. */
#pragma once

#include "base/path.h"
#include "base/span.h"

/* X(constant, name on the wire) */
#define TRANSCRIPT_STATUS_MAP(X) \
    X(HEALTHY, "healthy")        \
    X(CORRUPTED, "corrupted")    \
    X(MISSING, "missing")        \
    X(UNREADABLE, "unreadable")

#define MEND_STATUS_MAP(X)                \
    X(REPAIRED, "repaired")               \
    X(ALREADY_HEALTHY, "already_healthy") \
    X(FAILED, "failed")

#define TRANSCRIPT_STATUS_X(c, s) TRANSCRIPT_##c,
enum transcript_status { TRANSCRIPT_STATUS_MAP(TRANSCRIPT_STATUS_X) TRANSCRIPT_N_ };
#define MEND_STATUS_X(c, s) MEND_##c,
enum mend_status { MEND_STATUS_MAP(MEND_STATUS_X) MEND_N_ };

/* Which file, as it was: what a cached verdict is good for. */
struct file_mark {
    uint64_t device, inode, size;
    int64_t mtime_ns;
};

struct scan_verdict {
    enum transcript_status status;
    bool left_alone;       /* a repair of this version was undone: only a person's word mends it again */
    bool stop_hook_inline; /* `resumeIssue`: the newest Stop hook's progress stands in the way of a resume */
    uint64_t depth;        /* messages from the last one back to a root, or to where the chain breaks */
    uint64_t orphans;      /* messages whose parent is not in the file */
    uint64_t cycles;       /* chains that bite their own tail */
    uint64_t glued;        /* lines that hold more than one record, or one and something else */
    uint64_t messages;
    struct file_mark mark; /* zeros when missing */
};

struct mend_verdict {
    enum mend_status status;
    uint64_t orphans_fixed, cycles_fixed, stop_hooks_fixed, glued_fixed;
    uint64_t depth;          /* afterwards */
    char backup[PATH_BYTES]; /* "" when nothing was changed */
    struct scan_verdict before, after;
};

const char *transcript_status_to_str(enum transcript_status status);
bool transcript_status_from_str(struct span name, enum transcript_status *ret);
const char *mend_status_to_str(enum mend_status status);

/* The `resumeIssue` of the wire: its name, or NULL. */
const char *resume_issue_to_str(const struct scan_verdict *v);

static inline bool file_mark_eq(const struct file_mark *a, const struct file_mark *b) {
    return a->device == b->device && a->inode == b->inode && a->size == b->size && a->mtime_ns == b->mtime_ns;
}
