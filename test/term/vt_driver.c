/*
 * A terminal for test/e2e/vt_oracle: orders on stdin, what there is to see on stdout.
 *
 * An order is a letter, the length of what follows (u32, little-endian), and that. An answer is a length and bytes.
 *
 *     n cols:u16 rows:u16 scrollback:u32   a new one, the former is gone
 *     f bytes                              feed · b the same, byte by byte
 *     r cols:u16 rows:u16                  resize
 *     g · R                                gap · restart
 *     s lines:u32                          → snapshot
 *     c lines:u32                          go on with a new one that was fed the snapshot
 *     l                                    go on with one that was saved and loaded
 *     v · L bytes                          → saved · go on with what is loaded from them, or stay
 *     d                                    → everything that can be seen, as JSON
 *     x bytes                              → [where…] they can be cut in two so that something is different then
 *     m                                    → bytes that it has allocated
 *     w                                    → a digit for each code point: how far it moves the cursor behind a letter
 */
#include "base/cleanup.h"
#include "base/jwrite.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "term/vt.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ORDER_BYTES_MAX = 256 << 20, ANSWER_BYTES_MAX = 512 << 20, COLORS = 0x112233 };

struct driver {
    struct vt *vt;
    unsigned cols, rows, scrollback;
    struct buf replies, events, title;
    unsigned bells, titles;
};

static void on_reply(void *user, struct span bytes) {
    (void)buf_append_span(&((struct driver *)user)->replies, bytes);
}

static void on_title(void *user, struct span title) {
    struct driver *d = user;
    d->titles++;
    buf_clear(&d->title);
    (void)buf_append_span(&d->title, title);
}

static void on_event(struct driver *d, const char *what, struct span text) {
    (void)buf_printf(&d->events, "%s:%.*s\n", what, SPAN_ARG(text));
}

static void on_directory(void *user, struct span uri) {
    on_event(user, "directory", uri);
}

static void on_mark(void *user, enum vt_mark mark, int exit) {
    struct driver *d = user;
    (void)buf_printf(&d->events, "mark:%d %d\n", (int)mark, exit);
}

static void on_command(void *user, struct span text) {
    on_event(user, "command", text);
}

static void on_clipboard(void *user, struct span base64) {
    on_event(user, "clipboard", base64);
}

static void on_bell(void *user) {
    ((struct driver *)user)->bells++;
}

static const struct vt_ops OPS = {
    .reply = on_reply,
    .title = on_title,
    .directory = on_directory,
    .mark = on_mark,
    .command = on_command,
    .clipboard = on_clipboard,
    .bell = on_bell,
};

static NORETURN void die(const char *why) {
    (void)fprintf(stderr, "vt_driver: %s\n", why);
    exit(1);
}

/* Rows */

static void print_color(struct buf *out, const char *name, struct vt_color color) {
    if (color.kind == 1) (void)buf_printf(out, " %s=%u", name, color.value);
    if (color.kind == 2) (void)buf_printf(out, " %s=#%06x", name, color.value);
}

/* "" for what is plain. The colour of an underline that is not there counts for nothing. */
static void print_style(const struct vt *vt, const struct vt_cell *cell, struct buf *out) {
    static const char *const NAMES[] = {"bold",    "dim",       "italic", "blink",
                                        "inverse", "invisible", "strike", "overline"};
    buf_clear(out);
    for (size_t i = 0; i < ARRAY_LEN(NAMES); i++)
        if (cell->attrs & (1u << i)) (void)buf_printf(out, " %s", NAMES[i]);
    if (cell->underline) (void)buf_printf(out, " underline=%u", cell->underline);
    print_color(out, "fg", cell->foreground);
    print_color(out, "bg", cell->background);
    if (cell->underline || cell->link) print_color(out, "line", cell->underline_color);
    if (cell->link) {
        (void)buf_append_span(out, SPAN(" link="));
        (void)buf_append_span(out, vt_link(vt, cell->link));
    }
}

/* A character of one cell is itself; \1 an empty cell, \2 one without width; anything else \3, its width, the text, \4. */
static void print_text(const struct vt_cell *cell, struct buf *out) {
    struct span text = span_of(cell->text, cell->text_bytes);
    if (text.n == 0 && cell->width < 2) {
        (void)buf_append_char(out, cell->width ? '\1' : '\2');
    } else if (cell->width == 1 && utf8_sequence(text) == text.n) {
        (void)buf_append_span(out, text);
    } else {
        (void)buf_printf(out, "\3%u", cell->width);
        (void)buf_append_span(out, text);
        (void)buf_append_char(out, '\4');
    }
}

