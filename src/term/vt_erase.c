/* Erasing, inserting and deleting of cells and lines. */
#include "term/vt_int.h"

static uint16_t erase_style(struct vt *vt) {
    if (!vt->pen.known) vt_pen_learn(vt);
    return vt->pen.erase;
}

static bool is_protected(const struct vt *vt, struct cell cell) {
    return vt_style_of(vt, cell.style)->attrs & STYLE_PROTECTED;
}

/* What DECSCA has protected stays. */
static void erase_selectively(struct vt *vt, struct vt_row *row, unsigned start, unsigned end) {
    struct cell empty = cell_empty(erase_style(vt), 0);
    if (start && vt_row_width(row, start - 1) == 2 && !is_protected(vt, vt_row_get(row, start - 1)))
        vt_row_set(row, start - 1, empty);
    if (end && end < row->len && vt_row_width(row, end - 1) == 2 && !is_protected(vt, vt_row_get(row, end)))
        vt_row_set(row, end, empty);
    for (; start < end && start < row->len; start++)
        if (!is_protected(vt, vt_row_get(row, start))) vt_row_set(row, start, empty);
}

static void erase(struct vt *vt, unsigned y, unsigned start, unsigned end, bool unwrap, bool selective) {
    struct vt_row *row = vt_screen_row(vt, vt->scr, y);
    if (selective)
        erase_selectively(vt, row, start, end);
    else
        vt_row_erase(row, start, end, erase_style(vt));
    if (unwrap) row->wrapped = false;
}

static void erase_row(struct vt *vt, unsigned y, bool selective) {
    struct vt_row *row = vt_screen_row(vt, vt->scr, y);
    if (!selective) {
        vt_row_clear(row, row->len, erase_style(vt));
        return;
    }
    for (unsigned x = 0; x < row->len; x++)
        if (!is_protected(vt, vt_row_get(row, x))) vt_row_set(row, x, cell_empty(erase_style(vt), 0));
    row->wrapped = false;
}

static void in_display(struct vt *vt, int32_t what, bool selective) {
    struct vt_screen *s = vt->scr;
    vt_cursor_restrict(vt, vt->cols);
    switch (what) {
    case 0:
        erase(vt, s->y, s->x, vt->cols, s->x == 0, selective);
        for (unsigned y = s->y + 1; y < vt->rows; y++)
            erase_row(vt, y, selective);
        break;
    case 1:
        erase(vt, s->y, 0, s->x + 1, true, selective);
        if (s->x + 1 >= vt->cols && s->y + 1 < vt->rows) vt_screen_row(vt, s, s->y + 1)->wrapped = false;
        for (unsigned y = 0; y < s->y; y++)
            erase_row(vt, y, selective);
        break;
    case 2:
        for (unsigned y = 0; y < vt->rows; y++)
            erase_row(vt, y, selective);
        vt->styles.misses = 0; /* there may be room again */
        break;
    case 3:
        if (s != &vt->main) break;
        s->saved.y = MAX(s->saved.y - vt->scrollback.lines, 0);
        vt_scrollback_clear(&vt->scrollback);
        break;
    default: break;
    }
}

static void in_line(struct vt *vt, int32_t what, bool selective) {
    struct vt_screen *s = vt->scr;
    vt_cursor_restrict(vt, vt->cols);
    if (what == 0)
        erase(vt, s->y, s->x, vt->cols, s->x == 0, selective);
    else if (what == 1)
        erase(vt, s->y, 0, s->x + 1, false, selective);
    else if (what == 2)
        erase(vt, s->y, 0, vt->cols, true, selective);
}

static bool in_region(const struct vt *vt) {
    return vt->scr->y >= vt->scr->top && vt->scr->y <= vt->scr->bottom;
}

static void lines(struct vt *vt, int n) {
    vt_cursor_restrict(vt, vt->cols - 1);
    if (!in_region(vt)) return;
    vt_screen_shift(vt, vt->scr->y, vt->scr->bottom, n, erase_style(vt));
    vt->scr->x = 0;
}

/* Columns of all rows in the region move. */
static void columns(struct vt *vt, unsigned col, unsigned n, bool insert) {
    if (!in_region(vt)) return;
    struct cell empty = cell_empty(erase_style(vt), 0);
    for (unsigned y = vt->scr->top; y <= vt->scr->bottom; y++) {
        struct vt_row *row = vt_screen_row(vt, vt->scr, y);
        if (insert)
            vt_row_insert(row, col, n, empty);
        else
            vt_row_delete(row, col, n, empty);
        row->wrapped = false;
    }
}

void vt_erase(struct vt *vt, uint32_t ident) {
    struct vt_screen *s = vt->scr;
    int32_t what = vt_param(&vt->parser.params, 0);
    int n = MIN(vt_param1(&vt->parser.params, 0), VT_COLS_MAX * 2); /* more make no difference */
    switch (ident) {
    case 'J': in_display(vt, what, false); break;
    case VT_IDENT2('?', 'J'): in_display(vt, what, true); break;
    case 'K': in_line(vt, what, false); break;
    case VT_IDENT2('?', 'K'): in_line(vt, what, true); break;
    case 'L': lines(vt, -n); break;
    case 'M': lines(vt, n); break;
    case 'S': vt_screen_shift(vt, s->top, s->bottom, n, erase_style(vt)); break;
    case 'T': vt_screen_shift(vt, s->top, s->bottom, -n, 0); break;
    case '@':
        vt_cursor_restrict(vt, vt->cols - 1);
        vt_row_insert(vt_cursor_row(vt), s->x, (unsigned)n, cell_empty(erase_style(vt), 0));
        break;
    case 'P':
        vt_cursor_restrict(vt, vt->cols - 1);
        vt_row_delete(vt_cursor_row(vt), s->x, (unsigned)n, cell_empty(erase_style(vt), 0));
        break;
    case 'X':
        vt_cursor_restrict(vt, vt->cols - 1);
        vt_row_erase(vt_cursor_row(vt), s->x, s->x + (unsigned)n, erase_style(vt));
        break;
    case VT_IDENT2(' ', '@'): columns(vt, 0, (unsigned)n, false); break;
    case VT_IDENT2(' ', 'A'): columns(vt, 0, (unsigned)n, true); break;
    case VT_IDENT2('\'', '}'): columns(vt, s->x, (unsigned)n, true); break;
    case VT_IDENT2('\'', '~'): columns(vt, s->x, (unsigned)n, false); break;
    default: break;
    }
}
