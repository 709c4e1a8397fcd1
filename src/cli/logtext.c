#include "cli/logtext.h"

/* So little at a time that no line leaves the scrollback unseen. */
enum { PIECE_BYTES = 2048 };

static struct vt_view view_of(const struct logtext *l) {
    struct vt_view v;
    vt_view(l->vt, &v);
    return v;
}

/* A row's text; what is blank at the end of one that goes on was written, too. */
static void append_row(struct logtext *l, int row, const struct vt_view *v) {
    vt_row_text(l->vt, row, &l->line);
    if (!vt_row_wraps(l->vt, row)) return;
    unsigned blanks = 0;
    struct vt_cell cell;
    while (blanks < v->cols) {
        vt_cell(l->vt, row, v->cols - 1 - blanks, &cell);
        if (cell.text_bytes != 1 || cell.text[0] != ' ') break;
        blanks++;
    }
    while (blanks--)
        (void)buf_append_char(&l->line, ' ');
}

static void give_row(struct logtext *l, int row, const struct vt_view *v) {
    append_row(l, row, v);
    if (vt_row_wraps(l->vt, row) && !l->line.failed) return;
    l->each(l->user, buf_span(&l->line));
    buf_clear(&l->line);
}

static int64_t scrolled(const struct vt_view *v) {
    return (int64_t)v->lines_scrolled;
}

/* Gives out all rows above `row` of the screen. */
static void give_above(struct logtext *l, unsigned row) {
    struct vt_view v = view_of(l);
    int64_t oldest = scrolled(&v) - (int64_t)v.scrollback;
    for (l->next = MAX(l->next, oldest); l->next < scrolled(&v) + row; l->next++)
        give_row(l, (int)(l->next - scrolled(&v)), &v);
}

static void give(struct logtext *l) {
    struct vt_view v = view_of(l);
    give_above(l, l->follow && !v.alternate ? v.cursor_row : 0);
}

void logtext_init(struct logtext *l, struct vt *vt, void (*each)(void *user, struct span line), void *user) {
    *l = (struct logtext){
        .vt = vt, .next = INT64_MIN, .line = BUF_INIT(LOGTEXT_LINE_MAX), .each = each, .user = user};
    vt_set_answering(vt, false);
    give(l);
}

void logtext_fini(struct logtext *l) {
    vt_free(l->vt);
    buf_fini(&l->line);
}

void logtext_feed(struct logtext *l, struct span bytes) {
    for (; bytes.n; bytes = span_skip(bytes, PIECE_BYTES)) {
        struct span piece = span_take(bytes, PIECE_BYTES);
        vt_feed(l->vt, piece.p, piece.n);
        give(l);
    }
}

void logtext_gap(struct logtext *l) {
    vt_gap(l->vt);
}

void logtext_restart(struct logtext *l) {
    vt_restart(l->vt);
    give(l);
}

/* Lines, not rows, from `next` to the cursor's. */
static unsigned lines_left(const struct logtext *l, const struct vt_view *v) {
    unsigned lines = 0;
    for (int64_t row = l->next - scrolled(v); row < (int64_t)v->cursor_row; row++)
        lines += !vt_row_wraps(l->vt, (int)row);
    return lines;
}

/* The row that the line of `row` begins with. */
static int first_row(const struct logtext *l, int row, int oldest) {
    while (row > oldest && vt_row_wraps(l->vt, row - 1))
        row--;
    return row;
}

/* Rows flow anew, up into the scrollback and back out of it, but lines stay lines: those left are counted back from the
 * cursor. What is left of a line that was begun is told with it again. */
void logtext_resize(struct logtext *l, unsigned cols, unsigned rows) {
    struct vt_view before = view_of(l), v;
    int64_t on_screen = l->next - scrolled(&before);
    unsigned lines = before.alternate ? 0 : lines_left(l, &before);
    vt_resize(l->vt, cols, rows);
    v = view_of(l);
    if (before.alternate) {
        l->next = scrolled(&v) + MIN(on_screen, (int64_t)v.rows);
        return;
    }
    int oldest = -(int)v.scrollback, row = first_row(l, (int)v.cursor_row, oldest);
    for (; lines && row > oldest; lines--)
        row = first_row(l, row - 1, oldest);
    l->next = scrolled(&v) + row;
    buf_clear(&l->line);
    give(l);
}

void logtext_replace(struct logtext *l, struct vt *vt) {
    vt_free(l->vt);
    l->vt = vt;
    vt_set_answering(vt, false);
    buf_clear(&l->line);
    struct vt_view v = view_of(l);
    l->next = scrolled(&v) + (v.alternate ? 0 : v.cursor_row);
}

void logtext_follow(struct logtext *l) {
    l->follow = true;
    give(l);
}

/* Rows of the screen up to the last with something in it. */
static void give_screen(struct logtext *l) {
    struct vt_view v = view_of(l);
    struct buf text = BUF_INIT(LOGTEXT_LINE_MAX);
    unsigned rows = v.rows;
    for (; rows > 0; rows--) {
        buf_clear(&text);
        vt_row_text(l->vt, (int)rows - 1, &text);
        if (text.n) break;
    }
    buf_fini(&text);
    give_above(l, rows);
    if (l->line.n) l->each(l->user, buf_span(&l->line));
    buf_clear(&l->line);
}

void logtext_end(struct logtext *l) {
    struct vt_view v = view_of(l);
    if (v.alternate && !l->follow) {
        /* First what is under it. */
        struct buf other = BUF_INIT(LOGTEXT_LINE_MAX);
        static const char back[] = "\x1b[?1049l";
        for (unsigned row = 0; row < v.rows; row++) {
            vt_row_text(l->vt, (int)row, &other);
            (void)buf_append_char(&other, '\n');
        }
        vt_feed(l->vt, back, sizeof back - 1);
        give_screen(l);
        while (other.n && other.p[other.n - 1] == '\n')
            other.n--;
        for (struct span rest = buf_span(&other); rest.n;)
            l->each(l->user, span_split(&rest, '\n'));
        buf_fini(&other);
        return;
    }
    if (!v.alternate) give_screen(l);
}
