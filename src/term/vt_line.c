#include "term/vt_line.h"

#include "base/utf8.h"
#include "term/vt_int.h"
#include "term/vt_width.h"

uint8_t *vt_varint_put(uint8_t *p, uint64_t n) {
    for (; n >= 0x80; n >>= 7)
        *p++ = (uint8_t)(n | 0x80);
    *p++ = (uint8_t)n;
    return p;
}

const uint8_t *vt_varint_get(const uint8_t *p, const uint8_t *end, uint64_t *ret) {
    uint64_t n = 0;
    for (unsigned shift = 0; shift < 63 && p < end; shift += 7) {
        n |= (uint64_t)(*p & 0x7f) << shift;
        if (*p++ < 0x80) {
            *ret = n;
            return p;
        }
    }
    return NULL;
}

enum { CELL_BYTES_MAX = VT_CLUSTER_BYTES_MAX * 2 + 4, HEAD_BYTES = 8 };

size_t vt_line_bytes_max(unsigned cells) {
    return HEAD_BYTES + (size_t)cells * (CELL_BYTES_MAX + 2 + STYLE_BYTES_MAX);
}

struct packer {
    const struct vt *vt;
    const struct cell *cells;
    unsigned n;
    uint8_t *p, *end;
    uint8_t flags;
};

static uint8_t *put_code(uint8_t *p, uint32_t code) {
    return p + utf8_encode(code, (char *)p);
}

/* The marks of a cluster each stand behind LINE_JOIN. */
static uint8_t *put_cluster(uint8_t *p, struct span text) {
    for (bool first = true; text.n; first = false) {
        size_t n = MAX(utf8_sequence(text), 1U);
        if (!first) *p++ = LINE_JOIN;
        memcpy(p, text.p, n);
        p += n;
        text = span_skip(text, n);
    }
    return p;
}

/* The code point of a well-formed sequence of `n` bytes. */
static uint32_t decode(const char *text, size_t n) {
    const unsigned char *p = (const unsigned char *)text;
    uint32_t code = n == 1 ? p[0] : p[0] & (0x7fU >> n);
    for (size_t i = 1; i < n; i++)
        code = code << 6 | (p[i] & 0x3fU);
    return code;
}

size_t vt_cluster_codes(const struct vt *vt, uint32_t cluster, uint32_t *ret) {
    size_t codes = 0;
    for (struct span text = vt_intern_get(&vt->clusters, cluster); text.n;) {
        size_t n = MAX(utf8_sequence(text), 1U);
        ret[codes++] = decode(text.p, n);
        text = span_skip(text, n);
    }
    return codes;
}

/* The width that a cell's text would get by itself. */
static unsigned natural_width(const struct vt *vt, uint32_t content) {
    uint32_t code = content & CELL_CODE;
    if (!(content & CELL_CLUSTER)) return vt_width(code);
    struct span text = vt_intern_get(&vt->clusters, code);
    return vt_width(decode(text.p, utf8_sequence(text)));
}

/* One cell that is not ASCII, or several empty ones. Returns how many cells were taken, 0 when there is no room. */
static unsigned pack_cell(struct packer *k, unsigned at, unsigned stop) {
    if (k->end - k->p < CELL_BYTES_MAX) return 0;
    struct cell c = k->cells[at];
    if (c.content == CELL_NARROW) {
        unsigned n = 1;
        while (at + n < stop && k->cells[at + n].content == CELL_NARROW)
            n++;
        k->flags |= LINE_MARKED;
        *k->p++ = n > 2 ? LINE_EMPTIES : LINE_EMPTY;
        if (n > 2) k->p = vt_varint_put(k->p, n);
        return n > 2 ? n : 1;
    }
    if (cell_is_stub(c)) {
        k->flags |= LINE_MARKED;
        *k->p++ = LINE_STUB;
        return 1;
    }
    unsigned width = cell_width(c);
    if (width == 0)
        k->flags |= LINE_MARKED; /* a mark without a character is not text that could simply be written */
    bool whole = width != 2 || (at + 1 < stop && cell_is_stub(k->cells[at + 1]));
    if (width != natural_width(k->vt, c.content) || !whole || !(c.content & CELL_CONTENT)) {
        k->flags |= LINE_MARKED;
        *k->p++ = LINE_WIDTH;
        *k->p++ = (uint8_t)(c.content & CELL_CONTENT ? width : width | 4);
        if (!(c.content & CELL_CONTENT)) return 1;
        whole = false;
    }
    if (c.content & CELL_CLUSTER) {
        k->flags |= LINE_MARKED;
        k->p = put_cluster(k->p, vt_intern_get(&k->vt->clusters, c.content & CELL_CODE));
    } else {
        k->p = put_code(k->p, c.content & CELL_CODE);
    }
    return width == 2 && whole ? 2 : 1;
}

static bool same_look(struct cell a, struct cell b) {
    return a.style == b.style && a.link == b.link;
}

