/* Looking at a terminal. The line of scrollback that was looked at last is kept unpacked. */
#include "term/vt_int.h"

#include "base/mem.h"
#include "base/utf8.h"

void vt_look_forget(struct vt *vt) {
    if (!vt->look) return;
    vt_row_fini(&vt->look->row);
    free(vt->look);
    vt->look = NULL;
}

/* NULL when there is no such row. What is kept is no part of the terminal's state, hence the cast. */
static const struct vt_row *row_at(const struct vt *vt, int row) {
    if (row >= 0) return (unsigned)row < vt->rows ? vt_screen_row(vt, vt->scr, (unsigned)row) : NULL;
    if (row < -(int)vt->scrollback.lines) return NULL;
    struct vt *keeper = (struct vt *)vt;
    if (!vt->look) {
        keeper->look = xcalloc(1, sizeof *vt->look);
    } else if (vt->look->line == vt_line_number(vt, row)) {
        return &vt->look->row;
    }
    struct span line = vt_scrollback_line(&vt->scrollback, vt->scrollback.lines - (unsigned)-row);
    keeper->look->line = vt_line_number(vt, row);
    (void)vt_line_unpack(keeper, line, vt->cols, &keeper->look->row);
    return &vt->look->row;
}

void vt_view(const struct vt *vt, struct vt_view *ret) {
    *ret = (struct vt_view){.cols = vt->cols,
                            .rows = vt->rows,
                            .cursor_col = vt->scr->x,
                            .cursor_row = vt->scr->y,
                            .cursor_visible = !vt->cursor_hidden,
                            .alternate = vt->scr == &vt->alt,
                            .scrollback = vt->scrollback.lines,
                            .lines_scrolled = vt->lines_scrolled};
}

static struct vt_color color_of(uint32_t color) {
    static const uint8_t kinds[] = {0, 1, 1, 2};
    return (struct vt_color){.kind = kinds[color >> 24 & 3], .value = color & COLOR_VALUE};
}

static size_t cell_text(const struct vt *vt, struct cell cell, char *text) {
    if (cell.content & CELL_CLUSTER) {
        struct span s = vt_intern_get(&vt->clusters, cell.content & CELL_CODE);
        memcpy(text, s.p, s.n);
        return s.n;
    }
    return cell.content & CELL_CODE ? utf8_encode(cell.content & CELL_CODE, text) : 0;
}

void vt_cell(const struct vt *vt, int row, unsigned col, struct vt_cell *ret) {
    const struct vt_row *r = row_at(vt, row);
    struct cell cell = r && col < vt->cols ? vt_row_get(r, col) : cell_empty(0, 0);
    const struct vt_style *style = vt_style_of(vt, cell.style);
    *ret = (struct vt_cell){.width = (uint8_t)cell_width(cell),
                            .attrs = style->attrs & 0xff,
                            .underline = style->underline,
                            .foreground = color_of(style->fg),
                            .background = color_of(style->bg),
                            .underline_color = color_of(style->ul),
                            .link = cell.link};
    ret->text_bytes = (uint8_t)cell_text(vt, cell, ret->text);
}

bool vt_row_wraps(const struct vt *vt, int row) {
    /* The scrollback is the main screen's, whichever is shown. */
    const struct vt_row *next = row == -1 ? vt_screen_row(vt, &vt->main, 0) : row_at(vt, row + 1);
    return next && next->wrapped;
}

void vt_row_range(const struct vt *vt, int row, unsigned from, unsigned to, struct buf *out) {
    const struct vt_row *r = row_at(vt, row);
    if (!r) return;
    unsigned end = MIN(MIN(r->n, vt->cols), to);
    while (end > from && !(r->cells[end - 1].content & CELL_CONTENT) && !cell_is_stub(r->cells[end - 1]))
        end--;
    for (unsigned col = from; col < end; col++) {
        struct cell cell = r->cells[col];
        char text[VT_CLUSTER_BYTES_MAX + 1];
        size_t n = cell_text(vt, cell, text);
        if (n)
            (void)buf_append(out, text, n);
        else if (!cell_is_stub(cell))
            (void)buf_append_char(out, ' ');
    }
}

void vt_row_text(const struct vt *vt, int row, struct buf *out) {
    size_t before = out->n;
    vt_row_range(vt, row, 0, vt->cols, out);
    while (out->n > before && out->p[out->n - 1] == ' ')
        out->n--;
    if (out->p) out->p[out->n] = 0;
}

struct span vt_title(const struct vt *vt) {
    return buf_span(&vt->title);
}

struct span vt_link(const struct vt *vt, uint32_t link) {
    return vt_intern_has(&vt->links, link) ? vt_link_uri(vt, (uint16_t)link) : SPAN_NONE;
}

void vt_modes(const struct vt *vt, struct vt_modes *ret) {
    *ret = vt->modes;
    ret->scroll_top = vt->scr->top;
    ret->scroll_bottom = vt->scr->bottom;
}

static size_t screen_memory(const struct vt *vt, const struct vt_screen *s) {
    size_t bytes = 0;
    for (unsigned y = 0; s->rows && y < vt->rows; y++)
        bytes += sizeof(struct vt_row) + s->rows[y].room * sizeof(struct cell);
    return bytes;
}

size_t vt_memory(const struct vt *vt) {
    size_t bytes = sizeof *vt + screen_memory(vt, &vt->main) + screen_memory(vt, &vt->alt);
    bytes += vt_scrollback_memory(&vt->scrollback) + vt_intern_memory(&vt->styles);
    bytes += vt_intern_memory(&vt->clusters) + vt_intern_memory(&vt->links);
    bytes += vt->parser.string.room + vt->title.room + vt->prompt.said.room;
    for (unsigned i = 0; i < vt->title_depth; i++)
        bytes += vt->titles[i].room;
    if (vt->colors.palette) bytes += VT_PALETTE * sizeof *vt->colors.palette;
    if (vt->look) bytes += sizeof *vt->look + vt->look->row.room * sizeof(struct cell);
    return bytes;
}
