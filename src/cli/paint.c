#include "cli/paint.h"

#include "base/cleanup.h"
#include "base/shown.h"
#include "cli/cells.h"
#include "cli/tty.h"

enum { SCREEN_MAX = 64 << 20, PAINT_TITLE_BYTES = 512 };

void paint_init(struct paint *p, unsigned cols, unsigned rows, const struct vt_ops *ops, void *user) {
    *p = (struct paint){.cols = cols, .rows = rows, .out = BUF_INIT(PAINT_OUT_MAX), .ops = ops, .user = user};
}

void paint_fini(struct paint *p) {
    vt_free(p->vt);
    buf_fini(&p->out);
}

/* The outer terminal keeps what it showed before, above: a clear would take it away. Its title is put aside. */
static void begin(struct paint *p) {
    p->begun = true;
    (void)buf_printf(&p->out, "\x1b[22;0t");
    for (unsigned i = 0; i < p->rows; i++)
        (void)buf_append(&p->out, "\r\n", 2);
}

/* The title that the screen has now, in characters that a person may see. */
static void show_title(struct paint *p) {
    struct span title = vt_title(p->vt);
    if (span_eq(title, span_of(p->title, p->title_n))) return;
    p->title_n = title.n;
    memcpy(p->title, title.p ? title.p : "", title.n);
    char shown[PAINT_TITLE_BYTES];
    size_t n = shown_copy(title, SHOWN_PLAIN, shown, sizeof shown);
    (void)buf_printf(&p->out, "\x1b]2;%.*s\x1b\\", (int)n, shown);
    p->titled = true;
}

/* A screen in place of whatever is there. At once, where the outer terminal can do that. */
static void draw(struct paint *p, struct span snapshot) {
    struct vt_modes modes;
    vt_modes(p->vt, &modes);
    (void)buf_printf(&p->out, TTY_RESET "\x1b[?1047l" TTY_RESET_MARGINS "\x1b[?2026h\x1b[H\x1b[J");
    p->noted = false;
    filter_gap(&p->filter); /* whatever sequence was begun, it has ended */
    if (p->filter.tabs) filter_reset_tabs(p->cols, &p->out);
    p->filter.tabs = false;
    p->filter.cols = p->cols;
    p->filter.soft = true;
    filter_feed(&p->filter, snapshot, &p->out);
    p->filter.soft = false;
    if (!modes.synchronized) (void)buf_printf(&p->out, "\x1b[?2026l");
    show_title(p);
}

static void draw_own(struct paint *p, unsigned scrollback) {
    AUTO(buf) struct buf bytes = BUF_INIT(SCREEN_MAX);
    vt_snapshot(p->vt, scrollback, &bytes);
    draw(p, buf_span(&bytes));
}

void paint_again(struct paint *p) {
    if (p->vt) draw_own(p, 0);
}

/* The first one comes with its scrollback, for the outer terminal to keep; later ones only replace what is seen. */
void paint_screen(struct paint *p, const struct tap_screen *s) {
    unsigned scrollback = p->begun ? 0 : VT_SCROLLBACK;
    vt_free(p->vt);
    p->vt = vt_new(s->cols, s->rows, scrollback, p->ops, p->user);
    vt_set_answering(p->vt, false);
    vt_feed(p->vt, s->bytes.p, s->bytes.n);
    vt_resize(p->vt, p->cols, p->rows);
    vt_set_answering(p->vt, true);
    if (!p->begun) begin(p);
    draw_own(p, scrollback);
}

void paint_output(struct paint *p, struct span bytes) {
    if (!p->vt) return;
    paint_clear_note(p);
    vt_feed(p->vt, bytes.p, bytes.n);
    filter_feed(&p->filter, bytes, &p->out);
    show_title(p);
}

void paint_gap(struct paint *p) {
    if (!p->vt) return;
    vt_gap(p->vt);
    filter_gap(&p->filter);
}

void paint_resize(struct paint *p, unsigned cols, unsigned rows) {
    p->cols = cols;
    p->rows = rows;
    if (!p->vt) return;
    vt_resize(p->vt, cols, rows);
    paint_again(p);
}

/* The cursor that is saved here is the program's, too; the snapshot that takes the note away brings its own back. */
void paint_note(struct paint *p, const char *text) {
    if (!p->begun || p->noted) return;
    (void)buf_printf(&p->out,
                     "\x1b"
                     "7\x1b[?6l\x1b[%u;1H\x1b[0;7m ",
                     p->rows);
    (void)cells_append(span_str(text), p->cols > 4 ? p->cols - 3 : 1, &p->out);
    (void)buf_printf(&p->out, " \x1b[0m\x1b"
                              "8");
    p->noted = true;
}

void paint_clear_note(struct paint *p) {
    if (p->noted) paint_again(p);
}

/* The first row below everything. */
static unsigned free_row(const struct vt *vt, const struct vt_view *view) {
    AUTO(buf) struct buf text = BUF_INIT(64 << 10);
    unsigned row = view->rows;
    for (; row > view->cursor_row; row--) {
        buf_clear(&text);
        vt_row_text(vt, (int)row - 1, &text);
        if (text.n) break;
    }
    return row;
}

static bool has_margins(const struct paint *p, const struct vt_view *view) {
    struct vt_modes m;
    vt_modes(p->vt, &m);
    return m.origin || m.scroll_top > 0 || m.scroll_bottom + 1 < view->rows;
}

void paint_leave(struct paint *p, bool in_place) {
    if (!p->begun) return;
    if (!in_place) paint_clear_note(p);
    struct vt_view view;
    vt_view(p->vt, &view);
    /* A terminal without a stack of titles is left without one. */
    (void)buf_printf(&p->out, TTY_RESET "%s\x1b[23;0t", p->titled ? "\x1b]2;\x1b\\" : "");
    if (has_margins(p, &view)) (void)buf_printf(&p->out, TTY_RESET_MARGINS);
    if (p->filter.tabs) {
        (void)buf_printf(&p->out, "\x1b"
                                  "7");
        filter_reset_tabs(p->cols, &p->out);
        (void)buf_printf(&p->out, "\x1b"
                                  "8");
    }
    unsigned row = view.alternate ? 0 : free_row(p->vt, &view);
    if (view.alternate)
        (void)buf_printf(&p->out, "\x1b[?1049l\r\n");
    else if (!in_place)
        (void)buf_printf(&p->out, "\x1b[%u;1H%s", row + 1, row == view.rows ? "\r\n" : "");
}
