/*
 * Chunks and marks lie in the order of their offsets. Chunks grow with what is held, from 1 to 64 KiB, so that a quiet terminal
 * costs little and a busy one few allocations; whole chunks go when there is more than `keep` behind them.
 *
 * Marks are numbered. A viewer remembers the number of the last one it has had, because several may share an offset with each
 * other and with its cursor.
 */
#include "term/stream.h"

#include "base/mem.h"

#include <stdlib.h>

enum { CHUNK_BYTES_MIN = 1 << 10, CHUNK_BYTES_MAX = 64 << 10 };

struct stream_chunk {
    uint64_t offset;
    size_t n, room;
    char bytes[];
};

struct stream_numbered {
    uint64_t number;
    struct stream_mark mark;
};

static uint64_t chunk_end(const struct stream_chunk *c) {
    return c->offset + c->n;
}

static struct stream_chunk *chunk_new(uint64_t offset, size_t room) {
    struct stream_chunk *c = xmalloc(sizeof *c + room);
    *c = (struct stream_chunk){.offset = offset, .room = room};
    return c;
}

static void chunk_fill(struct stream_chunk *c, struct span bytes) {
    memcpy(c->bytes + c->n, bytes.p, bytes.n);
    c->n += bytes.n;
}

/* Its bytes from `offset` on, in no more memory than they need. */
static struct stream_chunk *chunk_fit(struct stream_chunk *c, uint64_t offset) {
    size_t skip = offset > c->offset ? (size_t)(offset - c->offset) : 0;
    memmove(c->bytes, c->bytes + skip, c->n - skip);
    c->offset += skip;
    c->n -= skip;
    c->room = c->n;
    return xrealloc(c, sizeof *c + c->room);
}

static struct stream_chunk *last_chunk(const struct stream *s) {
    return s->n_chunks ? s->chunks[s->n_chunks - 1] : NULL;
}

static void insert_chunk(struct stream *s, size_t at, struct stream_chunk *c) {
    if (s->n_chunks == s->room_chunks) {
        s->room_chunks = s->room_chunks ? 2 * s->room_chunks : 4;
        s->chunks = xreallocarray(s->chunks, s->room_chunks, sizeof(struct stream_chunk *));
    }
    memmove(s->chunks + at + 1, s->chunks + at, (s->n_chunks - at) * sizeof(struct stream_chunk *));
    s->chunks[at] = c;
    s->n_chunks++;
}

static void drop_chunks(struct stream *s, size_t keep) {
    size_t n = 0;
    for (; n < s->n_chunks && s->newest - chunk_end(s->chunks[n]) >= keep; n++)
        free(s->chunks[n]);
    s->n_chunks -= n;
    if (n) memmove(s->chunks, s->chunks + n, s->n_chunks * sizeof(struct stream_chunk *));
    s->oldest = s->n_chunks ? s->chunks[0]->offset : s->newest;
}

static void clear(struct stream *s) {
    for (size_t i = 0; i < s->n_chunks; i++)
        free(s->chunks[i]);
    free(s->chunks);
    free(s->marks);
    s->chunks = NULL;
    s->marks = NULL;
    s->n_chunks = s->room_chunks = s->n_marks = s->room_marks = 0;
}