static bool is_blank(const struct vt_cell *cell) {
    return cell->text_bytes == 0 && cell->width == 1 && cell->attrs == 0 && cell->underline == 0 &&
           cell->link == 0 && cell->foreground.kind == 0 && cell->background.kind == 0;
}

static bool same_style(const struct vt_cell *a, const struct vt_cell *b) {
    return a->attrs == b->attrs && a->underline == b->underline && a->link == b->link &&
           memcmp(&a->foreground, &b->foreground, sizeof a->foreground) == 0 &&
           memcmp(&a->background, &b->background, sizeof a->background) == 0 &&
           memcmp(&a->underline_color, &b->underline_color, sizeof a->underline_color) == 0;
}

/* [wraps, style, text, style, text …], neighbours of one style together, without what is blank at the end. */
static void dump_row(const struct driver *d, int row, struct jwrite *w) {
    AUTO(free) struct vt_cell *cells = xcalloc(d->cols, sizeof *cells);
    AUTO(buf) struct buf style = BUF_INIT(64 << 10), next = BUF_INIT(64 << 10), text = BUF_INIT(1 << 20);
    unsigned n = 0;
    for (unsigned col = 0; col < d->cols; col++) {
        vt_cell(d->vt, row, col, &cells[col]);
        if (!is_blank(&cells[col])) n = col + 1;
    }
    jwrite_array(w);
    jwrite_u64(w, vt_row_wraps(d->vt, row));
    for (unsigned col = 0; col < n; col++) {
        if (col == 0 || !same_style(&cells[col], &cells[col - 1])) print_style(d->vt, &cells[col], &next);
        if (col > 0 && !span_eq(buf_span(&style), buf_span(&next))) {
            jwrite_str(w, buf_span(&style));
            jwrite_str(w, buf_span(&text));
            buf_clear(&text);
        }
        buf_clear(&style);
        (void)buf_append_span(&style, buf_span(&next));
        print_text(&cells[col], &text);
    }
    if (n > 0) {
        jwrite_str(w, buf_span(&style));
        jwrite_str(w, buf_span(&text));
    }
    jwrite_array_end(w);
}

static void dump_modes(const struct driver *d, struct jwrite *w) {
    struct vt_modes m;
    vt_modes(d->vt, &m);
    jwrite_key(w, "modes");
    jwrite_object(w);
    jwrite_kbool(w, "applicationCursor", m.application_cursor);
    jwrite_kbool(w, "applicationKeypad", m.application_keypad);
    jwrite_kbool(w, "origin", m.origin);
    jwrite_kbool(w, "wrap", m.wrap);
    jwrite_kbool(w, "insert", m.insert);
    jwrite_kbool(w, "newline", m.newline);
    jwrite_kbool(w, "bracketedPaste", m.bracketed_paste);
    jwrite_kbool(w, "focus", m.focus);
    jwrite_kbool(w, "synchronized", m.synchronized);
    jwrite_kbool(w, "reverseWrap", m.reverse_wrap);
    jwrite_ku64(w, "mouse", m.mouse);
    jwrite_ku64(w, "mouseEncoding", m.mouse_encoding);
    jwrite_ku64(w, "cursorStyle", m.cursor_style);
    jwrite_ku64(w, "scrollTop", m.scroll_top);
    jwrite_ku64(w, "scrollBottom", m.scroll_bottom);
    jwrite_object_end(w);
}

static void dump_texts(const struct driver *d, const struct vt_view *view, struct jwrite *w) {
    AUTO(buf) struct buf text = BUF_INIT(1 << 20);
    jwrite_key(w, "texts");
    jwrite_array(w);
    for (int row = -(int)view->scrollback; row < (int)view->rows; row++) {
        buf_clear(&text);
        vt_row_text(d->vt, row, &text);
        jwrite_str(w, buf_span(&text));
    }
    jwrite_array_end(w);
}

