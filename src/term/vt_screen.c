#include "term/vt_int.h"

#include "base/mem.h"

enum { TAB_WIDTH = 8 };

void vt_tabs_reset(struct vt_screen *s, unsigned cols) {
    memset(s->tabs, 0, sizeof s->tabs);
    for (unsigned col = 0; col < cols; col += TAB_WIDTH)
        s->tabs[col / 64] |= 1ULL << col % 64;
}

void vt_screen_open(struct vt *vt, struct vt_screen *s, uint16_t style) {
    s->rows = xcalloc(vt->rows, sizeof *s->rows);
    s->head = 0;
    for (unsigned y = 0; y < vt->rows; y++)
        vt_row_clear(&s->rows[y], vt->cols, style);
}

void vt_screen_close(struct vt *vt, struct vt_screen *s) {
    for (unsigned y = 0; s->rows && y < vt->rows; y++)
        vt_row_fini(&s->rows[y]);
    free(s->rows);
    s->rows = NULL;
}

/* Cursor, margins and tabs as in the beginning; what was saved stays. */
void vt_screen_reset(struct vt *vt, struct vt_screen *s) {
    s->x = s->y = s->top = 0;
    s->bottom = vt->rows - 1;
    vt_tabs_reset(s, vt->cols);
}

static void reverse(struct vt *vt, struct vt_screen *s, unsigned from, unsigned to) {
    for (; from < to; from++, to--) {
        struct vt_row *a = vt_screen_row(vt, s, from), *b = vt_screen_row(vt, s, to), swap = *a;
        *a = *b;
        *b = swap;
    }
}

void vt_screen_shift(struct vt *vt, unsigned top, unsigned bottom, int n, uint16_t style) {
    struct vt_screen *s = vt->scr;
    unsigned height = bottom - top + 1, by = MIN((unsigned)(n < 0 ? -n : n), height);
    if (by < height) {
        unsigned cut = n > 0 ? by : height - by;
        reverse(vt, s, top, top + cut - 1);
        reverse(vt, s, top + cut, bottom);
        reverse(vt, s, top, bottom);
    }
    for (unsigned i = 0; i < by; i++)
        vt_row_clear(vt_screen_row(vt, s, n > 0 ? bottom - i : top + i), vt->cols, style);
}

void vt_scroll(struct vt *vt, bool wrapped) {
    struct vt_screen *s = vt->scr;
    if (!vt->pen.known) vt_pen_learn(vt);
    struct vt_row *first = vt_screen_row(vt, s, 0);
    if (s->top == 0 && s == &vt->main) {
        vt_scrollback_push(&vt->scrollback, vt, first);
        vt->lines_scrolled++;
    }
    if (s->top == 0 && s->bottom == vt->rows - 1) {
        s->head = s->head + 1 == vt->rows ? 0 : s->head + 1;
        vt_row_clear(first, vt->cols, vt->pen.erase);
        first->wrapped = wrapped;
        return;
    }
    vt_screen_shift(vt, s->top, s->bottom, 1, vt->pen.erase);
    vt_screen_row(vt, s, s->bottom)->wrapped = wrapped;
}

static unsigned clamp(int64_t n, unsigned low, unsigned high) {
    return n < (int64_t)low ? low : n > (int64_t)high ? high : (unsigned)n;
}

static unsigned clamp_row(const struct vt *vt, int64_t y) {
    const struct vt_screen *s = vt->scr;
    return vt->modes.origin ? clamp(y, s->top, s->bottom) : clamp(y, 0, vt->rows - 1);
}

void vt_cursor_restrict(struct vt *vt, unsigned max_col) {
    vt->scr->x = MIN(vt->scr->x, max_col);
    vt->scr->y = clamp_row(vt, vt->scr->y);
}

void vt_cursor_set(struct vt *vt, int64_t x, int64_t y) {
    vt->scr->x = clamp(x, 0, vt->cols - 1);
    vt->scr->y = clamp_row(vt, vt->modes.origin ? y + vt->scr->top : y);
}

void vt_cursor_move(struct vt *vt, int64_t dx, int64_t dy) {
    vt_cursor_restrict(vt, vt->cols - 1);
    vt_cursor_set(vt, (int64_t)vt->scr->x + dx, (int64_t)vt->scr->y + dy);
}

static unsigned lines_above(const struct vt *vt) {
    return vt->scr == &vt->main ? vt->scrollback.lines : 0;
}

void vt_cursor_save(struct vt *vt) {
    const struct vt_pen *pen = &vt->pen;
    vt->scr->saved = (struct vt_saved){.x = MIN(vt->scr->x, vt->cols - 1),
                                       .y = (int64_t)lines_above(vt) + vt->scr->y,
                                       .fg = pen->fg,
                                       .bg = pen->bg,
                                       .attrs = pen->attrs,
                                       .extended = pen->extended,
                                       .charset = vt->charset};
}

void vt_cursor_restore(struct vt *vt) {
    const struct vt_saved *saved = &vt->scr->saved;
    vt->scr->x = saved->x;
    vt->scr->y = clamp(saved->y - lines_above(vt), 0, vt->rows - 1);
    vt->pen.fg = saved->fg;
    vt->pen.bg = saved->bg;
    vt->pen.attrs = saved->attrs;
    vt->pen.extended = saved->extended;
    vt->pen.known = false;
    vt->charset = saved->charset;
    vt_cursor_restrict(vt, vt->cols - 1);
}

void vt_switch_alternate(struct vt *vt) {
    if (vt->scr == &vt->alt) return;
    if (!vt->pen.known) vt_pen_learn(vt);
    vt_screen_open(vt, &vt->alt, vt->pen.erase);
    vt->alt.x = vt->main.x;
    vt->alt.y = vt->main.y;
    vt->scr = &vt->alt;
}

void vt_switch_main(struct vt *vt) {
    if (vt->scr == &vt->main) return;
    vt->main.x = vt->alt.x;
    vt->main.y = vt->alt.y;
    vt_screen_close(vt, &vt->alt);
    vt_screen_reset(vt, &vt->alt);
    vt->scr = &vt->main;
}
