#include "term/vt_save.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "term/vt_int.h"
#include "term/vt_states.h"

#include <errno.h>

DEFINE_CLEANUP(vt, struct vt *, vt_free);

/* Reads on after something was wrong, but only zeroes; `bad` is looked at in the end, and before anything is sized. */
struct loader {
    struct vt *vt;
    const uint8_t *p, *end;
    bool bad;
};

static uint64_t get(struct loader *l) {
    uint64_t n = 0;
    const uint8_t *next = l->bad ? NULL : vt_varint_get(l->p, l->end, &n);
    if (next)
        l->p = next;
    else
        l->bad = true;
    return next ? n : 0;
}

static uint32_t get_max(struct loader *l, uint32_t max) {
    uint64_t n = get(l);
    if (n <= max) return (uint32_t)n;
    l->bad = true;
    return 0;
}

static bool get_bool(struct loader *l) {
    return get_max(l, 1);
}

static int64_t get_signed(struct loader *l) {
    uint64_t n = get(l);
    return (int64_t)(n >> 1) ^ -(int64_t)(n & 1);
}

static struct span get_bytes(struct loader *l, size_t max) {
    uint64_t n = get(l);
    if (l->bad || n > max || n > (size_t)(l->end - l->p)) {
        l->bad = true;
        return SPAN_NONE;
    }
    struct span bytes = span_of((const char *)l->p, (size_t)n);
    l->p += n;
    return bytes;
}

static uint32_t get_color(struct loader *l) {
    uint32_t color = get_max(l, COLOR_KIND | COLOR_VALUE), kind = color & COLOR_KIND;
    if (kind == COLOR_DEFAULT || (kind == COLOR_16 && (color & COLOR_VALUE) > 15) ||
        (kind == COLOR_256 && (color & COLOR_VALUE) > 255))
        l->bad = l->bad || color & COLOR_VALUE;
    return color;
}

static uint8_t get_charset(struct loader *l) {
    uint8_t charset = (uint8_t)get_max(l, UINT8_MAX);
    if (!vt_charset_final(charset)) l->bad = true;
    return l->bad ? 0 : charset;
}

static void get_links(struct loader *l) {
    for (uint64_t n = get(l); n > 0 && !l->bad; n--) {
        uint32_t number = get_max(l, VT_LINKS_MAX);
        struct span key = get_bytes(l, VT_LINK_BYTES_MAX + 1);
        const char *nul = key.n ? memchr(key.p, 0, key.n) : NULL;
        if (!nul || nul + 1 == key.p + key.n || !vt_intern_place(&l->vt->links, number, key.p, key.n))
            l->bad = true;
    }
    vt_intern_placed(&l->vt->links);
}

/* A line is what unpacks, and fits. */
static struct span get_line(struct loader *l, struct vt_row *row) {
    struct span line = get_bytes(l, vt_line_bytes_max(VT_COLS_MAX));
    struct vt_line_head head;
    if (l->bad || !vt_line_head(line, &head) || head.cells > l->vt->cols ||
        !vt_line_unpack(l->vt, line, l->vt->cols, row))
        l->bad = true;
    return line;
}

static void get_scrollback(struct loader *l) {
    struct vt_row row = {0};
    uint64_t n = get(l);
    if (n > l->vt->scrollback.limit) l->bad = true;
    for (; n > 0 && !l->bad; n--) {
        struct span line = get_line(l, &row);
        if (!l->bad) vt_scrollback_append(&l->vt->scrollback, line);
    }
    vt_row_fini(&row);
}

static void get_saved(struct loader *l, struct vt_saved *saved) {
    saved->x = get_max(l, VT_COLS_MAX);
    saved->y = get_signed(l);
    if (saved->y < 0 || saved->y > (int64_t)VT_SCROLLBACK_MAX + VT_ROWS_MAX) l->bad = true;
    saved->fg = get_color(l);
    saved->bg = get_color(l);
    saved->attrs = (uint16_t)get_max(l, STYLE_ATTRS | PEN_UNDERLINED);
    saved->charset = get_charset(l);
}