static void dump(const struct driver *d, struct buf *out) {
    struct jwrite w = JWRITE_INIT(out);
    struct vt_view view;
    vt_view(d->vt, &view);
    jwrite_object(&w);
    jwrite_ku64(&w, "cols", view.cols);
    jwrite_ku64(&w, "rows", view.rows);
    jwrite_ku64(&w, "cursorCol", view.cursor_col);
    jwrite_ku64(&w, "cursorRow", view.cursor_row);
    jwrite_kbool(&w, "cursorVisible", view.cursor_visible);
    jwrite_kbool(&w, "alternate", view.alternate);
    jwrite_ku64(&w, "scrollback", view.scrollback);
    jwrite_kstr(&w, "title", vt_title(d->vt));
    jwrite_kstr(&w, "replies", buf_span(&d->replies));
    jwrite_kstr(&w, "events", buf_span(&d->events));
    jwrite_ku64(&w, "bells", d->bells);
    dump_modes(d, &w);
    jwrite_key(&w, "lines");
    jwrite_array(&w);
    for (int row = -(int)view.scrollback; row < (int)view.rows; row++)
        dump_row(d, row, &w);
    jwrite_array_end(&w);
    dump_texts(d, &view, &w);
    jwrite_object_end(&w);
}

/* Orders */

static unsigned u16(struct span s, size_t at) {
    if (s.n < at + 2) die("an order is cut short");
    return (unsigned char)s.p[at] | (unsigned)(unsigned char)s.p[at + 1] << 8;
}

static unsigned u32(struct span s, size_t at) {
    return u16(s, at) | u16(s, at + 2) << 16;
}

static void measure(struct driver *d) {
    struct vt_view view;
    vt_view(d->vt, &view);
    d->cols = view.cols;
    d->rows = view.rows;
}

/* A terminal of the same size, but new. */
static void start_again(struct driver *d) {
    vt_free(d->vt);
    d->vt = vt_new(d->cols, d->rows, d->scrollback, &OPS, d);
    vt_set_colors(d->vt, COLORS, COLORS + 1);
    buf_clear(&d->replies);
    buf_clear(&d->events);
    d->bells = 0;
    measure(d);
}

static void start_new(struct driver *d, struct span order) {
    d->cols = u16(order, 0);
    d->rows = u16(order, 2);
    d->scrollback = u32(order, 4);
    start_again(d);
}

static void go_on_with_copy(struct driver *d, unsigned lines) {
    AUTO(buf) struct buf bytes = BUF_INIT(ANSWER_BYTES_MAX);
    vt_snapshot(d->vt, lines, &bytes);
    struct vt *copy = vt_new(d->cols, d->rows, d->scrollback, &OPS, d);
    vt_set_colors(copy, COLORS, COLORS + 1);
    vt_feed(copy, bytes.p, bytes.n);
    vt_free(d->vt);
    d->vt = copy;
}

static void go_on_with_saved(struct driver *d, struct span bytes) {
    struct err err;
    struct vt *loaded;
    if (vt_load(bytes, &OPS, d, &loaded, &err) < 0) {
        on_event(d, "not loaded", span_str(err.msg));
        return;
    }
    vt_free(d->vt);
    d->vt = loaded;
    measure(d);
}

static void reload(struct driver *d) {
    AUTO(buf) struct buf bytes = BUF_INIT(ANSWER_BYTES_MAX);
    vt_save(d->vt, &bytes);
    go_on_with_saved(d, buf_span(&bytes));
}

/* By how far the cursor moves: what counts in the end, whatever the table says. */
static void dump_widths(struct buf *out) {
    struct vt *vt = vt_new(80, 2, 0, NULL, NULL);
    for (uint32_t code = 0; code <= 0x10ffff; code++) {
        char text[6] = "\ra";
        struct vt_view view;
        if (code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code < 0xe000)) {
            (void)buf_append_char(out, '-');
            continue;
        }
        vt_feed(vt, text, 2 + utf8_encode(code, text + 2));
        vt_view(vt, &view);
        (void)buf_append_char(out, (char)('0' + view.cursor_col - 1));
    }
    vt_free(vt);
}

/* Everything that there is to know, in fewer bytes than a dump. */
static void keep(const struct driver *d, struct buf *out) {
    buf_clear(out);
    vt_save(d->vt, out);
    (void)buf_append_span(out, buf_span(&d->replies));
    (void)buf_append_span(out, buf_span(&d->events));
}

