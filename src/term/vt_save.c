#include "term/vt_save.h"

#include "base/map.h"
#include "base/mem.h"
#include "term/vt_int.h"

uint64_t vt_save_sum(struct span body) {
    return map_hash(body);
}

struct saver {
    const struct vt *vt;
    struct buf *out;
    uint8_t *line; /* room to pack a row in */
    size_t line_room;
};

static void put(struct saver *s, uint64_t n) {
    uint8_t bytes[10];
    (void)buf_append(s->out, bytes, (size_t)(vt_varint_put(bytes, n) - bytes));
}

/* Signed numbers: small ones of either sign are short. */
static void put_signed(struct saver *s, int64_t n) {
    put(s, (uint64_t)n << 1 ^ (uint64_t)(n >> 63));
}

static void put_bytes(struct saver *s, struct span bytes) {
    put(s, bytes.n);
    (void)buf_append_span(s->out, bytes);
}

static void put_links(struct saver *s) {
    const struct vt_intern *links = &s->vt->links;
    put(s, links->live);
    for (uint32_t number = 1; number <= links->used; number++) {
        if (!vt_intern_has(links, number)) continue;
        put(s, number);
        put_bytes(s, vt_intern_get(links, number));
    }
}

static void put_scrollback(struct saver *s) {
    const struct vt_scrollback *history = &s->vt->scrollback;
    put(s, history->lines);
    for (unsigned i = 0; i < history->lines; i++)
        put_bytes(s, vt_scrollback_line(history, i));
}

static void put_screen(struct saver *s, const struct vt_screen *screen) {
    const struct vt_saved *saved = &screen->saved;
    const unsigned numbers[] = {screen->x, screen->y, screen->top, screen->bottom, saved->x};
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        put(s, numbers[i]);
    put_signed(s, saved->y);
    put(s, saved->fg);
    put(s, saved->bg);
    put(s, saved->attrs);
    put(s, saved->extended);
    put(s, saved->charset);
    for (size_t i = 0; i < ARRAY_LEN(screen->tabs); i++)
        put(s, screen->tabs[i] & INT64_MAX), put(s, screen->tabs[i] >> 63);
    put(s, screen->rows != NULL);
    for (unsigned y = 0; screen->rows && y < s->vt->rows; y++) {
        size_t n = vt_line_pack(s->vt, vt_screen_row(s->vt, screen, y), s->line, s->line_room);
        put_bytes(s, span_of((const char *)s->line, n));
    }
}

static void put_pen(struct saver *s) {
    const struct vt *vt = s->vt;
    const struct vt_pen *pen = &vt->pen;
    const uint32_t numbers[] = {pen->fg,         pen->bg,         pen->ul,        pen->attrs,
                                pen->underline,  pen->extended,   pen->link,      vt->join,
                                vt->in_run,      vt->charset,     vt->level,      vt->charsets[0],
                                vt->charsets[1], vt->charsets[2], vt->charsets[3]};
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        put(s, numbers[i]);
}

static void put_modes(struct saver *s) {
    const struct vt_modes *m = &s->vt->modes;
    const unsigned numbers[] = {m->application_cursor,
                                m->application_keypad,
                                m->origin,
                                m->wrap,
                                m->insert,
                                m->newline,
                                m->bracketed_paste,
                                m->focus,
                                m->synchronized,
                                m->reverse_wrap,
                                m->win32_input,
                                m->mouse,
                                m->mouse_encoding,
                                m->cursor_style,
                                s->vt->cursor_hidden,
                                s->vt->cursor_blinks};
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        put(s, numbers[i]);
}

static void put_parser(struct saver *s) {
    const struct vt_parser *p = &s->vt->parser;
    const struct vt_params *params = &p->params;
    const uint32_t numbers[] = {p->state,       p->utf8_left,
                                p->utf8_size,   p->utf8_left ? p->utf8_code : 0,
                                p->collect,     p->dcs,
                                params->n,      params->subs_n,
                                params->full,   params->subs_full,
                                params->in_sub, p->string.failed};
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        put(s, numbers[i]);
    for (unsigned i = 0; i < params->n; i++) {
        put_signed(s, params->values[i]);
        put(s, params->sub_first[i]);
        put(s, params->sub_end[i]);
    }
    for (unsigned i = 0; i < params->subs_n; i++)
        put_signed(s, params->subs[i]);
    put_bytes(s, p->string.failed ? SPAN_NONE : buf_span(&p->string));
}

static void put_rest(struct saver *s) {
    const struct vt *vt = s->vt;
    const struct vt_colors *c = &vt->colors;
    put_bytes(s, buf_span(&vt->title));
    put(s, vt->title_depth);
    for (unsigned i = 0; i < vt->title_depth; i++)
        put_bytes(s, buf_span(&vt->titles[i]));
    const uint32_t colors[] = {c->foreground, c->background, c->set_foreground, c->set_background,
                               c->set_cursor};
    for (size_t i = 0; i < ARRAY_LEN(colors); i++)
        put(s, colors[i]);
    put(s, c->palette != NULL);
    for (unsigned i = 0; c->palette && i < VT_PALETTE; i++)
        put(s, c->palette[i]);
    put(s, vt->prompt.known);
    put_signed(s, (int64_t)(vt->prompt.line - vt->lines_scrolled));
    put(s, vt->prompt.col);
    put_bytes(s, buf_span(&vt->prompt.said));
}

void vt_save(const struct vt *vt, struct buf *out) {
    size_t from = out->n, room = vt_line_bytes_max(vt->cols);
    struct saver s = {.vt = vt, .out = out, .line = xmalloc(room), .line_room = room};
    (void)buf_append(out, VT_SAVE_MAGIC, sizeof VT_SAVE_MAGIC - 1);
    put(&s, VT_SAVE_VERSION);
    put(&s, vt->cols);
    put(&s, vt->rows);
    put(&s, vt->scrollback.limit);
    put(&s, vt->lines_scrolled);
    put_links(&s);
    put_scrollback(&s);
    put_screen(&s, &vt->main);
    put_screen(&s, &vt->alt);
    put_pen(&s);
    put_modes(&s);
    put_parser(&s);
    put_rest(&s);
    free(s.line);
    if (out->failed) return;
    uint64_t sum = vt_save_sum(span_of(out->p + from, out->n - from));
    char bytes[VT_SAVE_SUM_BYTES];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(sum >> 8 * i);
    (void)buf_append(out, bytes, sizeof bytes);
}
