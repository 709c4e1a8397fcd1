/*
 * What a terminal printed, on disk: the stream behind the redaction, by offset, with resizes, gaps and the exit where they
 * happened. It is written on the pool, one job a terminal at a time, and is what the keeper is acknowledged by: what was
 * written here is found again after any crash.
 *
 * A journal is a row of segments. Each begins with the screen at its beginning (term/vt's own form, compressed), made by
 * replaying the segment before it, so that nothing on disk comes from anything but the masked stream. The newest one is
 * appended to; older ones are compressed; past the cap the oldest go. A record torn by a crash ends its segment.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "base/path.h"
#include "term/redact.h"
#include "term/vt.h"

#include <uv.h>

enum {
    JOURNAL_SEGMENT_BYTES = 4 << 20, /* of output in a segment */
    JOURNAL_CAP_BYTES = 64 << 20,    /* of output in all, before compression */
    JOURNAL_PENDING_BYTES = 1 << 20, /* waiting to be written; a disk that refuses for longer makes a gap */
    JOURNAL_RECENT_BYTES = 1 << 20,
    JOURNAL_SYNC_MS = 1000, /* written bytes are made durable this often */
};

struct journal;

struct journal_ops {
    /* Everything before `offset` of `epoch` is in the file (or, on a broken disk, given up). */
    void (*written)(void *user, uint64_t epoch, uint64_t offset);
    /* The disk refuses, with a sentence; NULL when it takes bytes again. */
    void (*trouble)(void *user, const char *why);
};

/* Goes on with the journal in `dir`, which may be empty or not there yet. Everything is called on the loop. */
struct journal *journal_open(uv_loop_t *loop, const char *dir, const struct redact_set *set,
                             const struct journal_ops *ops, void *user);
/* A new incarnation of the terminal, at offset 0. It begins with this screen (copied now), or with NULL below what the
 * journal has of the one before: a screen that somebody looked at may show what must not get to the disk. */
void journal_begin(struct journal *j, uint64_t epoch, const struct vt *screen);
void journal_append(struct journal *j, uint64_t offset, struct span bytes); /* copied */
void journal_resized(struct journal *j, uint64_t offset, unsigned cols, unsigned rows);
void journal_gap(struct journal *j, uint64_t from, uint64_t to);
void journal_exited(struct journal *j, uint64_t offset, int code, int signal, int64_t at_ms);
/* Bytes that wait to be written. */
size_t journal_pending(const struct journal *j);
/* Writes and syncs what is left, then frees it and calls `done` (may be NULL) on the loop. No other callback comes. */
void journal_close(struct journal *j, void (*done)(void *user), void *user);

/* Reading, from any thread, also without a daemon. */

struct journal_tail {
    uint64_t epoch, offset; /* recorded: everything of this epoch before this */
    struct vt *vt;          /* the screen at that offset, not answering */
    struct buf recent; /* the newest bytes before it, at most JOURNAL_RECENT_BYTES, without a gap in them */
    bool exited;
    int code, signal;
    int64_t at_ms;
};

/* The state at its end. -ENOENT when there is no journal; a damaged one gives what is whole. */
int journal_load(const char *dir, unsigned scrollback, struct journal_tail *ret, struct err *err);
void journal_tail_fini(struct journal_tail *tail);

/* What it has of its newest epoch: [oldest, newest). */
int journal_range(const char *dir, uint64_t *ret_epoch, uint64_t *ret_oldest, uint64_t *ret_newest);
/* Appends up to `max` bytes from `offset` on to `out`; -ENOENT when that is not kept (any more), or lies in a gap. */
int journal_read(const char *dir, uint64_t epoch, uint64_t offset, size_t max, struct buf *out);