static void dump_cuts(struct driver *d, struct span bytes, struct buf *out) {
    AUTO(buf) struct buf want = BUF_INIT(ANSWER_BYTES_MAX), got = BUF_INIT(ANSWER_BYTES_MAX);
    struct jwrite w = JWRITE_INIT(out);
    start_again(d);
    vt_feed(d->vt, bytes.p, bytes.n);
    keep(d, &want);
    jwrite_array(&w);
    for (size_t cut = 1; cut < bytes.n; cut++) {
        start_again(d);
        vt_feed(d->vt, bytes.p, cut);
        vt_feed(d->vt, bytes.p + cut, bytes.n - cut);
        keep(d, &got);
        if (!span_eq(buf_span(&got), buf_span(&want))) jwrite_u64(&w, cut);
    }
    jwrite_array_end(&w);
}

static void answer(struct span bytes) {
    unsigned char head[4] = {bytes.n & 0xff, bytes.n >> 8 & 0xff, bytes.n >> 16 & 0xff, bytes.n >> 24 & 0xff};
    (void)fwrite(head, 1, sizeof head, stdout);
    (void)fwrite(bytes.p, 1, bytes.n, stdout);
}

/* Orders that are answered. */
static bool ask(struct driver *d, char letter, struct span order) {
    AUTO(buf) struct buf out = BUF_INIT(ANSWER_BYTES_MAX);
    if (letter == 'd') {
        dump(d, &out);
    } else if (letter == 's') {
        vt_snapshot(d->vt, u32(order, 0), &out);
    } else if (letter == 'v') {
        vt_save(d->vt, &out);
    } else if (letter == 'm') {
        (void)buf_printf(&out, "%zu", vt_memory(d->vt));
    } else if (letter == 'w') {
        dump_widths(&out);
    } else if (letter == 'x') {
        dump_cuts(d, order, &out);
    } else {
        return false;
    }
    if (out.failed) die("the answer is too long");
    answer(buf_span(&out));
    return true;
}

static void obey(struct driver *d, char letter, struct span order) {
    if (!d->vt && letter != 'n' && letter != 'w') die("no terminal yet");
    switch (letter) {
    case 'n': start_new(d, order); break;
    case 'f': vt_feed(d->vt, order.p, order.n); break;
    case 'b':
        for (size_t i = 0; i < order.n; i++)
            vt_feed(d->vt, order.p + i, 1);
        break;
    case 'r':
        vt_resize(d->vt, u16(order, 0), u16(order, 2));
        measure(d);
        break;
    case 'g': vt_gap(d->vt); break;
    case 'R': vt_restart(d->vt); break;
    case 'c': go_on_with_copy(d, u32(order, 0)); break;
    case 'l': reload(d); break;
    case 'L': go_on_with_saved(d, order); break;
    default:
        if (!ask(d, letter, order)) die("no such order");
    }
}

/* Answers go out before it waits for more orders, and so many of both are under way at once. */
static bool read_all(char *p, size_t n) {
    static char pending[1 << 16];
    static size_t from, to;
    while (n > 0) {
        if (from == to) {
            (void)fflush(stdout);
            ssize_t got = read(STDIN_FILENO, pending, sizeof pending);
            if (got <= 0) return false;
            from = 0;
            to = (size_t)got;
        }
        size_t piece = MIN(n, to - from);
        memcpy(p, pending + from, piece);
        from += piece;
        p += piece;
        n -= piece;
    }
    return true;
}

int main(void) {
    struct driver d = {
        .replies = BUF_INIT(64 << 20), .events = BUF_INIT(64 << 20), .title = BUF_INIT(1 << 20)};
    AUTO(buf) struct buf order = BUF_INIT(ORDER_BYTES_MAX);
    char head[5];
    while (read_all(head, sizeof head)) {
        size_t n = u32(span_of(head, sizeof head), 1);
        buf_clear(&order);
        if (!buf_reserve(&order, n) || !read_all(order.p, n)) die("an order is cut short");
        buf_grew(&order, n);
        obey(&d, head[0], buf_span(&order));
    }
    vt_free(d.vt);
    buf_fini(&d.replies);
    buf_fini(&d.events);
    buf_fini(&d.title);
    return fflush(stdout) == 0 ? 0 : 1;
}
