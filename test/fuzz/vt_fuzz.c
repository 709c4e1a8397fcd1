/*
 * A program that writes arbitrary bytes, cut anywhere, while the terminal is resized, loses bytes, and is started anew. It stays
 * within its bounds; saved and loaded it is the same cell by cell; a snapshot brings a fresh one to the same text.
 *
 * 0xff in the input is an order, the byte behind it says which: bytes of text never have one.
 */
#include "base/buf.h"
#include "base/err.h"
#include "term/vt.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { COLS = 20, ROWS = 6, SCROLLBACK = 50, MEMORY_MAX = 32 << 20 };

static void require(bool condition) {
    if (!condition) abort();
}

static void on_text(void *user, struct span text) {
    for (size_t i = 0; i < text.n; i++)
        *(unsigned *)user += (unsigned char)text.p[i];
}

static const struct vt_ops ops = {
    .reply = on_text, .title = on_text, .directory = on_text, .command = on_text, .clipboard = on_text};

static void obey(struct vt *vt, uint8_t order) {
    if (order < 0x80)
        vt_resize(vt, order % 27, 1 + order % 11);
    else if (order < 0xa0)
        vt_gap(vt);
    else if (order < 0xa8)
        vt_restart(vt);
    else if (order == 0xf0)
        vt_resize(vt, 1000, 3);
}

static struct vt *play(const uint8_t *data, size_t size, size_t piece, unsigned *heard) {
    struct vt *vt = vt_new(COLS, ROWS, SCROLLBACK, &ops, heard);
    for (size_t at = 0; at < size;) {
        if (data[at] == 0xff) {
            if (at + 1 < size) obey(vt, data[at + 1]);
            at += 2;
            continue;
        }
        size_t end = at;
        while (end < size && data[end] != 0xff && end - at < piece)
            end++;
        vt_feed(vt, (const char *)data + at, end - at);
        at = end;
    }
    return vt;
}

static bool same_cell(const struct vt_cell *a, const struct vt_cell *b) {
    return a->text_bytes == b->text_bytes && memcmp(a->text, b->text, a->text_bytes) == 0 &&
           a->width == b->width && a->attrs == b->attrs && a->underline == b->underline &&
           a->foreground.value == b->foreground.value && a->foreground.kind == b->foreground.kind &&
           a->background.value == b->background.value && a->background.kind == b->background.kind &&
           !a->link == !b->link;
}

static void check_same(const struct vt *a, const struct vt *b) {
    struct vt_view va, vb;
    vt_view(a, &va);
    vt_view(b, &vb);
    require(va.cols == vb.cols && va.rows == vb.rows && va.scrollback == vb.scrollback);
    require(va.cursor_col == vb.cursor_col && va.cursor_row == vb.cursor_row && va.alternate == vb.alternate);
    require(va.cursor_col <= va.cols && va.cursor_row < va.rows && va.scrollback <= SCROLLBACK);
    for (int row = -(int)va.scrollback; row < (int)va.rows; row++) {
        require(vt_row_wraps(a, row) == vt_row_wraps(b, row));
        for (unsigned col = 0; col < va.cols; col++) {
            struct vt_cell ca, cb;
            vt_cell(a, row, col, &ca);
            vt_cell(b, row, col, &cb);
            require(ca.width <= 2 && same_cell(&ca, &cb));
        }
    }
}

static void check_saved(const struct vt *vt, unsigned *heard) {
    struct buf bytes = BUF_INIT(64 << 20);
    vt_save(vt, &bytes);
    struct vt *loaded = NULL;
    require(!bytes.failed && vt_load(buf_span(&bytes), &ops, heard, &loaded, NULL) == 0);
    check_same(vt, loaded);
    vt_free(loaded);
    buf_fini(&bytes);
}

/* Does every half of a wide character have its other half? Only such rows can be written down. */
static bool is_whole(const struct vt *vt, int row, unsigned cols) {
    bool wide = false;
    for (unsigned col = 0; col < cols; col++) {
        struct vt_cell cell;
        vt_cell(vt, row, col, &cell);
        bool stub = cell.width == 0 && cell.text_bytes == 0;
        if (stub != wide || (cell.width == 0 && cell.text_bytes) || (cell.width == 2 && !cell.text_bytes))
            return false;
        wide = cell.width == 2;
    }
    return !wide;
}

static void check_snapshot(const struct vt *vt, unsigned *heard) {
    struct buf bytes = BUF_INIT(64 << 20), want = BUF_INIT(1 << 20), got = BUF_INIT(1 << 20);
    struct vt_view view;
    vt_view(vt, &view);
    vt_snapshot(vt, SCROLLBACK, &bytes);
    require(!bytes.failed);
    struct vt *copy = vt_new(view.cols, view.rows, SCROLLBACK, &ops, heard);
    vt_feed(copy, "\033[?1049h\033[4h\033]2;half", 21);
    vt_feed(copy, bytes.p, bytes.n);
    struct vt_view seen;
    vt_view(copy, &seen);
    require(seen.cursor_col == view.cursor_col && seen.cursor_row == view.cursor_row);
    require(seen.alternate == view.alternate && seen.scrollback == view.scrollback);
    require(span_eq(vt_title(vt), vt_title(copy)));
    for (int row = -(int)view.scrollback; row < (int)view.rows; row++) {
        if (!is_whole(vt, row, view.cols)) continue;
        buf_clear(&want);
        buf_clear(&got);
        vt_row_text(vt, row, &want);
        vt_row_text(copy, row, &got);
        require(span_eq(buf_span(&want), buf_span(&got)));
    }
    vt_free(copy);
    buf_fini(&bytes);
    buf_fini(&want);
    buf_fini(&got);
}

/* For a window of another size there is nothing to compare: it can be written, and shown. */
static void check_unsized(const struct vt *vt, unsigned *heard) {
    struct buf bytes = BUF_INIT(64 << 20);
    struct vt_view view;
    vt_view(vt, &view);
    vt_snapshot_unsized(vt, SCROLLBACK, &bytes);
    require(!bytes.failed);
    struct vt *other = vt_new(view.cols, MAX(view.rows / 2, 1U), SCROLLBACK, &ops, heard);
    vt_feed(other, bytes.p, bytes.n);
    require(span_eq(vt_title(vt), vt_title(other)));
    vt_free(other);
    buf_fini(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    unsigned heard_whole = 0, heard_cut = 0, heard = 0;
    struct vt *whole = play(data + 1, size - 1, SIZE_MAX, &heard_whole);
    struct vt *cut = play(data + 1, size - 1, 1 + data[0] % 16, &heard_cut);
    require(heard_whole == heard_cut);
    check_same(whole, cut);
    require(vt_memory(whole) < MEMORY_MAX);
    check_saved(whole, &heard);
    check_snapshot(whole, &heard);
    check_unsized(whole, &heard);
    vt_free(whole);
    vt_free(cut);
    return 0;
}
