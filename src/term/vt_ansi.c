#include "term/vt_ansi.h"

#include "base/utf8.h"

#define WIDE "\xe3\x80\x80" /* a wide space */

static const struct vt_style plain;

/* Numbers and strings are many here: no formatting. */
static void put_number(struct buf *out, unsigned n) {
    char digits[10];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + n % 10);
    while (n /= 10);
    (void)buf_append(out, digits + at, sizeof digits - at);
}

static void put_str(struct buf *out, const char *s) {
    (void)buf_append(out, s, strlen(s));
}

static void csi(struct vt_ansi *a, unsigned n, char final) {
    put_str(a->out, "\033[");
    if (n != 1) put_number(a->out, n);
    (void)buf_append_char(a->out, final);
}

/* `base` is 30 or 40; 58 knows no short form. */
static void put_color(struct buf *out, uint32_t color, unsigned base) {
    unsigned value = color & COLOR_VALUE;
    (void)buf_append_char(out, ';');
    if ((color & COLOR_KIND) == COLOR_16 && base != 50) {
        put_number(out, value < 8 ? base + value : base + 60 + value - 8);
        return;
    }
    put_number(out, base + 8);
    if ((color & COLOR_KIND) != COLOR_RGB) {
        put_str(out, ";5;");
        put_number(out, value);
        return;
    }
    put_str(out, ";2");
    for (int shift = 16; shift >= 0; shift -= 8) {
        (void)buf_append_char(out, ';');
        put_number(out, value >> shift & 255);
    }
}

void vt_write_sgr(struct buf *out, const struct vt_style *style, bool full) {
    static const uint8_t codes[] = {1, 2, 3, 5, 7, 8, 9, 53}; /* as the bits of enum vt_attr */
    if (full) (void)buf_append_char(out, '0');
    for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
        if (!(style->attrs & 1 << i)) continue;
        (void)buf_append_char(out, ';');
        put_number(out, codes[i]);
    }
    if (style->underline) put_str(out, ";4");
    if (style->underline > 1) {
        (void)buf_append_char(out, ':');
        put_number(out, style->underline);
    }
    if (style->fg) put_color(out, style->fg, 30);
    if (style->bg) put_color(out, style->bg, 40);
    if (style->ul) put_color(out, style->ul, 50);
}

static bool same_look(struct cell a, struct cell b) {
    return a.style == b.style && a.link == b.link;
}

