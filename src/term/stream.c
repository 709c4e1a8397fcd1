/*
 * Chunks and marks are two lists in the order of their offsets. Chunks grow with what is held, from 1 to 64 KiB, so that a
 * quiet terminal costs little and a busy one few allocations; whole chunks go when there is more than `keep` behind them.
 *
 * Marks are numbered. A viewer remembers the number of the last one it has had, because several may share an offset with each
 * other and with its cursor.
 */
#include "term/stream.h"

#include "base/mem.h"

#include <stdlib.h>

enum { CHUNK_BYTES_MIN = 1 << 10, CHUNK_BYTES_MAX = 64 << 10 };

struct chunk {
    struct list in_stream;
    uint64_t offset;
    size_t n, room;
    char bytes[];
};

struct mark {
    struct list in_stream;
    uint64_t number;
    struct stream_mark what;
};

static uint64_t chunk_end(const struct chunk *c) {
    return c->offset + c->n;
}

static struct chunk *chunk_new(uint64_t offset, size_t room) {
    struct chunk *c = xmalloc(sizeof *c + room);
    *c = (struct chunk){.offset = offset, .room = room};
    list_init(&c->in_stream);
    return c;
}

static void chunk_fill(struct chunk *c, struct span bytes) {
    memcpy(c->bytes + c->n, bytes.p, bytes.n);
    c->n += bytes.n;
}

static void chunk_free(struct chunk *c) {
    list_remove(&c->in_stream);
    free(c);
}

static struct chunk *first_chunk(const struct stream *s) {
    return list_first(&s->chunks, struct chunk, in_stream);
}

static struct chunk *last_chunk(const struct stream *s) {
    return list_empty(&s->chunks) ? NULL : list_entry(s->chunks.prev, struct chunk, in_stream);
}

static void drop_chunks(struct stream *s, size_t keep) {
    for (struct chunk *c; (c = first_chunk(s)) && s->newest - chunk_end(c) >= keep;)
        chunk_free(c);
    const struct chunk *c = first_chunk(s);
    s->oldest = c ? c->offset : s->newest;
}

static void drop_mark(struct stream *s, struct mark *m) {
    list_remove(&m->in_stream);
    free(m);
    s->n_marks--;
}

static void clear(struct stream *s) {
    for (struct chunk *c; (c = first_chunk(s));)
        chunk_free(c);
    list_for_each_safe(at, &s->marks)
        drop_mark(s, list_entry(at, struct mark, in_stream));
}

void stream_init(struct stream *s, uint64_t epoch, uint64_t offset) {
    *s = (struct stream){.epoch = epoch, .oldest = offset, .newest = offset, .keep = STREAM_KEEP_BYTES};
    list_init(&s->viewers);
    list_init(&s->chunks);
    list_init(&s->marks);
}

void stream_fini(struct stream *s) {
    clear(s);
    list_for_each_safe(at, &s->viewers)
        list_remove(at);
}

void stream_restart(struct stream *s, uint64_t epoch) {
    clear(s);
    s->epoch = epoch;
    s->oldest = s->newest = 0;
    s->forgotten_mark = s->forgotten_until = 0;
}

/* The part of `c` from `offset` on, in no more memory than it needs. */
static void cut_chunk(struct chunk *c, uint64_t offset) {
    size_t skip = offset > c->offset ? (size_t)(offset - c->offset) : 0;
    if (!skip && c->n == c->room) return;
    struct chunk *cut = chunk_new(c->offset + skip, c->n - skip);
    chunk_fill(cut, span_of(c->bytes + skip, c->n - skip));
    list_insert_before(&c->in_stream, &cut->in_stream);
    chunk_free(c);
}

void stream_append(struct stream *s, struct span bytes) {
    while (bytes.n) {
        struct chunk *c = last_chunk(s);
        if (!c || c->n == c->room || chunk_end(c) != s->newest) {
            if (c) cut_chunk(c, c->offset); /* it ended at a gap */
            uint64_t wanted = MAX(s->newest - s->oldest, (uint64_t)bytes.n);
            c = chunk_new(s->newest, (size_t)MIN(MAX(wanted, CHUNK_BYTES_MIN), CHUNK_BYTES_MAX));
            list_append(&s->chunks, &c->in_stream);
        }
        struct span part = span_take(bytes, c->room - c->n);
        chunk_fill(c, part);
        s->newest += part.n;
        bytes = span_skip(bytes, part.n);
    }
    drop_chunks(s, s->keep);
}

