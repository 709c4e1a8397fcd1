/*
 * Characters go onto the screen. Plain ASCII, which is nearly everything, has a path of its own: a run of it becomes cells
 * sixteen at a time. Everything else goes one by one, in the order in which xterm.js decides.
 */
#include "base/utf8.h"
#include "term/vt_int.h"
#include "term/vt_width.h"

#ifdef __SSE2__
#    include <emmintrin.h>
#endif

/* A narrow cell in the pen's style, for OR with a character; little-endian, as `struct cell` lies in memory. */
static struct cell pen_cell(struct vt *vt) {
    if (!vt->pen.known) vt_pen_learn(vt);
    return (struct cell){.content = CELL_NARROW, .style = vt->pen.style, .link = vt->pen.link};
}

/* Cells from printable bytes, as many as there are in a row, at most `n`. Returns how many. */
static size_t fill_ascii(struct cell *cells, struct cell base, const uint8_t *p, size_t n) {
    size_t i = 0;
#ifdef __SSE2__
    uint64_t word;
    memcpy(&word, &base, sizeof word);
    const __m128i with = _mm_set1_epi64x((long long)word), zero = _mm_setzero_si128();
    const __m128i low = _mm_set1_epi8(0x1f), high = _mm_set1_epi8(0x7f);
    for (; i + 16 <= n; i += 16) {
        __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        /* Signed: bytes from 0x80 on are below 0x20 as well. */
        __m128i good = _mm_and_si128(_mm_cmpgt_epi8(b, low), _mm_cmplt_epi8(b, high));
        if (_mm_movemask_epi8(good) != 0xffff) break;
        __m128i *to = (__m128i *)(void *)(cells + i);
        __m128i halves[2] = {_mm_unpacklo_epi8(b, zero), _mm_unpackhi_epi8(b, zero)};
        for (int h = 0; h < 2; h++) {
            __m128i a = _mm_unpacklo_epi16(halves[h], zero), c = _mm_unpackhi_epi16(halves[h], zero);
            _mm_storeu_si128(to + h * 4 + 0, _mm_or_si128(_mm_unpacklo_epi32(a, zero), with));
            _mm_storeu_si128(to + h * 4 + 1, _mm_or_si128(_mm_unpackhi_epi32(a, zero), with));
            _mm_storeu_si128(to + h * 4 + 2, _mm_or_si128(_mm_unpacklo_epi32(c, zero), with));
            _mm_storeu_si128(to + h * 4 + 3, _mm_or_si128(_mm_unpackhi_epi32(c, zero), with));
        }
    }
#endif
    for (; i < n && p[i] - 0x20U < 0x5f; i++) {
        cells[i] = base;
        cells[i].content |= p[i];
    }
    return i;
}

static void trace(struct vt *vt, struct cell *cells, size_t n) {
    for (size_t i = 0; i < n; i++) {
        cells[i].style = (uint16_t)vt->trace;
        cells[i].link = (uint16_t)(vt->trace++ >> 16);
    }
}

/* On into the next row, which is marked as going on from this one. */
static void wrap(struct vt *vt) {
    struct vt_screen *s = vt->scr;
    s->x = 0;
    s->y++;
    if (s->y == s->bottom + 1) {
        s->y--;
        vt_scroll(vt, true);
        return;
    }
    if (s->y >= vt->rows) s->y = vt->rows - 1;
    vt_cursor_row(vt)->wrapped = true;
}

/* The left half of a wide character whose right half is about to be overwritten. Only where the run begins, however it is
 * cut into pieces. */
static void before_run(struct vt *vt, struct vt_row *row) {
    unsigned x = vt->scr->x;
    if (x && !vt->in_run && vt_row_width(row, x - 1) == 2) vt_row_set(row, x - 1, pen_cell(vt));
    vt->in_run = true;
}

/* The right half of one whose left half was overwritten. */
static void after_run(struct vt *vt, struct vt_row *row) {
    unsigned x = vt->scr->x;
    if (x < vt->cols && x < row->n && cell_is_stub(row->cells[x])) row->cells[x] = pen_cell(vt);
}

/* At the edge, without wrapping, characters overwrite one another: half of a wide one is none. */
static void mend_edge(struct vt *vt, struct vt_row *row) {
    unsigned last = vt->cols - 1;
    if (vt_row_width(row, last - 1) == 2 && !cell_is_stub(vt_row_get(row, last)))
        vt_row_set(row, last - 1, pen_cell(vt));
}

