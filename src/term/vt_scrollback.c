#include "term/vt_scrollback.h"

#include "base/mem.h"
#include "term/vt_style.h"

/* An idle terminal has few lines: chunks begin small. */
enum { CHUNK_MIN = 2 << 10, CHUNK_MAX = 32 << 10 };

static uint16_t *slots(const struct vt_chunk *c) {
    return (uint16_t *)(void *)(c->data + c->room);
}
static uint32_t line_start(const struct vt_chunk *c, uint32_t i) {
    return slots(c)[-(ptrdiff_t)i - 1];
}
static uint32_t line_end(const struct vt_chunk *c, uint32_t i) {
    return i + 1 < c->n ? line_start(c, i + 1) : c->used;
}
static size_t chunk_free(const struct vt_chunk *c) {
    size_t taken = c->used + (c->n + 1) * sizeof(uint16_t);
    /* Where a line begins must fit into its slot. */
    return taken < c->room && c->used <= UINT16_MAX ? c->room - taken : 0;
}

void vt_scrollback_clear(struct vt_scrollback *s) {
    for (size_t i = s->gone; i < s->n; i++)
        free(s->chunks[i]);
    free(s->chunks);
    free(s->spare);
    *s = (struct vt_scrollback){.limit = s->limit};
}

void vt_scrollback_fini(struct vt_scrollback *s) {
    vt_scrollback_clear(s);
}

static struct vt_chunk *open_chunk(struct vt_scrollback *s, size_t need) {
    if (s->n == s->size) {
        if (s->gone > s->n / 2) {
            for (size_t i = s->gone; i < s->n; i++)
                s->chunks[i - s->gone] = s->chunks[i];
            s->n -= s->gone;
            s->gone = 0;
        } else {
            s->size = s->size ? s->size * 2 : 4;
            s->chunks = xreallocarray(s->chunks, s->size, sizeof(struct vt_chunk *));
        }
    }
    size_t room = CHUNK_MIN;
    if (s->n > s->gone) room = MIN(MAX(s->chunks[s->n - 1]->room * 2, CHUNK_MIN), CHUNK_MAX);
    room = (MAX(room, need) + 1) & ~(size_t)1;
    struct vt_chunk *c = s->spare && s->spare->room >= room ? s->spare : NULL;
    if (c)
        s->spare = NULL;
    else
        c = xmalloc(sizeof *c + room), c->room = (uint32_t)room;
    c->used = c->first = c->n = 0;
    s->chunks[s->n++] = c;
    s->at = s->gone;
    s->at_line = 0;
    return c;
}

static struct vt_chunk *newest(const struct vt_scrollback *s) {
    return s->n > s->gone ? s->chunks[s->n - 1] : NULL;
}

static void drop_oldest(struct vt_scrollback *s) {
    struct vt_chunk *c = s->chunks[s->gone];
    s->lines--;
    s->at = s->gone;
    s->at_line = 0;
    if (++c->first < c->n) return;
    s->at = ++s->gone;
    free(s->spare);
    s->spare = c;
}

static void added(struct vt_scrollback *s, struct vt_chunk *c, size_t n) {
    slots(c)[-(ptrdiff_t)c->n - 1] = (uint16_t)c->used;
    c->used += (uint32_t)n;
    c->n++;
    if (++s->lines > s->limit) drop_oldest(s);
}

void vt_scrollback_push(struct vt_scrollback *s, const struct vt *vt, const struct vt_row *row) {
    if (s->limit == 0) return;
    struct vt_chunk *c = newest(s);
    size_t n = c ? vt_line_pack(vt, row, c->data + c->used, chunk_free(c)) : 0;
    if (!n) {
        /* Few lines need as much as they might: the memory that is not is given back. */
        size_t max = vt_line_bytes_max(MAX(row->n, row->tail ? row->len : 0)) + sizeof(uint16_t) * 2;
        uint8_t *line = xmalloc(max);
        n = vt_line_pack(vt, row, line, max);
        vt_scrollback_append(s, span_of((const char *)line, n));
        free(line);
        return;
    }
    added(s, c, n);
}

void vt_scrollback_append(struct vt_scrollback *s, struct span line) {
    if (s->limit == 0) return;
    struct vt_chunk *c = newest(s);
    if (!c || chunk_free(c) < line.n) c = open_chunk(s, line.n + 2 * sizeof(uint16_t));
    memcpy(c->data + c->used, line.p, line.n);
    added(s, c, line.n);
}

void vt_scrollback_pop(struct vt_scrollback *s) {
    struct vt_chunk *c = newest(s);
    if (!c) return;
    s->lines--;
    c->used = line_start(c, --c->n);
    s->at = s->gone;
    s->at_line = 0;
    if (c->n > c->first) return;
    free(c);
    s->n--;
}

struct span vt_scrollback_line(const struct vt_scrollback *s, unsigned line) {
    /* Most look-ups go on where the last one was. */
    struct vt_scrollback *cache = (struct vt_scrollback *)s;
    if (s->at < s->gone || s->at >= s->n || line < s->at_line) {
        cache->at = s->gone;
        cache->at_line = 0;
    }
    while (line - s->at_line >= s->chunks[s->at]->n - s->chunks[s->at]->first) {
        cache->at_line += s->chunks[s->at]->n - s->chunks[s->at]->first;
        cache->at++;
    }
    const struct vt_chunk *c = s->chunks[s->at];
    uint32_t i = c->first + line - s->at_line, start = line_start(c, i);
    return span_of((const char *)c->data + start, line_end(c, i) - start);
}

void vt_scrollback_mark_links(const struct vt_scrollback *s, struct vt_intern *links) {
    for (unsigned i = 0; i < s->lines; i++) {
        struct vt_line_head head;
        if (!vt_line_head(vt_scrollback_line(s, i), &head) || !(head.flags & LINE_LINKS)) continue;
        for (const uint8_t *p = head.runs; p && p < head.end;) {
            uint64_t n;
            struct vt_style style;
            uint16_t link = 0;
            p = vt_varint_get(p, head.end, &n);
            if (p) p = vt_style_decode(p, head.end, &style, &link);
            if (p && vt_intern_has(links, link)) vt_intern_mark(links, link);
        }
    }
}

size_t vt_scrollback_memory(const struct vt_scrollback *s) {
    size_t bytes = s->size * sizeof(struct vt_chunk *) + (s->spare ? sizeof *s->spare + s->spare->room : 0);
    for (size_t i = s->gone; i < s->n; i++)
        bytes += sizeof(struct vt_chunk) + s->chunks[i]->room;
    return bytes;
}