void stream_mark(struct stream *s, const struct stream_mark *what) {
    assert(what->offset == s->newest);
    struct mark *last = list_empty(&s->marks) ? NULL : list_entry(s->marks.prev, struct mark, in_stream);
    /* Only the last of several sizes at one place matters. */
    if (last && last->what.kind == STREAM_RESIZED && what->kind == STREAM_RESIZED &&
        last->what.offset == what->offset)
        drop_mark(s, last);

    struct mark *m = xmalloc(sizeof *m);
    *m = (struct mark){.number = ++s->mark_number, .what = *what};
    list_append(&s->marks, &m->in_stream);
    if (++s->n_marks > STREAM_MARKS_MAX) {
        struct mark *oldest = list_entry(s->marks.next, struct mark, in_stream);
        s->forgotten_mark = oldest->number;
        s->forgotten_until = oldest->what.offset;
        drop_mark(s, oldest);
    }
    if (what->kind == STREAM_GAP) {
        assert(what->to >= what->offset);
        s->newest = what->to;
        drop_chunks(s, s->keep);
    }
}

void stream_prepend(struct stream *s, struct span bytes) {
    assert(list_empty(&s->viewers) && bytes.n <= s->oldest);
    uint64_t held = s->newest - s->oldest;
    size_t room = held < s->keep ? s->keep - (size_t)held : 0;
    if (bytes.n > room) bytes = span_skip(bytes, bytes.n - room);
    while (bytes.n) {
        size_t n = MIN(bytes.n, (size_t)CHUNK_BYTES_MAX);
        struct chunk *c = chunk_new(s->oldest - n, n);
        chunk_fill(c, span_skip(bytes, bytes.n - n));
        list_insert_before(s->chunks.next, &c->in_stream);
        s->oldest = c->offset;
        bytes.n -= n;
    }
}

void stream_trim(struct stream *s) {
    drop_chunks(s, STREAM_IDLE_BYTES);
    uint64_t from = s->newest > STREAM_IDLE_BYTES ? s->newest - STREAM_IDLE_BYTES : 0;
    list_for_each_safe(at, &s->chunks)
        cut_chunk(list_entry(at, struct chunk, in_stream), from);
    drop_chunks(s, STREAM_IDLE_BYTES);
}

size_t stream_memory(const struct stream *s) {
    size_t n = s->n_marks * sizeof(struct mark);
    list_for_each(at, &s->chunks)
        n += sizeof(struct chunk) + list_entry(at, struct chunk, in_stream)->room;
    return n;
}

/* Marks are looked for from the newest back: hardly any viewer is more than one behind. */

/* The first mark that the viewer has not had; NULL when it has had them all. */
static const struct mark *next_mark(const struct stream *s, const struct stream_viewer *v) {
    const struct mark *found = NULL;
    for (const struct list *at = s->marks.prev; at != &s->marks; at = at->prev) {
        const struct mark *m = list_entry(at, struct mark, in_stream);
        if (m->number <= v->mark) break;
        found = m;
    }
    return found;
}

/* The number of the last mark before `offset`, or, with `upto`, before or at it; an exit is never passed over by that. */
static uint64_t mark_before(const struct stream *s, uint64_t offset, bool upto) {
    uint64_t number = 0;
    list_for_each(at, &s->marks) {
        const struct mark *m = list_entry(at, struct mark, in_stream);
        if (m->what.offset > offset || (m->what.offset == offset && !upto)) break;
        if (upto && m->what.kind == STREAM_EXITED) break;
        number = m->number;
    }
    return number;
}

/* Where the gap ends that `offset` lies in; 0 when it is in none. */
static uint64_t gap_end(const struct stream *s, uint64_t offset) {
    list_for_each(at, &s->marks) {
        const struct stream_mark *m = &list_entry(at, struct mark, in_stream)->what;
        if (m->kind == STREAM_GAP && offset > m->offset && offset < m->to) return m->to;
    }
    return 0;
}

void stream_attach(struct stream *s, struct stream_viewer *v, const uint64_t *epoch, const uint64_t *offset) {
    bool goes_on =
        epoch && offset && *epoch == s->epoch && *offset <= s->newest && (v->exact || *offset >= s->oldest);
    uint64_t lost = goes_on ? gap_end(s, *offset) : 0;
    if (lost && !v->exact) goes_on = false;
    list_init(&v->in_stream);
    list_append(&s->viewers, &v->in_stream);
    v->epoch = s->epoch;
    v->offset = v->acked = goes_on ? *offset : s->newest;
    v->needs_snapshot = !goes_on;
    v->skipped_ms = v->due_ms = 0;
    v->lost_until = lost; /* it had seen more than was kept, and lacks the rest */
    v->mark = mark_before(s, v->offset, false);
}

void stream_detach(struct stream_viewer *v) {
    list_remove(&v->in_stream);
}

/* Whatever was sent before counts as dealt with: the window begins anew. */
static void jump(struct stream_viewer *v, uint64_t offset) {
    v->offset = v->acked = offset;
}

