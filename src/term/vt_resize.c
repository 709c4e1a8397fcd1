/* Another size: rows come and go at the bottom, or at the top when the cursor is there; columns are for vt_reflow.c. */
#include "term/vt_int.h"

#include "base/mem.h"

/* Moves a screen's rows into a new array, `above` the first of them; blank ones around. Rows outside are lost. */
static void move_rows(struct vt *vt, struct vt_screen *s, unsigned rows, int above) {
    struct vt_row *new_rows = xcalloc(rows, sizeof *new_rows);
    for (unsigned y = 0; y < rows; y++) {
        int from = (int)y - above;
        if (from < 0 || from >= (int)vt->rows) {
            vt_row_clear(&new_rows[y], vt->cols, 0);
            continue;
        }
        struct vt_row *row = vt_screen_row(vt, s, (unsigned)from);
        new_rows[y] = *row;
        *row = (struct vt_row){0};
    }
    vt_screen_close(vt, s);
    s->rows = new_rows;
    s->head = 0;
}

/* How many rows have to go at the top so that the cursor's stays: those below it go first. */
static unsigned rows_over(const struct vt *vt, const struct vt_screen *s, unsigned rows) {
    unsigned lost = vt->rows > rows ? vt->rows - rows : 0, below = vt->rows - 1 - s->y;
    return lost > below ? lost - below : 0;
}

static void keep_cursor(struct vt_screen *s, unsigned cols, unsigned rows) {
    s->x = MIN(s->x, cols - 1);
    s->y = MIN(s->y, rows - 1);
    s->saved.x = MIN(s->saved.x, cols - 1);
    s->top = 0;
}

/* What was saved is a place on the screen, also where it has scrolled off in the meantime. */
static void keep_saved(const struct vt *vt, struct vt_screen *s) {
    int64_t above = s == &vt->main ? vt->scrollback.lines : 0;
    s->saved.y = MIN(MAX(s->saved.y, above), above + (int64_t)vt->rows - 1);
}

static void forget_saved(struct vt_screen *s, unsigned lines) {
    s->saved.y = s->saved.y > (int64_t)lines ? s->saved.y - lines : 0;
}

static void alternate_rows(struct vt *vt, unsigned cols, unsigned rows) {
    struct vt_screen *s = &vt->alt;
    if (!s->rows) return;
    unsigned over = rows_over(vt, s, rows);
    move_rows(vt, s, rows, -(int)over);
    forget_saved(s, over);
    keep_cursor(s, cols, rows);
    for (unsigned y = 0; y < rows; y++)
        vt_row_resize(&s->rows[y], cols);
}

/* Lines come back from the scrollback while the cursor is on the last row. */
static void main_rows(struct vt *vt, unsigned cols, unsigned rows) {
    struct vt_screen *s = &vt->main;
    struct vt_scrollback *history = &vt->scrollback;
    unsigned over = rows_over(vt, s, rows), before = history->lines;
    for (unsigned y = 0; y < over; y++)
        vt_scrollback_push(history, vt, vt_screen_row(vt, s, y));
    vt->lines_scrolled += over;
    if (over) forget_saved(s, before + over - history->lines);
    unsigned back = 0;
    if (rows > vt->rows && s->y == vt->rows - 1) back = MIN(rows - vt->rows, history->lines);
    move_rows(vt, s, rows, (int)back - (int)over);
    for (unsigned y = back; y-- > 0;) {
        (void)vt_line_unpack(vt, vt_scrollback_line(history, history->lines - 1), vt->cols, &s->rows[y]);
        vt_scrollback_pop(history);
    }
    keep_cursor(s, cols, rows);
    s->y += back;
}

static bool is_tab(const struct vt_screen *s, unsigned col) {
    return s->tabs[col / 64] >> col % 64 & 1;
}

/* From the last stop before the edge on, there is one every eight columns. */
static void resize_tabs(struct vt_screen *s, unsigned cols) {
    unsigned col = cols;
    while (col > 0 && !is_tab(s, col))
        col--;
    for (; col < cols; col += 8)
        s->tabs[col / 64] |= 1ULL << col % 64;
    for (col = cols; col <= VT_COLS_MAX; col++)
        s->tabs[col / 64] &= ~(1ULL << col % 64);
}

void vt_resize(struct vt *vt, unsigned cols, unsigned rows) {
    cols = vt_cols_inside(cols);
    rows = vt_rows_inside(rows);
    if (cols == vt->cols && rows == vt->rows) return;
    vt_look_forget(vt);
    vt->in_run = false;
    vt->join = 0;
    uint64_t cursor = vt_line_number(vt, (int)vt->main.y);
    keep_saved(vt, &vt->main);
    keep_saved(vt, &vt->alt);
    alternate_rows(vt, cols, rows);
    main_rows(vt, cols, rows);
    vt->rows = rows;
    vt->main.bottom = vt->alt.bottom = rows - 1;
    if (cols != vt->cols) vt_reflow(vt, cols);
    vt->cols = cols;
    keep_saved(vt, &vt->main);
    keep_saved(vt, &vt->alt);
    resize_tabs(&vt->main, cols);
    resize_tabs(&vt->alt, cols);
    /* The lines of the cursor do not flow, so what is typed there keeps its distance. */
    vt->prompt.line += vt_line_number(vt, (int)vt->main.y) - cursor;
}