/* The text of the cells from `at` on that look alike. Returns where they end, 0 when there is no room. */
static unsigned pack_run(struct packer *k, unsigned at) {
    struct cell first = k->cells[at];
    unsigned stop = at + 1;
    while (stop < k->n && same_look(k->cells[stop], first))
        stop++;
    while (at < stop) {
        if ((size_t)(k->end - k->p) < stop - at) return 0;
        uint8_t *p = k->p;
        while (at < stop && k->cells[at].content - (CELL_NARROW | 0x20U) < 0x5f)
            *p++ = (uint8_t)k->cells[at++].content;
        k->p = p;
        if (at == stop) break;
        unsigned taken = pack_cell(k, at, stop);
        if (!taken) return 0;
        at += taken;
    }
    return stop;
}

static bool pack_styles(struct packer *k) {
    for (unsigned at = 0; at < k->n;) {
        unsigned stop = at + 1;
        while (stop < k->n && same_look(k->cells[stop], k->cells[at]))
            stop++;
        if (k->end - k->p < 2 + STYLE_BYTES_MAX) return false;
        if (k->cells[at].link) k->flags |= LINE_LINKS;
        k->p = vt_varint_put(k->p, stop - at);
        k->p = vt_style_encode(vt_style_of(k->vt, k->cells[at].style), k->cells[at].link, k->p);
        at = stop;
    }
    return true;
}

/* The empty cells behind the last real one, where they have a colour. */
static bool pack_tail(struct packer *k, const struct vt_row *row) {
    if (!row->tail || row->n >= row->len) return true;
    if (k->end - k->p < CELL_BYTES_MAX) return false;
    *k->p++ = LINE_EMPTIES;
    k->p = vt_varint_put(k->p, row->len - row->n);
    k->flags |= LINE_MARKED | LINE_STYLED;
    return true;
}

static bool pack_tail_style(struct packer *k, const struct vt_row *row) {
    if (!row->tail || row->n >= row->len) return true;
    if (k->end - k->p < 2 + STYLE_BYTES_MAX) return false;
    k->p = vt_varint_put(k->p, row->len - row->n);
    k->p = vt_style_encode(vt_style_of(k->vt, row->tail), 0, k->p);
    return true;
}

/* The head goes in front last: how long it is is known only then. */
size_t vt_line_pack(const struct vt *vt, const struct vt_row *row, uint8_t *p, size_t room) {
    if (room < HEAD_BYTES) return 0;
    unsigned n = row->n, all = row->tail ? row->len : 0;
    while (!row->tail && n && row->cells[n - 1].content == CELL_NARROW && !row->cells[n - 1].style &&
           !row->cells[n - 1].link)
        n--;
    struct packer k = {.vt = vt, .cells = row->cells, .n = n, .p = p + HEAD_BYTES, .end = p + room};
    for (unsigned at = 0; at < n;) {
        if (k.cells[at].style || k.cells[at].link) k.flags |= LINE_STYLED;
        if (!(at = pack_run(&k, at))) return 0;
    }
    if (!pack_tail(&k, row)) return 0;
    size_t text = (size_t)(k.p - p) - HEAD_BYTES;
    if (k.flags & LINE_STYLED && (!pack_styles(&k) || !pack_tail_style(&k, row))) return 0;

    uint8_t head[HEAD_BYTES] = {k.flags | (row->wrapped ? LINE_WRAPPED : 0)}, *h = head + 1;
    h = vt_varint_put(h, MAX(n, all));
    h = vt_varint_put(h, text);
    size_t head_bytes = (size_t)(h - head), body = (size_t)(k.p - p) - HEAD_BYTES;
    memcpy(p, head, head_bytes);
    memmove(p + head_bytes, p + HEAD_BYTES, body);
    return head_bytes + body;
}

bool vt_line_head(struct span line, struct vt_line_head *ret) {
    const uint8_t *p = (const uint8_t *)line.p, *end = p + line.n;
    uint64_t cells, text;
    if (line.n < 3) return false;
    ret->flags = *p++;
    p = vt_varint_get(p, end, &cells);
    if (p) p = vt_varint_get(p, end, &text);
    if (!p || cells > VT_COLS_MAX || text > (size_t)(end - p)) return false;
    ret->cells = (unsigned)cells;
    ret->text = span_of((const char *)p, (size_t)text);
    ret->runs = p + text;
    ret->end = end;
    return true;
}

struct unpacker {
    struct vt *vt;
    struct vt_row *row;
    unsigned max; /* cells that the head promised */
};

static bool add_cell(struct unpacker *u, uint32_t content) {
    if (u->row->n >= u->max) return false;
    u->row->cells[u->row->n++].content = content;
    return true;
}

