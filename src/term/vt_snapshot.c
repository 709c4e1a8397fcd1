/*
 * The screen as escape sequences. First everything is reset, then the lines are written in order, as a program would: those of
 * the scrollback scroll off. What they cannot say follows: margins, tabs, what was saved, modes, the cursor, the pen.
 */
#include "term/vt_ansi.h"

#include "base/cleanup.h"

static const struct vt_style plain;

static void put(struct vt_ansi *a, const char *s) {
    (void)buf_append(a->out, s, strlen(s));
}

/* Whatever sequence was begun is broken off; RIS leaves the cursor's look, LNM and colours as they are. */
static void reset(struct vt_ansi *a) {
    put(a,
        "\x18\033c\033[?25h\033[?12l\033[20l\033[?9001l\033]104\033\\\033]110\033\\\033]111\033\\\033]112\033\\");
}

static void colors(struct vt_ansi *a) {
    const struct vt_colors *c = &a->vt->colors;
    const uint32_t special[] = {c->set_foreground, c->set_background, c->set_cursor};
    for (unsigned i = 0; i < ARRAY_LEN(special); i++)
        if (special[i]) (void)buf_printf(a->out, "\033]%u;#%06x\033\\", 10 + i, special[i] & COLOR_VALUE);
    for (unsigned i = 0; c->palette && i < VT_PALETTE; i++)
        if (c->palette[i]) (void)buf_printf(a->out, "\033]4;%u;#%06x\033\\", i, c->palette[i] & COLOR_VALUE);
}

static void title(struct vt_ansi *a) {
    put(a, "\033]2;");
    (void)buf_append_span(a->out, buf_span(&a->vt->title));
    put(a, "\033\\");
}

/* Does the row show nothing at all, not even a colour? */
static bool is_empty(const struct vt *vt, const struct vt_row *row) {
    for (unsigned col = 0; col < vt->cols; col++) {
        struct cell cell = vt_row_get(row, col);
        if (cell.content != CELL_NARROW || cell.style || cell.link) return false;
    }
    return true;
}

/* How many rows are written: all of them, or as many as are of use. */
static unsigned rows_of(const struct vt_ansi *a, const struct vt_screen *s) {
    unsigned rows = a->vt->rows;
    while (a->unsized && rows > s->y + 1 && is_empty(a->vt, vt_screen_row(a->vt, s, rows - 1)))
        rows--;
    return rows;
}

static void screen(struct vt_ansi *a, const struct vt_screen *s) {
    unsigned rows = rows_of(a, s);
    a->below = rows - 1 - MIN(s->y, rows - 1);
    a->moved = 0;
    struct vt_row blank = {0};
    vt_row_clear(&blank, a->vt->cols, 0);
    /* On the alternate screen, what the first row goes on from simply scrolls off. */
    if (s == &a->vt->alt && vt_screen_row(a->vt, s, 0)->wrapped)
        vt_ansi_next(a, &blank, vt_screen_row(a->vt, s, 0));
    for (unsigned y = 0; y < rows; y++) {
        const struct vt_row *row = vt_screen_row(a->vt, s, y);
        if (y) vt_ansi_next(a, vt_screen_row(a->vt, s, y - 1), row);
        vt_ansi_row(a, row, y + 1 < rows && vt_screen_row(a->vt, s, y + 1)->wrapped);
    }
}

/* The line, as far as it is needed to go on in the next one: most lines do not. */
static void unpack(struct vt *vt, unsigned line, bool whole, struct vt_row *row) {
    struct span packed = vt_scrollback_line(&vt->scrollback, line);
    vt_row_clear(row, vt->cols, 0);
    if (whole) (void)vt_line_unpack(vt, packed, vt->cols, row);
}

static bool is_wrapped(const struct vt *vt, unsigned line) {
    struct vt_line_head head;
    return vt_line_head(vt_scrollback_line(&vt->scrollback, line), &head) && head.flags & LINE_WRAPPED;
}