static bool same(const struct vt_style *a, const struct vt_style *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

static void force_style(struct vt_ansi *a, const struct vt_style *style) {
    put_str(a->out, "\033[");
    if (!same(style, &plain)) vt_write_sgr(a->out, style, !same(&a->style, &plain));
    (void)buf_append_char(a->out, 'm');
    if (style->attrs & STYLE_PROTECTED) put_str(a->out, "\033[1\"q");
    a->style = *style;
}

void vt_ansi_style(struct vt_ansi *a, const struct vt_style *style) {
    if (!same(&a->style, style)) force_style(a, style);
}

void vt_ansi_link(struct vt_ansi *a, uint16_t link) {
    if (a->link == link) return;
    a->link = link;
    put_str(a->out, "\033]8;");
    if (link) {
        struct span id = vt_link_id(a->vt, link);
        if (id.n) {
            put_str(a->out, "id=");
            (void)buf_append_span(a->out, id);
        }
    }
    (void)buf_append_char(a->out, ';');
    if (link) (void)buf_append_span(a->out, vt_link_uri(a->vt, link));
    put_str(a->out, "\033\\");
}

void vt_ansi_column(struct vt_ansi *a, unsigned col) {
    csi(a, col + 1, 'G');
    a->x = col;
    a->moved = 0;
}

static void arrive(struct vt_ansi *a) {
    if (a->moved) csi(a, a->moved, 'C');
    a->x += a->moved;
    a->moved = 0;
}

void vt_ansi_text(struct vt_ansi *a, struct cell cell) {
    if (cell.content & CELL_CLUSTER) {
        (void)buf_append_span(a->out, vt_intern_get(&a->vt->clusters, cell.content & CELL_CODE));
    } else {
        char text[4];
        (void)buf_append(a->out, text, utf8_encode(cell.content & CELL_CODE, text));
    }
}

/* Empty cells: those of the row as it is are passed over, those with a background are erased. */
static void put_empty(struct vt_ansi *a, unsigned col, unsigned n, const struct vt_style *style) {
    bool dirty = a->dirty >= (int)col && a->dirty < (int)(col + n);
    struct vt_style background = {.bg = style->bg};
    if (style->bg || dirty) {
        arrive(a);
        vt_ansi_style(a, &background);
        csi(a, n, 'X');
    }
    a->moved += n;
}

/*
 * An empty cell that is not only coloured is what is left of half a wide character, so that is how it is made: a wide one is
 * written, and its right half overwritten in the cell's style.
 */
static void put_remnant(struct vt_ansi *a, unsigned col, struct cell cell) {
    if (col + 1 >= a->vt->cols) return; /* see put_last() */
    arrive(a);
    vt_ansi_link(a, cell.link);
    vt_ansi_style(a, vt_style_of(a->vt, cell.style));
    put_str(a->out, WIDE);
    vt_ansi_column(a, col + 1);
    put_str(a->out, " ");
    vt_ansi_column(a, col + 1);
    a->dirty = (int)col + 1;
}

/* Is it a cell as erasing leaves it? */
static bool is_erased(const struct vt_ansi *a, struct cell cell) {
    const struct vt_style *style = vt_style_of(a->vt, cell.style);
    return !cell.link && same(style, &(struct vt_style){.bg = style->bg});
}

static void put_cell(struct vt_ansi *a, const struct vt_row *row, unsigned col) {
    struct cell cell = row->cells[col];
    unsigned width = cell_width(cell);
    const struct vt_style *style = vt_style_of(a->vt, cell.style);
    bool whole =
        width < 2 || (col + 1 < row->n && cell_is_stub(row->cells[col + 1]) && col + 1 < a->vt->cols);
    if (!(cell.content & CELL_CONTENT) || !whole) {
        if (is_erased(a, cell))
            put_empty(a, col, 1, style);
        else
            put_remnant(a, col, cell);
        return;
    }
    arrive(a);
    vt_ansi_link(a, cell.link);
    vt_ansi_style(a, style);
    /* A mark that stands alone must not join what was written before it. */
    if (width == 0) force_style(a, style);
    vt_ansi_text(a, cell);
    a->x += MAX(width, 1U);
    if (width == 0 && a->x < a->vt->cols) vt_ansi_column(a, a->x);
}

/* In the last column it is the left half that is overwritten; then the cell before is written again. */
static void put_last(struct vt_ansi *a, const struct vt_row *row) {
    unsigned last = a->vt->cols - 1;
    struct cell cell = vt_row_get(row, last);
    vt_ansi_column(a, last - 1);
    vt_ansi_link(a, cell.link);
    vt_ansi_style(a, vt_style_of(a->vt, cell.style));
    put_str(a->out, WIDE "\033[D ");
    unsigned col = last > 1 && cell_is_stub(vt_row_get(row, last - 1)) ? last - 2 : last - 1;
    vt_ansi_column(a, col);
    a->dirty = (int)col;
    if (vt_row_get(row, col).content == CELL_NARROW)
        put_empty(a, col, 1, vt_style_of(a->vt, vt_row_get(row, col).style));
    else if (row->n > col)
        put_cell(a, row, col);
    a->dirty = -1;
    vt_ansi_column(a, last);
}

static bool ends_in_remnant(const struct vt_ansi *a, const struct vt_row *row) {
    struct cell last = vt_row_get(row, a->vt->cols - 1);
    return last.content == CELL_NARROW && !is_erased(a, last);
}

void vt_ansi_row(struct vt_ansi *a, const struct vt_row *row, bool goes_on) {
    unsigned n = MIN(row->n, a->vt->cols);
    for (unsigned col = 0; col < n;) {
        struct cell cell = row->cells[col];
        unsigned stop = col + 1;
        if (cell.content == CELL_NARROW) {
            bool erased = is_erased(a, cell);
            while (erased && stop < n && row->cells[stop].content == CELL_NARROW &&
                   same_look(row->cells[stop], cell))
                stop++;
            if (erased)
                put_empty(a, col, stop - col, vt_style_of(a->vt, cell.style));
            else
                put_remnant(a, col, cell);
        } else {
            put_cell(a, row, col);
            if (cell_width(cell) == 2 && stop < n && cell_is_stub(row->cells[stop])) stop++;
        }
        col = stop;
    }
    if ((row->tail || a->dirty >= (int)n) && n < a->vt->cols) {
        arrive(a);
        struct vt_style tail = {.bg = vt_style_of(a->vt, row->tail)->bg};
        vt_ansi_style(a, &tail);
        csi(a, a->vt->cols - a->x, 'X'); /* EL would also forget that the row is wrapped */
    }
    a->dirty = -1;
    if (!goes_on && ends_in_remnant(a, row)) put_last(a, row);
}

/* Lines of text alone, which most are, need no cells. Their styles are runs of so many cells. */
static bool plain_line(struct vt_ansi *a, const struct vt_line_head *head) {
    if (head->flags & LINE_MARKED || head->cells > a->vt->cols || a->dirty >= 0) return false;
    if (!(head->flags & LINE_STYLED)) {
        if (!head->cells) return true;
        vt_ansi_link(a, 0);
        vt_ansi_style(a, &plain);
        (void)buf_append_span(a->out, head->text);
    } else if (head->text.n != head->cells) {
        return false;
    }
    const char *text = head->text.p;
    for (const uint8_t *p = head->runs; head->flags & LINE_STYLED && p < head->end;) {
        uint64_t n;
        struct vt_style style;
        uint16_t link;
        p = vt_varint_get(p, head->end, &n);
        p = vt_style_decode(p, head->end, &style, &link);
        vt_ansi_link(a, link);
        vt_ansi_style(a, &style);
        (void)buf_append(a->out, text, (size_t)n);
        text += n;
    }
    a->x = head->cells;
    return true;
}

void vt_ansi_line(struct vt_ansi *a, struct span line, bool goes_on, struct vt_row *work) {
    struct vt_line_head head;
    if (!vt_line_head(line, &head) || plain_line(a, &head)) return;
    if (vt_line_unpack(a->vt, line, a->vt->cols, work)) vt_ansi_row(a, work, goes_on);
}

/* A row that goes on in the next one although its last cell is empty: the cell is written, and erased from below. */
static void wrap_from_blank(struct vt_ansi *a, const struct vt_row *row) {
    unsigned last = a->vt->cols - 1;
    vt_ansi_link(a, 0);
    vt_ansi_style(a, &plain);
    vt_ansi_column(a, last);
    put_str(a->out, "  \033[A");
    struct vt_style background = {.bg = vt_style_of(a->vt, vt_row_get(row, last).style)->bg};
    vt_ansi_column(a, last);
    vt_ansi_style(a, &background);
    put_str(a->out, "\033[X\033[B\r");
}

/* A remnant at the end is what a wide character leaves that does not fit; what is then in the next row is erased. */
static void wrap_from_remnant(struct vt_ansi *a, const struct vt_row *row) {
    struct cell last = vt_row_get(row, a->vt->cols - 1);
    vt_ansi_link(a, last.link);
    vt_ansi_style(a, vt_style_of(a->vt, last.style));
    csi(a, a->vt->cols, 'G');
    put_str(a->out, WIDE "\r");
    vt_ansi_link(a, 0);
    vt_ansi_style(a, &plain);
    csi(a, a->vt->cols, 'X');
    a->x = 0;
}

static void feed_line(struct vt_ansi *a) {
    if (a->style.bg) vt_ansi_style(a, &plain);
    put_str(a->out, "\r\n");
    a->x = 0;
}

static void wrap(struct vt_ansi *a, const struct vt_row *from, const struct vt_row *to) {
    unsigned cols = a->vt->cols;
    struct cell first = vt_row_get(to, 0), last = vt_row_get(from, cols - 1);
    bool at_end = a->x == cols;
    /* A background would fill the new row. */
    bool text = first.content & CELL_CONTENT && cell_width(first) && !vt_style_of(a->vt, first.style)->bg;
    a->x = 0;
    if (text && at_end) return; /* the text itself wraps */
    if (text && cell_width(first) == 2 && last.style == first.style && last.link == first.link) {
        csi(a, cols, 'G');
        return; /* it does not fit into the last cell */
    }
    if (ends_in_remnant(a, from)) {
        wrap_from_remnant(a, from);
        return;
    }
    if (at_end) {
        vt_ansi_link(a, 0);
        vt_ansi_style(a, &plain);
        put_str(a->out, " \r");
    } else if (a->vt->rows > 1) {
        wrap_from_blank(a, from);
    } else {
        feed_line(a);
        return;
    }
    a->x = 0;
    a->dirty = 0;
}

void vt_ansi_next(struct vt_ansi *a, const struct vt_row *from, const struct vt_row *to) {
    a->moved = 0;
    if (to->wrapped)
        wrap(a, from, to);
    else
        feed_line(a);
}
