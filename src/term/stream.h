/*
 * The newest output of one terminal, and who looks at it. Bytes have absolute offsets; a viewer is a cursor that pulls. Pure: no
 * clock, no socket. A viewer that cannot keep up costs no memory and slows nobody: past its limit it is skipped ahead with
 * a snapshot, unless it wants every byte; then what the ring no longer has is read from the journal for it.
 */
#pragma once

#include "base/list.h"
#include "base/span.h"

enum {
    STREAM_KEEP_BYTES = 1 << 20,     /* of the newest output, while somebody looks or it is busy */
    STREAM_IDLE_BYTES = 64 << 10,    /* stream_trim() leaves this */
    STREAM_WINDOW_BYTES = 512 << 10, /* sent to a viewer and not yet acknowledged by it */
    STREAM_BEHIND_BYTES = 768 << 10, /* a viewer that is more than this behind is skipped ahead */
    STREAM_SKIP_MS = 250,            /* a viewer is skipped ahead at most this often */
    STREAM_MARKS_MAX = 256,          /* the newest are kept, however old their bytes */
};

/* Something at an offset that is no byte. A viewer meets it when its cursor gets there. */
enum stream_mark_kind { STREAM_RESIZED, STREAM_GAP, STREAM_EXITED };

struct stream_mark {
    enum stream_mark_kind kind;
    uint64_t offset;
    unsigned cols, rows; /* STREAM_RESIZED */
    uint64_t to;         /* STREAM_GAP: [offset, to) is lost */
    int code, signal;    /* STREAM_EXITED */
};

struct stream {
    uint64_t epoch;
    uint64_t oldest, newest; /* offsets it has: [oldest, newest), less the gaps in it */
    size_t keep;
    struct list viewers;
    struct stream_chunk **chunks; /* stream.c's, as is all below: oldest first */
    size_t n_chunks, room_chunks;
    struct stream_numbered *marks; /* oldest first */
    size_t n_marks, room_marks;
    uint64_t mark_number; /* of the newest mark there was */
    uint64_t forgotten_mark,
        forgotten_until; /* the newest mark that was dropped for want of room, and its offset */
};

void stream_init(struct stream *s, uint64_t epoch, uint64_t offset);
void stream_fini(struct stream *s);
/* Another incarnation: empty, at offset 0. Viewers meet it as VIEW_EPOCH. */
void stream_restart(struct stream *s, uint64_t epoch);

/* Output at `newest`. */
void stream_append(struct stream *s, struct span bytes);
/* Something at `newest`. After a gap the stream goes on at its end. */
void stream_mark(struct stream *s, const struct stream_mark *mark);
/* What came before `oldest`, found elsewhere: only into a stream that nobody looks at yet. */
void stream_prepend(struct stream *s, struct span bytes);
/* Gives memory back when it has been quiet. */
void stream_trim(struct stream *s);
/* Bytes that it has allocated. */
size_t stream_memory(const struct stream *s);

struct stream_viewer {
    struct list in_stream;
    uint64_t epoch;
    uint64_t offset; /* the next byte it needs */
    uint64_t acked;  /* it has dealt with everything before */
    bool flow;       /* it acknowledges: the window holds. Otherwise the socket alone slows it down */
    bool exact;      /* it wants every byte */
    bool needs_snapshot;
    uint64_t skipped_ms; /* when it was last skipped ahead; 0 never */
    uint64_t
        due_ms;    /* VIEW_NOTHING because it was skipped ahead a moment ago: pull again then. 0 otherwise */
    uint64_t mark; /* stream.c's: the last mark that it has had */
    uint64_t lost_until; /* stream.c's: a gap of its own */
};

enum stream_view {
    VIEW_NOTHING,  /* it has everything, or its window is full */
    VIEW_BYTES,    /* `bytes` at `offset` */
    VIEW_MARK,     /* `mark` */
    VIEW_SNAPSHOT, /* it must get the screen as of `offset` (== newest); stream_viewer_at() afterwards */
    VIEW_OLDER, /* bytes.n bytes at most, from `offset` on, have to be read from the journal; stream_viewer_sent()
                      afterwards */
    VIEW_EPOCH, /* another incarnation: tell it, then a snapshot; one that wants every byte goes on at its offset 0 */
};

struct stream_item {
    uint64_t offset;
    struct span bytes; /* borrowed until the stream changes */
    struct stream_mark mark;
};

/* A viewer that has nothing, or one that has everything of `epoch` before `offset`. One that cannot be continued (another
 * epoch, an offset that never was) begins with a snapshot. */
void stream_attach(struct stream *s, struct stream_viewer *v, const uint64_t *epoch, const uint64_t *offset);
void stream_detach(struct stream_viewer *v);

/* What is next for it, at most `max` bytes. Bytes and marks count as sent by this. Behind a gap the screen is uncertain:
 * a snapshot follows, unless it wants every byte. */
enum stream_view stream_pull(struct stream *s, struct stream_viewer *v, uint64_t now_ms, size_t max,
                             struct stream_item *ret);
/* It got a snapshot that stands for `offset`. */
void stream_viewer_at(struct stream *s, struct stream_viewer *v, uint64_t offset);
/* It got `n` older bytes. */
void stream_viewer_sent(struct stream_viewer *v, size_t n);
/* The journal has no such bytes any more: it is skipped ahead, or meets a gap when it wants every byte. */
void stream_viewer_lost(struct stream *s, struct stream_viewer *v);
/* Offsets that it was never sent are ignored. Returns whether there may be more for it now. */
bool stream_ack(struct stream *s, struct stream_viewer *v, uint64_t offset);