/* The first line may go on from one that is not kept any more: a blank one stands for it, and goes. */
static bool first_wraps(const struct vt *vt, unsigned lines) {
    if (lines == 0) return vt_screen_row(vt, &vt->main, 0)->wrapped && vt->scrollback.lines == 0;
    return lines == vt->scrollback.limit && is_wrapped(vt, 0);
}

static void history(struct vt_ansi *a, unsigned lines) {
    const struct vt *vt = a->vt;
    struct vt_row rows[2] = {0}, *above = &rows[0], *row = &rows[1];
    struct vt_work work = {.rows = rows, .n = 2, .below = vt->work};
    a->vt->work = &work;
    unsigned first = vt->scrollback.lines - lines;
    bool first_wrapped = first_wraps(vt, lines);
    if (first_wrapped) {
        vt_row_clear(above, vt->cols, 0);
        if (lines) unpack(a->vt, 0, true, row);
        vt_ansi_next(a, above, lines ? row : vt_screen_row(vt, &vt->main, 0));
    }
    for (unsigned i = first; i < vt->scrollback.lines; i++) {
        if (i > first) {
            bool wraps = is_wrapped(vt, i);
            unpack(a->vt, i - 1, wraps, above);
            unpack(a->vt, i, wraps, row);
            vt_ansi_next(a, above, row);
        }
        bool last = i + 1 == vt->scrollback.lines;
        bool goes_on = last ? vt_screen_row(vt, &vt->main, 0)->wrapped : is_wrapped(vt, i + 1);
        vt_ansi_line(a, vt_scrollback_line(&vt->scrollback, i), goes_on, row);
    }
    if (lines) {
        const struct vt_row *top = vt_screen_row(vt, &vt->main, 0);
        unpack(a->vt, vt->scrollback.lines - 1, top->wrapped, above);
        vt_ansi_next(a, above, top);
    }
    a->vt->work = work.below;
    vt_row_fini(above);
    vt_row_fini(row);
}

static void tabs(struct vt_ansi *a, const struct vt_screen *s) {
    struct vt_screen usual;
    vt_tabs_reset(&usual, a->vt->cols);
    bool same = true;
    for (unsigned col = 0; col < a->vt->cols; col++)
        same = same && !((s->tabs[col / 64] ^ usual.tabs[col / 64]) >> col % 64 & 1);
    if (same) return;
    put(a, "\033[3g");
    for (unsigned col = 0; col < a->vt->cols; col++)
        if (s->tabs[col / 64] >> col % 64 & 1) (void)buf_printf(a->out, "\033[%uG\033H", col + 1);
}

static void pen(struct vt_ansi *a, uint32_t fg, uint32_t bg, uint16_t attrs, unsigned underline,
                uint32_t ul) {
    struct vt_style style = {.fg = fg, .bg = bg, .attrs = attrs & STYLE_ATTRS, .ul = ul};
    if (attrs & PEN_UNDERLINED) style.underline = (uint8_t)(underline ? underline : 1);
    vt_ansi_style(a, &style);
}

static bool nothing_saved(const struct vt_saved *was, int64_t row) {
    return !was->x && !row && !was->fg && !was->bg && !was->attrs && !was->charset;
}

/* DECSC, with everything as it was then. */
static void saved(struct vt_ansi *a, const struct vt_screen *s, unsigned above) {
    const struct vt *vt = a->vt;
    const struct vt_saved *was = &s->saved;
    int64_t y = was->y - above;
    unsigned row = y < 0 ? 0 : MIN((unsigned)MIN(y, (int64_t)VT_ROWS_MAX), vt->rows - 1);
    if (a->unsized || nothing_saved(was, row)) return;
    pen(a, was->fg, was->bg, was->attrs, 1, 0);
    (void)buf_printf(a->out, "\033(%c\033[%u;%uH\0337\033(B", vt_charset_final(was->charset), row + 1,
                     MIN(was->x, vt->cols - 1) + 1);
    vt_ansi_style(a, &plain);
}