void stream_init(struct stream *s, uint64_t epoch, uint64_t offset) {
    *s = (struct stream){.epoch = epoch, .oldest = offset, .newest = offset, .keep = STREAM_KEEP_BYTES};
    list_init(&s->viewers);
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

void stream_append(struct stream *s, struct span bytes) {
    while (bytes.n) {
        struct stream_chunk *c = last_chunk(s);
        if (!c || c->n == c->room || chunk_end(c) != s->newest) {
            if (c && c->n < c->room)
                s->chunks[s->n_chunks - 1] = chunk_fit(c, c->offset); /* it ended at a gap */
            uint64_t wanted = MAX(s->newest - s->oldest, (uint64_t)bytes.n);
            c = chunk_new(s->newest, (size_t)MIN(MAX(wanted, CHUNK_BYTES_MIN), CHUNK_BYTES_MAX));
            insert_chunk(s, s->n_chunks, c);
        }
        struct span part = span_take(bytes, c->room - c->n);
        chunk_fill(c, part);
        s->newest += part.n;
        bytes = span_skip(bytes, part.n);
    }
    drop_chunks(s, s->keep);
}

static void add_mark(struct stream *s, const struct stream_mark *mark) {
    if (s->marks && s->n_marks == STREAM_MARKS_MAX) {
        s->forgotten_mark = s->marks[0].number;
        s->forgotten_until = s->marks[0].mark.offset;
        memmove(s->marks, s->marks + 1, --s->n_marks * sizeof *s->marks);
    }
    if (!s->marks || s->n_marks == s->room_marks) {
        s->room_marks = s->room_marks ? 2 * s->room_marks : 2;
        s->marks = xreallocarray(s->marks, s->room_marks, sizeof *s->marks);
    }
    s->marks[s->n_marks++] = (struct stream_numbered){++s->mark_number, *mark};
}

void stream_mark(struct stream *s, const struct stream_mark *mark) {
    assert(mark->offset == s->newest && (mark->kind != STREAM_GAP || mark->to >= mark->offset));
    /* Only the last of several sizes at one place matters. */
    const struct stream_mark *last = s->n_marks ? &s->marks[s->n_marks - 1].mark : NULL;
    if (last && last->kind == STREAM_RESIZED && mark->kind == STREAM_RESIZED && last->offset == mark->offset)
        s->n_marks--;
    add_mark(s, mark);
    if (mark->kind != STREAM_GAP) return;
    s->newest = mark->to;
    drop_chunks(s, s->keep);
}

void stream_prepend(struct stream *s, struct span bytes) {
    assert(list_empty(&s->viewers) && bytes.n <= s->oldest);
    uint64_t held = s->newest - s->oldest;
    size_t room = held < s->keep ? s->keep - (size_t)held : 0;
    if (bytes.n > room) bytes = span_skip(bytes, bytes.n - room);
    while (bytes.n) {
        size_t n = MIN(bytes.n, (size_t)CHUNK_BYTES_MAX);
        struct stream_chunk *c = chunk_new(s->oldest - n, n);
        chunk_fill(c, span_skip(bytes, bytes.n - n));
        insert_chunk(s, 0, c);
        s->oldest = c->offset;
        bytes.n -= n;
    }
}

void stream_trim(struct stream *s) {
    drop_chunks(s, STREAM_IDLE_BYTES);
    uint64_t from = s->newest > STREAM_IDLE_BYTES ? s->newest - STREAM_IDLE_BYTES : 0;
    for (size_t i = 0; i < s->n_chunks; i++)
        if (s->chunks[i]->n < s->chunks[i]->room || s->chunks[i]->offset < from)
            s->chunks[i] = chunk_fit(s->chunks[i], from);
    drop_chunks(s, STREAM_IDLE_BYTES);
}

size_t stream_memory(const struct stream *s) {
    size_t n = s->room_chunks * sizeof(struct stream_chunk *) + s->room_marks * sizeof *s->marks;
    for (size_t i = 0; i < s->n_chunks; i++)
        n += sizeof(struct stream_chunk) + s->chunks[i]->room;
    return n;
}

/* Marks are looked for from the newest back: hardly any viewer is more than one behind. */

/* The first mark that the viewer has not had; NULL when it has had them all. */
static const struct stream_numbered *next_mark(const struct stream *s, const struct stream_viewer *v) {
    size_t i = s->n_marks;
    while (i > 0 && s->marks[i - 1].number > v->mark)
        i--;
    return i < s->n_marks ? &s->marks[i] : NULL;
}

/* The number of the last mark before `offset`, or, with `upto`, before or at it; an exit is never passed over by that. */
static uint64_t mark_before(const struct stream *s, uint64_t offset, bool upto) {
    uint64_t number = 0;
    for (size_t i = 0; i < s->n_marks; i++) {
        const struct stream_mark *m = &s->marks[i].mark;
        if (m->offset > offset || (m->offset == offset && !upto)) break;
        if (upto && m->kind == STREAM_EXITED) break;
        number = s->marks[i].number;
    }
    return number;
}

/* Where the gap ends that `offset` lies in; 0 when it is in none. */
static uint64_t gap_end(const struct stream *s, uint64_t offset) {
    for (size_t i = 0; i < s->n_marks; i++) {
        const struct stream_mark *m = &s->marks[i].mark;
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
    size_t i = s->n_chunks;
    while (s->chunks[i - 1]->offset > v->offset)
        i--;
    const struct stream_chunk *c = s->chunks[i - 1];
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
    const struct stream_numbered *next = next_mark(s, v);
    if (next && next->mark.offset <= v->offset) {
        v->mark = next->number;
        return give_mark(v, &next->mark, ret);
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
    if (next) window = MIN(window, next->mark.offset - v->offset);
    return give_bytes(s, v, (size_t)MIN(window, (uint64_t)max), ret);
}