const uint8_t *vt_print_ascii(struct vt *vt, const uint8_t *p, const uint8_t *end) {
    struct vt_screen *s = vt->scr;
    if (UNLIKELY(vt->traced)) vt->trace = vt->trace_begin + (uint32_t)(p - vt->traced_from);
    if (vt->charset || vt->modes.insert || !vt->modes.wrap) {
        uint32_t codes[64];
        size_t n = 0;
        while (n < 64 && p < end && *p - 0x20U < 0x5f)
            codes[n++] = *p++;
        vt_print(vt, codes, n);
        return p;
    }
    struct cell base = pen_cell(vt);
    struct vt_row *row = vt_cursor_row(vt);
    before_run(vt, row);
    while (p < end && *p - 0x20U < 0x5f) {
        if (s->x >= vt->cols) {
            wrap(vt);
            row = vt_cursor_row(vt);
        }
        size_t n = MIN((size_t)(end - p), vt->cols - s->x);
        vt_row_reach(row, s->x);
        if (row->room < s->x + n) vt_row_grow(row, s->x + (unsigned)n);
        n = fill_ascii(row->cells + s->x, base, p, n);
        if (UNLIKELY(vt->traced)) trace(vt, row->cells + s->x, n);
        p += n;
        s->x += (unsigned)n;
        if (row->n < s->x) row->n = (uint16_t)s->x;
    }
    after_run(vt, row);
    vt->join = 1 << 1;
    return p;
}

/* A mark joins the character in the cell at `col`. */
static void join(struct vt *vt, struct vt_row *row, unsigned col, uint32_t code, unsigned width) {
    struct cell c = vt_row_get(row, col);
    char text[VT_CLUSTER_BYTES_MAX + 4];
    size_t n;
    if (c.content & CELL_CLUSTER) {
        struct span old = vt_intern_get(&vt->clusters, c.content & CELL_CODE);
        memcpy(text, old.p, n = old.n);
    } else if (c.content & CELL_CODE) {
        n = utf8_encode(c.content & CELL_CODE, text);
    } else {
        c.content = code | width << CELL_WIDTH_SHIFT;
        vt_row_set(row, col, c);
        return;
    }
    char mark[4];
    size_t bytes = utf8_encode(code, mark);
    uint32_t number = 0;
    if (n + bytes <= VT_CLUSTER_BYTES_MAX) {
        memcpy(text + n, mark, bytes);
        number = vt_cluster_number(vt, span_of(text, n + bytes));
    }
    c.content = width << CELL_WIDTH_SHIFT | (number ? CELL_CLUSTER | number : c.content & CELL_CONTENT);
    vt_row_set(row, col, c);
}

/* One that does not fit in front of the edge. False: it is lost. */
static bool at_edge(struct vt *vt, struct vt_row **row, unsigned width) {
    struct vt_screen *s = vt->scr;
    if (!vt->modes.wrap) {
        s->x = vt->cols - 1;
        return width != 2;
    }
    for (unsigned col = s->x; col < vt->cols; col++)
        vt_row_set(*row, col, pen_cell(vt));
    wrap(vt);
    *row = vt_cursor_row(vt);
    return true;
}

static void put(struct vt *vt, struct vt_row *row, uint32_t code, unsigned width) {
    struct vt_screen *s = vt->scr;
    struct cell cell = pen_cell(vt), empty = cell;
    cell.content = code | width << CELL_WIDTH_SHIFT;
    if (UNLIKELY(vt->traced)) trace(vt, &cell, 1);
    if (vt->modes.insert) {
        vt_row_insert(row, s->x, width, empty);
        if (vt_row_width(row, vt->cols - 1) == 2) vt_row_set(row, vt->cols - 1, empty);
    }
    vt_row_set(row, s->x, cell);
    if (s->x < vt->cols) s->x++;
    if (width == 2) {
        cell.content = 0;
        vt_row_set(row, s->x++, cell);
    }
}

void vt_print(struct vt *vt, const uint32_t *codes, size_t n) {
    if (!n) return;
    struct vt_screen *s = vt->scr;
    struct vt_row *row = vt_cursor_row(vt);
    before_run(vt, row);
    for (size_t i = 0; i < n; i++) {
        uint32_t code = vt->charset && codes[i] < 127 ? vt_charset_map(vt->charset, codes[i]) : codes[i];
        unsigned width = vt_width(code), old = vt->join >> 1;
        bool joins = width == 0 && old;
        if (joins) width = old;
        vt->join = (uint8_t)(width << 1 | joins);
        if (joins && s->x) {
            unsigned back = vt_row_width(row, s->x - 1) ? 1 : 2;
            if (s->x >= back) join(vt, row, s->x - back, code, width);
            continue;
        }
        if (s->x + width > vt->cols && !at_edge(vt, &row, width)) continue;
        put(vt, row, code, width);
    }
    after_run(vt, row);
    if (!vt->modes.wrap) mend_edge(vt, row);
}