void stream_viewer_at(struct stream *s, struct stream_viewer *v, uint64_t offset) {
    jump(v, offset);
    v->needs_snapshot = false;
    v->lost_until = 0;
    v->mark = MAX(v->mark, mark_before(s, offset, true));
}

void stream_viewer_sent(struct stream_viewer *v, size_t n) {
    v->offset += n;
}

void stream_viewer_lost(struct stream *s, struct stream_viewer *v) {
    if (v->epoch != s->epoch || v->offset >= s->oldest) return;
    if (v->exact)
        v->lost_until = s->oldest;
    else
        v->needs_snapshot = true;
}

bool stream_ack(struct stream *s, struct stream_viewer *v, uint64_t offset) {
    if (v->epoch == s->epoch && offset > v->acked && offset <= v->offset) v->acked = offset;
    return v->epoch != s->epoch || v->needs_snapshot || v->offset < s->newest || next_mark(s, v);
}

static enum stream_view give_epoch(struct stream *s, struct stream_viewer *v) {
    jump(v, 0);
    v->epoch = s->epoch;
    v->lost_until = 0;
    v->mark = mark_before(s, 0, false);
    v->needs_snapshot = !v->exact;
    return VIEW_EPOCH;
}

static enum stream_view give_mark(struct stream_viewer *v, const struct stream_mark *m,
                                  struct stream_item *ret) {
    ret->mark = *m;
    if (m->kind == STREAM_GAP) {
        jump(v, m->to);
        if (!v->exact) v->needs_snapshot = true;
    }
    return VIEW_MARK;
}

/* What the journal lost for it, up to where this stream begins; the marks in there go with it. */
static enum stream_view give_loss(struct stream *s, struct stream_viewer *v, struct stream_item *ret) {
    struct stream_mark gap = {.kind = STREAM_GAP, .offset = v->offset, .to = MAX(v->lost_until, v->offset)};
    v->lost_until = 0;
    v->mark = MAX(v->mark, mark_before(s, gap.to, false));
    return give_mark(v, &gap, ret);
}

static enum stream_view give_bytes(struct stream *s, struct stream_viewer *v, size_t max,
                                   struct stream_item *ret) {
    if (v->offset < s->oldest) {
        ret->bytes = span_of(NULL, (size_t)MIN((uint64_t)max, s->oldest - v->offset));
        return VIEW_OLDER;
    }
    const struct list *at = s->chunks.prev;
    while (list_entry(at, struct chunk, in_stream)->offset > v->offset)
        at = at->prev;
    const struct chunk *c = list_entry(at, struct chunk, in_stream);
    ret->bytes = span_take(span_skip(span_of(c->bytes, c->n), (size_t)(v->offset - c->offset)), max);
    v->offset += ret->bytes.n;
    return VIEW_BYTES;
}

/* Would it see less than a snapshot shows, or is it too far behind to be worth following? */
static bool should_skip(const struct stream *s, const struct stream_viewer *v) {
    return v->offset < s->oldest || s->newest - v->offset > STREAM_BEHIND_BYTES ||
           (s->forgotten_mark > v->mark && v->offset <= s->forgotten_until);
}

enum stream_view stream_pull(struct stream *s, struct stream_viewer *v, uint64_t now_ms, size_t max,
                             struct stream_item *ret) {
    v->due_ms = 0;
    if (v->epoch != s->epoch) {
        *ret = (struct stream_item){0};
        return give_epoch(s, v);
    }
    *ret = (struct stream_item){.offset = v->needs_snapshot ? s->newest : v->offset};
    if (v->needs_snapshot) return VIEW_SNAPSHOT;
    if (v->lost_until) return give_loss(s, v, ret);
    const struct mark *mark = next_mark(s, v);
    if (mark && mark->what.offset <= v->offset) {
        v->mark = mark->number;
        return give_mark(v, &mark->what, ret);
    }
    uint64_t window =
        v->flow ? STREAM_WINDOW_BYTES - MIN(v->offset - v->acked, STREAM_WINDOW_BYTES) : UINT64_MAX;
    if (v->offset >= s->newest || !window || !max) return VIEW_NOTHING;

    if (!v->exact && should_skip(s, v)) {
        if (!v->skipped_ms || now_ms - v->skipped_ms >= STREAM_SKIP_MS) {
            v->skipped_ms = MAX(now_ms, 1);
            v->needs_snapshot = true;
            ret->offset = s->newest;
            return VIEW_SNAPSHOT;
        }
        if (v->offset < s->oldest) {
            v->due_ms = v->skipped_ms + STREAM_SKIP_MS;
            return VIEW_NOTHING;
        }
    }
    if (mark) window = MIN(window, mark->what.offset - v->offset);
    return give_bytes(s, v, (size_t)MIN(window, (uint64_t)max), ret);
}