/* A mark joins the cell before, or what the halves of a wide one make up. */
static bool join(struct unpacker *u, struct span mark) {
    unsigned at = u->row->n;
    if (at && cell_is_stub(u->row->cells[at - 1])) at--;
    if (!at) return false;
    struct cell *c = &u->row->cells[at - 1];
    char text[VT_CLUSTER_BYTES_MAX + 1];
    size_t n;
    if (c->content & CELL_CLUSTER) {
        struct span old = vt_intern_get(&u->vt->clusters, c->content & CELL_CODE);
        memcpy(text, old.p, n = old.n);
    } else if (c->content & CELL_CODE) {
        n = utf8_encode(c->content & CELL_CODE, text);
    } else {
        return false;
    }
    if (n + mark.n > VT_CLUSTER_BYTES_MAX) return false;
    memcpy(text + n, mark.p, mark.n);
    uint32_t number = vt_cluster_number(u->vt, span_of(text, n + mark.n));
    if (number) c->content = (c->content & 3U << CELL_WIDTH_SHIFT) | CELL_CLUSTER | number;
    return true;
}

/* One of the bytes that say something else, at `*p`. */
static bool unpack_marked(struct unpacker *u, const uint8_t **p, const uint8_t *end) {
    uint8_t what = *(*p)++;
    uint64_t n = 1;
    if (what == LINE_STUB) return add_cell(u, 0);
    if (what == LINE_EMPTY || what == LINE_EMPTIES) {
        if (what == LINE_EMPTIES && !(*p = vt_varint_get(*p, end, &n))) return false;
        if (n > u->max - u->row->n) return false;
        while (n--)
            (void)add_cell(u, CELL_NARROW);
        return true;
    }
    unsigned width = 0;
    if (what == LINE_WIDTH) {
        if (*p == end || **p > 6) return false;
        width = *(*p)++;
        if (width & 4) return add_cell(u, (width & 3) << CELL_WIDTH_SHIFT);
    } else if (what != LINE_JOIN) {
        return false;
    }
    struct span rest = span_of((const char *)*p, (size_t)(end - *p));
    size_t bytes = utf8_sequence(rest);
    if (!bytes) return false;
    *p += bytes;
    if (what == LINE_JOIN) return join(u, span_take(rest, bytes));
    return add_cell(u, decode(rest.p, bytes) | width << CELL_WIDTH_SHIFT);
}

static bool unpack_text(struct unpacker *u, struct span text) {
    const uint8_t *p = (const uint8_t *)text.p, *end = p + text.n;
    while (p < end) {
        struct cell *cells = u->row->cells;
        unsigned at = u->row->n, max = u->max;
        while (p < end && at < max && (unsigned)*p - 0x20 < 0x5f)
            cells[at++].content = CELL_NARROW | *p++;
        u->row->n = (uint16_t)at;
        if (p == end) break;
        if (*p < 0x20) {
            if (!unpack_marked(u, &p, end)) return false;
            continue;
        }
        size_t n = utf8_sequence(span_of((const char *)p, (size_t)(end - p)));
        if (!n) return false;
        uint32_t code = decode((const char *)p, n);
        unsigned width = vt_width(code);
        p += n;
        if (!add_cell(u, code | width << CELL_WIDTH_SHIFT)) return false;
        if (width == 2 && !add_cell(u, 0)) return false;
    }
    return u->row->n == u->max;
}

static bool unpack_styles(struct unpacker *u, const struct vt_line_head *head) {
    unsigned at = 0;
    const uint8_t *p = head->runs;
    while (p < head->end) {
        uint64_t n;
        struct vt_style style;
        uint16_t link;
        p = vt_varint_get(p, head->end, &n);
        if (!p || !n || n > u->max - at) return false;
        p = vt_style_decode(p, head->end, &style, &link);
        if (!p || (link && !vt_intern_has(&u->vt->links, link))) return false;
        uint16_t number = vt_style_number(u->vt, &style);
        for (uint64_t i = 0; i < n; i++, at++) {
            u->row->cells[at].style = number;
            u->row->cells[at].link = link;
        }
    }
    return at == u->max;
}

bool vt_line_unpack(struct vt *vt, struct span line, unsigned len, struct vt_row *row) {
    struct vt_line_head head;
    if (!vt_line_head(line, &head)) return false;
    vt_row_clear(row, MAX(len, head.cells), 0);
    vt_row_grow(row, head.cells);
    if (head.cells) memset(row->cells, 0, head.cells * sizeof *row->cells);
    row->wrapped = head.flags & LINE_WRAPPED;
    /* The row is in work while styles are looked up: none that it holds already may be swept away. */
    struct vt_work work = {.rows = row, .n = 1, .below = vt->work};
    vt->work = &work;
    struct unpacker u = {.vt = vt, .row = row, .max = head.cells};
    bool ok = unpack_text(&u, head.text) && (!(head.flags & LINE_STYLED) || unpack_styles(&u, &head));
    vt->work = work.below;
    if (!ok) row->n = 0;
    row->len = (uint16_t)len;
    if (row->n > len) row->n = (uint16_t)len;
    return ok;
}
