#include "net/out.h"

#include "base/mem.h"
#include "net/ws_frame_int.h"

enum {
    TEXT_MAX = 16 * 1024 * 1024, /* far above what caps elsewhere allow */
    KEEP_BYTES = 64 * 1024,      /* memory above this is given back when all is sent */
};

void out_init(struct out *o) {
    *o = (struct out){.text = BUF_INIT(TEXT_MAX), .flight = BUF_INIT(TEXT_MAX)};
}

static void release(struct out_piece *piece) {
    free(piece->heap);
    ws_frame_unref(piece->frame);
}

void out_fini(struct out *o) {
    for (size_t i = 0; i < o->count; i++)
        release(&o->pieces[i]);
    free(o->pieces);
    buf_fini(&o->text);
    buf_fini(&o->flight);
    out_init(o);
}

static void push(struct out *o, struct out_piece piece) {
    if (o->count == o->room) {
        o->room = o->room ? o->room * 2 : 4;
        o->pieces = xreallocarray(o->pieces, o->room, sizeof *o->pieces);
    }
    o->pieces[o->count++] = piece;
    o->bytes += piece.n;
}

struct buf *out_text_begin(struct out *o) {
    return &o->text;
}

/* Text that follows text becomes one piece, so that many small answers leave in one buffer. */
void out_text_end(struct out *o) {
    if (o->text.failed) o->failed = true;
    size_t from = o->text_queued, n = o->text.n - from;
    o->text_queued = o->text.n;
    if (n == 0) return;
    if (o->count > o->flying && !o->pieces[o->count - 1].p) {
        o->pieces[o->count - 1].n += n;
        o->bytes += n;
    } else {
        push(o, (struct out_piece){.off = from, .n = n});
    }
}

void out_text(struct out *o, struct span text) {
    (void)buf_append_span(out_text_begin(o), text);
    out_text_end(o);
}

void out_static(struct out *o, struct span bytes) {
    if (bytes.n) push(o, (struct out_piece){.p = bytes.p, .n = bytes.n});
}

void out_heap(struct out *o, char *p, size_t n) {
    push(o, (struct out_piece){.p = p, .n = n, .heap = p});
}

void out_frame(struct out *o, struct ws_frame *frame) {
    struct span bytes = ws_frame_span(frame);
    push(o, (struct out_piece){.p = bytes.p, .n = bytes.n, .frame = frame});
}

static char *piece_at(const struct out *o, const struct out_piece *piece) {
    return piece->p ? (char *)piece->p : o->text.p + piece->off;
}

unsigned out_gather(const struct out *o, uv_buf_t bufs[OUT_GATHER_MAX]) {
    assert(o->flying == 0);
    unsigned n = 0;
    for (; n < o->count && n < OUT_GATHER_MAX; n++)
        bufs[n] = uv_buf_init(piece_at(o, &o->pieces[n]), (unsigned)o->pieces[n].n);
    return n;
}

size_t out_copy(const struct out *o, char *into, size_t room) {
    assert(o->flying == 0);
    size_t n = 0;
    for (size_t i = 0; i < o->count && n < room; i++) {
        size_t part = MIN(o->pieces[i].n, room - n);
        memcpy(into + n, piece_at(o, &o->pieces[i]), part);
        n += part;
    }
    return n;
}

static void drop_front(struct out *o, size_t pieces) {
    for (size_t i = 0; i < pieces; i++) {
        o->bytes -= o->pieces[i].n;
        release(&o->pieces[i]);
    }
    o->count -= pieces;
    if (o->count) memmove(o->pieces, o->pieces + pieces, o->count * sizeof *o->pieces);
}

static void recycle(struct buf *b) {
    if (b->room > KEEP_BYTES) buf_fini(b);
    buf_clear(b);
}

void out_took(struct out *o, size_t n) {
    assert(o->flying == 0 && n <= o->bytes);
    size_t whole = 0;
    while (whole < o->count && n >= o->pieces[whole].n)
        n -= o->pieces[whole++].n;
    drop_front(o, whole);
    if (n) {
        struct out_piece *first = &o->pieces[0];
        first->n -= n;
        o->bytes -= n;
        if (first->p) {
            first->p += n;
        } else {
            first->off += n;
        }
    }
    if (o->count) return;
    recycle(&o->text);
    o->text_queued = 0;
}

/* Text pieces that do not fly keep their offsets: the buffer they lie in flies as a whole, and they are moved to the
 * front of the new one. */
void out_fly(struct out *o, unsigned pieces, uv_buf_t bufs[OUT_GATHER_MAX]) {
    assert(o->flying == 0 && pieces <= o->count && pieces <= OUT_GATHER_MAX);
    struct buf full = o->text;
    o->text = o->flight;
    o->flight = full;
    for (size_t i = 0; i < o->count; i++) {
        struct out_piece *piece = &o->pieces[i];
        if (!piece->p && i < pieces) {
            piece->p = o->flight.p + piece->off;
        } else if (!piece->p) {
            size_t off = o->text.n;
            if (buf_append(&o->text, o->flight.p + piece->off, piece->n) < 0) o->failed = true;
            piece->off = off;
        }
        if (i < pieces) bufs[i] = uv_buf_init((char *)piece->p, (unsigned)piece->n);
    }
    o->text_queued = o->text.n;
    o->flying = pieces;
}

void out_landed(struct out *o) {
    drop_front(o, o->flying);
    o->flying = 0;
    recycle(&o->flight);
}
