#include "cli/line_edit.h"

#include "base/cleanup.h"
#include "base/utf8.h"
#include "cli/cells.h"

enum { DRAWN_BYTES_MAX = 64 << 10 };

void line_edit_begin(struct line_edit *e, struct span text) {
    text = utf8_cut_bytes(text, LINE_EDIT_BYTES - 1);
    if (text.n) memcpy(e->text, text.p, text.n);
    e->n = e->at = text.n;
}

struct span line_edit_text(const struct line_edit *e) {
    return span_of(e->text, e->n);
}

static void insert(struct line_edit *e, struct span text) {
    if (e->n + text.n >= LINE_EDIT_BYTES) return;
    memmove(e->text + e->at + text.n, e->text + e->at, e->n - e->at);
    memcpy(e->text + e->at, text.p, text.n);
    e->n += text.n;
    e->at += text.n;
}

static bool is_inside(const struct line_edit *e, size_t at) {
    return at > 0 && at < e->n && ((unsigned char)e->text[at] & 0xc0) == 0x80;
}

static size_t left_of(const struct line_edit *e, size_t at) {
    if (at) at--;
    while (is_inside(e, at))
        at--;
    return at;
}

static size_t right_of(const struct line_edit *e, size_t at) {
    if (at < e->n) at++;
    while (is_inside(e, at))
        at++;
    return at;
}

/* Takes out what is between the two, which then is where the cursor stands. */
static void cut(struct line_edit *e, size_t from, size_t to) {
    memmove(e->text + from, e->text + to, e->n - to);
    e->n -= to - from;
    e->at = from;
}

static size_t word_before(const struct line_edit *e) {
    size_t at = e->at;
    while (at && e->text[at - 1] == ' ')
        at--;
    while (at && e->text[at - 1] != ' ')
        at--;
    return at;
}

static enum line_edit_state control(struct line_edit *e, char letter) {
    switch (letter) {
    case 'a': e->at = 0; break;
    case 'e': e->at = e->n; break;
    case 'u': cut(e, 0, e->at); break;
    case 'k': e->n = e->at; break;
    case 'w': cut(e, word_before(e), e->at); break;
    case 'c': return LINE_EDIT_CANCELED;
    default: break;
    }
    return LINE_EDIT_MORE;
}

enum line_edit_state line_edit_key(struct line_edit *e, const struct keypress *key) {
    switch (key->kind) {
    case KEYPRESS_TEXT: insert(e, key->text); break;
    case KEYPRESS_ENTER: return LINE_EDIT_DONE;
    case KEYPRESS_ESCAPE: return LINE_EDIT_CANCELED;
    case KEYPRESS_BACKSPACE: cut(e, left_of(e, e->at), e->at); break;
    case KEYPRESS_DELETE: {
        size_t at = e->at;
        cut(e, at, right_of(e, at));
        break;
    }
    case KEYPRESS_LEFT: e->at = left_of(e, e->at); break;
    case KEYPRESS_RIGHT: e->at = right_of(e, e->at); break;
    case KEYPRESS_HOME: e->at = 0; break;
    case KEYPRESS_END: e->at = e->n; break;
    case KEYPRESS_CONTROL: return control(e, key->letter);
    case KEYPRESS_UP:
    case KEYPRESS_DOWN:
    case KEYPRESS_PAGE_UP:
    case KEYPRESS_PAGE_DOWN:
    case KEYPRESS_OTHER: break;
    }
    return LINE_EDIT_MORE;
}

void line_edit_draw(const struct line_edit *e, struct span prompt, size_t width, struct buf *out) {
    AUTO(buf) struct buf text = BUF_INIT(DRAWN_BYTES_MAX);
    const struct cells_margin margin = {.more = SPAN("  "), .indent = 2, .width = width};
    (void)buf_printf(&text, "%.*s %.*s▏%.*s", SPAN_ARG(prompt), (int)e->at, e->text, (int)(e->n - e->at),
                     e->text + e->at);
    cells_wrap(buf_span(&text), &margin, out);
}
