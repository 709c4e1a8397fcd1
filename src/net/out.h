/*
 * What a connection has still to send, in order: text that was copied, bytes that are someone else's (embedded files),
 * heap blocks and shared WebSocket frames. The pieces at the front may be in flight, given to the loop to write; their
 * memory does not move until they have landed, while new text goes into a second buffer.
 */
#pragma once

#include "base/buf.h"

#include <uv.h>

struct ws_frame;

enum { OUT_GATHER_MAX = 64 };

struct out_piece {
    const char *p; /* NULL: text, at `off` of the text buffer */
    size_t off;
    size_t n;
    char *heap;             /* freed when sent */
    struct ws_frame *frame; /* unreferenced when sent */
};

struct out {
    struct out_piece *pieces;
    size_t count, room;
    size_t flying;      /* how many of them, from the front, are in flight */
    size_t bytes;       /* unsent, those in flight included */
    struct buf text;    /* of the pieces that wait */
    size_t text_queued; /* how much of it is in pieces */
    struct buf flight;  /* of those in flight */
    bool failed;        /* something could not be queued: the stream is broken */
};

void out_init(struct out *o);
void out_fini(struct out *o);

/* Text is written into the buffer between these two. */
struct buf *out_text_begin(struct out *o);
void out_text_end(struct out *o);
void out_text(struct out *o, struct span text);        /* copied */
void out_static(struct out *o, struct span bytes);     /* must outlive the connection */
void out_heap(struct out *o, char *p, size_t n);       /* takes the block */
void out_frame(struct out *o, struct ws_frame *frame); /* takes the reference */

/* The bytes that wait, at most OUT_GATHER_MAX pieces; none may be in flight. */
unsigned out_gather(const struct out *o, uv_buf_t bufs[OUT_GATHER_MAX]);
/* A copy of the first bytes that wait, at most `room`; none may be in flight. */
size_t out_copy(const struct out *o, char *into, size_t room);
void out_took(struct out *o, size_t n); /* the first n bytes of them are gone */
/* The first `pieces` that wait are in flight from now on; their addresses are in `bufs`, which may differ. */
void out_fly(struct out *o, unsigned pieces, uv_buf_t bufs[OUT_GATHER_MAX]);
void out_landed(struct out *o);