static void get_screen(struct loader *l, struct vt_screen *s) {
    struct vt *vt = l->vt;
    s->x = get_max(l, vt->cols);
    s->y = get_max(l, vt->rows - 1);
    s->top = get_max(l, vt->rows - 1);
    s->bottom = get_max(l, vt->rows - 1);
    if (s->top > s->bottom) l->bad = true;
    get_saved(l, &s->saved);
    for (size_t i = 0; i < ARRAY_LEN(s->tabs); i++) {
        s->tabs[i] = get(l) & INT64_MAX;
        s->tabs[i] |= (uint64_t)get_bool(l) << 63;
    }
    if (!get_bool(l)) {
        if (s == &vt->main) l->bad = true;
        return;
    }
    if (s == &vt->alt) {
        vt_screen_open(vt, s, 0);
        vt->scr = s;
    }
    for (unsigned y = 0; y < vt->rows && !l->bad; y++)
        (void)get_line(l, &s->rows[y]);
}

static void get_pen(struct loader *l) {
    struct vt *vt = l->vt;
    struct vt_pen *pen = &vt->pen;
    pen->fg = get_color(l);
    pen->bg = get_color(l);
    pen->ul = get_color(l);
    pen->attrs = (uint16_t)get_max(l, STYLE_ATTRS | PEN_UNDERLINED);
    pen->underline = (uint8_t)get_max(l, 5);
    pen->link = (uint16_t)get_max(l, VT_LINKS_MAX);
    if (pen->link && !vt_intern_has(&vt->links, pen->link)) l->bad = true;
    if (l->bad) pen->link = 0;
    vt->join = (uint8_t)get_max(l, 2 << 1 | 1);
    vt->in_run = get_bool(l);
    vt->charset = get_charset(l);
    vt->level = (uint8_t)get_max(l, VT_CHARSETS - 1);
    for (unsigned i = 0; i < VT_CHARSETS; i++)
        vt->charsets[i] = get_charset(l);
}

static void get_modes(struct loader *l) {
    struct vt_modes *m = &l->vt->modes;
    bool *const flags[] = {&m->application_cursor,
                           &m->application_keypad,
                           &m->origin,
                           &m->wrap,
                           &m->insert,
                           &m->newline,
                           &m->bracketed_paste,
                           &m->focus,
                           &m->synchronized,
                           &m->reverse_wrap,
                           &m->win32_input};
    for (size_t i = 0; i < ARRAY_LEN(flags); i++)
        *flags[i] = get_bool(l);
    m->mouse = get_max(l, 1003);
    m->mouse_encoding = get_max(l, 1016);
    m->cursor_style = get_max(l, 6);
    l->vt->cursor_hidden = get_bool(l);
    l->vt->cursor_blinks = get_bool(l);
}

static void get_params(struct loader *l, struct vt_params *params) {
    for (unsigned i = 0; i < params->n; i++) {
        params->values[i] = (int32_t)get_signed(l);
        params->sub_first[i] = (uint8_t)get_max(l, params->subs_n);
        params->sub_end[i] = (uint8_t)get_max(l, params->subs_n);
        if (params->values[i] < 0) l->bad = true;
    }
    for (unsigned i = 0; i < params->subs_n; i++) {
        params->subs[i] = (int32_t)get_signed(l);
        if (params->subs[i] < -1) l->bad = true;
    }
}

static void get_parser(struct loader *l) {
    struct vt_parser *p = &l->vt->parser;
    struct vt_params *params = &p->params;
    p->state = (uint8_t)get_max(l, STATES - 1);
    p->utf8_left = (uint8_t)get_max(l, 3);
    p->utf8_size = (uint8_t)get_max(l, 4);
    p->utf8_code = get_max(l, 0xffff);
    if (p->utf8_left && p->utf8_left >= p->utf8_size) l->bad = true;
    p->collect = get_max(l, UINT32_MAX);
    p->dcs = get_max(l, UINT32_MAX);
    params->n = (uint8_t)get_max(l, VT_PARAMS_MAX);
    if (!params->n) l->bad = true;
    params->subs_n = (uint8_t)get_max(l, VT_SUBPARAMS_MAX);
    params->full = get_bool(l);
    params->subs_full = get_bool(l);
    params->in_sub = get_bool(l);
    p->string.failed = get_bool(l);
    get_params(l, params);
    struct span string = get_bytes(l, VT_OSC_BYTES_MAX);
    if (!p->string.failed) (void)buf_append_span(&p->string, string);
}

