#include "cli/cells.h"

#include "base/shown.h"
#include "base/utf8.h"
#include "term/vt_width.h"

/* Appends characters while they fit; `*cells` is what they take. False when some did not. */
static bool append_while(struct span text, size_t width, size_t *cells, struct buf *out) {
    struct shown s = SHOWN_INIT(text);
    while (shown_next(&s)) {
        struct span one = shown_as(&s, SHOWN_PLAIN);
        size_t wide = vt_width(s.is_shown ? s.code : utf8_decode(one));
        if (*cells + wide > width) return false;
        *cells += wide;
        (void)buf_append_span(out, one);
    }
    return true;
}

size_t cells_append(struct span text, size_t width, struct buf *out) {
    size_t before = out->n, cells = 0;
    if (append_while(text, width, &cells, out) || width == 0) return cells;
    out->n = before;
    cells = 0;
    (void)append_while(text, width - 1, &cells, out);
    (void)buf_append_span(out, SPAN("…"));
    return cells + 1;
}