/* What is saved for the alternate screen outlives it. */
static void saved_alternate(struct vt_ansi *a) {
    if (a->unsized || nothing_saved(&a->vt->alt.saved, a->vt->alt.saved.y)) return;
    put(a, "\033[?1047h");
    saved(a, &a->vt->alt, 0);
    put(a, "\033[?1047l");
}

static void margins(struct vt_ansi *a, const struct vt_screen *s) {
    if (a->unsized) return;
    if (s->top || s->bottom != a->vt->rows - 1)
        (void)buf_printf(a->out, "\033[%u;%ur", s->top + 1, s->bottom + 1);
}

static void charsets(struct vt_ansi *a) {
    static const char slots[] = "()*+";
    static const char *const shifts[] = {"\x0f", "\x0e", "\033n", "\033o"};
    const struct vt *vt = a->vt;
    for (unsigned i = 0; i < VT_CHARSETS; i++)
        if (vt->charsets[i])
            (void)buf_printf(a->out, "\033%c%c", slots[i], vt_charset_final(vt->charsets[i]));
    if (vt->level) put(a, shifts[vt->level]);
}

/* DECRC brings back a set that is none of the four. */
static bool odd_charset(const struct vt *vt) {
    return vt->charset != vt->charsets[vt->level] && vt->scr->saved.charset == vt->charset;
}

static void modes(struct vt_ansi *a) {
    const struct vt_modes *m = &a->vt->modes;
    if (m->application_cursor) put(a, "\033[?1h");
    if (m->application_keypad) put(a, "\033=");
    if (!m->wrap) put(a, "\033[?7l");
    if (m->reverse_wrap) put(a, "\033[?45h");
    if (a->vt->cursor_blinks) put(a, "\033[?12h");
    if (a->vt->cursor_hidden) put(a, "\033[?25l");
    if (m->insert) put(a, "\033[4h");
    if (m->newline) put(a, "\033[20h");
    if (m->mouse) (void)buf_printf(a->out, "\033[?%uh", m->mouse);
    if (m->mouse_encoding) (void)buf_printf(a->out, "\033[?%uh", m->mouse_encoding);
    if (m->focus) put(a, "\033[?1004h");
    if (m->bracketed_paste) put(a, "\033[?2004h");
    if (m->win32_input) put(a, "\033[?9001h");
    if (m->cursor_style) (void)buf_printf(a->out, "\033[%u q", m->cursor_style);
    if (m->synchronized) put(a, "\033[?2026h");
}

static void position(struct vt_ansi *a, unsigned col) {
    const struct vt_screen *s = a->vt->scr;
    if (a->unsized) {
        put(a, "\r");
        if (a->below) (void)buf_printf(a->out, "\033[%uA", a->below);
        if (col) (void)buf_printf(a->out, "\033[%uC", col);
        a->below = 0;
        return;
    }
    unsigned top = a->vt->modes.origin ? s->top : 0; /* above its margin no sequence puts a cursor */
    (void)buf_printf(a->out, "\033[%u;%uH", s->y > top ? s->y - top + 1 : 1, col + 1);
}

/* The column of the character that ends before the cursor. */
static unsigned before_cursor(const struct vt *vt) {
    unsigned x = vt->scr->x;
    const struct vt_row *row = vt_cursor_row(vt);
    return x > 1 && cell_is_stub(vt_row_get(row, x - 1)) ? x - 2 : x ? x - 1 : 0;
}

/* Does it look as if it had been erased at once? */
static bool is_blank(const struct vt *vt, const struct vt_row *row) {
    struct cell first = vt_row_get(row, 0);
    for (unsigned col = 0; col < vt->cols; col++) {
        struct cell cell = vt_row_get(row, col);
        if (cell.content != CELL_NARROW || cell.style != first.style || cell.link) return false;
    }
    return true;
}