static void get_rest(struct loader *l) {
    struct vt *vt = l->vt;
    struct vt_colors *c = &vt->colors;
    (void)buf_append_span(&vt->title, get_bytes(l, VT_TITLE_BYTES_MAX));
    for (uint32_t depth = get_max(l, VT_TITLE_STACK); vt->title_depth < depth && !l->bad;) {
        struct buf *title = &vt->titles[vt->title_depth++];
        *title = BUF_INIT(VT_TITLE_BYTES_MAX);
        (void)buf_append_span(title, get_bytes(l, VT_TITLE_BYTES_MAX));
    }
    c->foreground = get_max(l, COLOR_VALUE);
    c->background = get_max(l, COLOR_VALUE);
    c->set_foreground = get_color(l);
    c->set_background = get_color(l);
    c->set_cursor = get_color(l);
    if (get_bool(l)) {
        c->palette = xcalloc(VT_PALETTE, sizeof *c->palette);
        for (unsigned i = 0; i < VT_PALETTE; i++)
            c->palette[i] = get_color(l);
    }
    vt->prompt.known = get_bool(l);
    vt->prompt.line = vt->lines_scrolled + (uint64_t)get_signed(l);
    vt->prompt.col = get_max(l, VT_COLS_MAX);
    (void)buf_append_span(&vt->prompt.said, get_bytes(l, VT_COMMAND_BYTES_MAX));
}

/* The bytes between the magic and the checksum. */
static bool opened(struct span saved, struct span *ret) {
    struct span magic = SPAN(VT_SAVE_MAGIC);
    if (saved.n < magic.n + VT_SAVE_SUM_BYTES || !span_starts(saved, magic)) return false;
    struct span body = span_take(saved, saved.n - VT_SAVE_SUM_BYTES);
    uint64_t sum = 0;
    for (size_t i = 0; i < VT_SAVE_SUM_BYTES; i++)
        sum |= (uint64_t)(unsigned char)saved.p[body.n + i] << 8 * i;
    *ret = span_skip(body, magic.n);
    return sum == vt_save_sum(body);
}

int vt_load(struct span saved, const struct vt_ops *ops, void *user, struct vt **ret, struct err *err) {
    struct span body;
    if (!opened(saved, &body)) return err_set(err, -EBADMSG, "The saved terminal is damaged");
    struct loader l = {.p = (const uint8_t *)body.p, .end = (const uint8_t *)body.p + body.n};
    if (get(&l) != VT_SAVE_VERSION)
        return err_set(err, -EBADMSG, "The terminal was saved by another version of ostler");
    unsigned cols = get_max(&l, VT_COLS_MAX), rows = get_max(&l, VT_ROWS_MAX),
             limit = get_max(&l, VT_SCROLLBACK_MAX);
    if (l.bad || cols < VT_COLS_MIN || rows < VT_ROWS_MIN)
        return err_set(err, -EBADMSG, "The saved terminal has no size that a terminal can have");
    AUTO(vt) struct vt *vt = vt_new(cols, rows, limit, ops, user);
    l.vt = vt;
    vt->lines_scrolled = get(&l);
    get_links(&l);
    get_scrollback(&l);
    get_screen(&l, &vt->main);
    get_screen(&l, &vt->alt);
    get_pen(&l);
    get_modes(&l);
    get_parser(&l);
    get_rest(&l);
    if (l.bad || l.p != l.end) return err_set(err, -EBADMSG, "The saved terminal makes no sense");
    *ret = TAKE(vt);
    return 0;
}