/* Behind the last column, the character there is written once more. */
static void cursor(struct vt_ansi *a) {
    const struct vt *vt = a->vt;
    if (vt->modes.origin && !a->unsized) put(a, "\033[?6h");
    if (vt->scr->x < vt->cols) {
        position(a, vt->scr->x);
        return;
    }
    unsigned col = before_cursor(vt);
    const struct vt_row *row = vt_cursor_row(vt);
    struct cell cell = vt_row_get(row, col);
    position(a, col);
    vt_ansi_link(a, cell.link);
    vt_ansi_style(a, vt_style_of(vt, cell.style));
    if (cell.content & CELL_CONTENT)
        vt_ansi_text(a, cell);
    else
        put(a, is_blank(vt, row) ? " \033[1K" : " "); /* EL leaves the cursor where it is */
    /* A mark that comes next must not join what was written only for this. */
    put(a, "\033[m");
    a->style = plain;
}

/* What was written last is written again, so that a mark that comes next finds what it joins. Where characters are inserted,
 * it is taken out before. */
static void rejoin(struct vt_ansi *a) {
    const struct vt *vt = a->vt;
    if (!vt->join || !vt->scr->x) return;
    unsigned col = before_cursor(vt), width = vt->join >> 1;
    struct cell cell = vt_row_get(vt_cursor_row(vt), col);
    struct vt_style style = vt_pen_style(&vt->pen);
    if (!(cell.content & CELL_CONTENT) || cell_width(cell) != width || col + width != vt->scr->x) return;
    if (memcmp(&style, vt_style_of(vt, cell.style), sizeof style) != 0) return;
    position(a, col);
    if (vt->modes.insert) (void)buf_printf(a->out, "\033[%uP", width);
    vt_ansi_text(a, cell);
}

static void snapshot(const struct vt *vt, unsigned lines, bool unsized, struct buf *out) {
    /* Lines are unpacked, and that looks up styles; nothing that can be seen changes. */
    struct vt_ansi a = {.vt = (struct vt *)vt, .out = out, .dirty = -1, .unsized = unsized};
    lines = MIN(lines, vt->scrollback.lines);
    reset(&a);
    colors(&a);
    title(&a);
    history(&a, lines);
    screen(&a, &vt->main);
    if (lines == 0 && first_wraps(vt, lines)) put(&a, "\033[3J");
    vt_ansi_link(&a, 0);
    vt_ansi_style(&a, &plain);
    tabs(&a, &vt->main);
    saved(&a, &vt->main, vt->scrollback.lines);
    if (vt->scr == &vt->main) {
        saved_alternate(&a);
    } else {
        margins(&a, &vt->main);
        (void)buf_printf(out, "\033[%u;%uH\033[?1047h\033[H", vt->main.y + 1,
                         MIN(vt->main.x, vt->cols - 1) + 1);
        a.x = 0;
        screen(&a, &vt->alt);
        vt_ansi_link(&a, 0);
        vt_ansi_style(&a, &plain);
        tabs(&a, &vt->alt);
        saved(&a, &vt->alt, 0);
    }
    margins(&a, vt->scr);
    bool odd = !unsized && odd_charset(vt);
    if (odd) {
        charsets(&a);
        put(&a, "\0338\033[m");
    }
    cursor(&a);
    if (!odd) charsets(&a);
    modes(&a);
    vt_ansi_link(&a, vt->pen.link);
    pen(&a, vt->pen.fg, vt->pen.bg, vt->pen.attrs, vt->pen.underline, vt->pen.ul);
    rejoin(&a);
    vt_parser_write(&vt->parser, out);
}

void vt_snapshot(const struct vt *vt, unsigned lines, struct buf *out) {
    snapshot(vt, lines, false, out);
}

void vt_snapshot_unsized(const struct vt *vt, unsigned lines, struct buf *out) {
    snapshot(vt, lines, true, out);
}
