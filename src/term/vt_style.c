#include "term/vt_int.h"

static const struct vt_style plain;

static void mark_row(struct vt *vt, struct vt_intern *table, const struct vt_row *row) {
    if (table == &vt->styles) vt_intern_mark(table, row->tail);
    for (unsigned i = 0; i < row->n; i++) {
        struct cell c = row->cells[i];
        if (table == &vt->styles)
            vt_intern_mark(table, c.style);
        else if (table == &vt->links)
            vt_intern_mark(table, c.link);
        else if (c.content & CELL_CLUSTER)
            vt_intern_mark(table, c.content & CELL_CODE);
    }
}

static void mark_screen(struct vt *vt, struct vt_intern *table, const struct vt_screen *s) {
    for (unsigned y = 0; s->rows && y < vt->rows; y++)
        mark_row(vt, table, &s->rows[y]);
}

/* Numbers are kept on both screens, in the rows in work, in the pen; those of links in the scrollback too. */
static void sweep(struct vt *vt, struct vt_intern *table) {
    mark_screen(vt, table, &vt->main);
    mark_screen(vt, table, &vt->alt);
    for (const struct vt_work *work = vt->work; work; work = work->below)
        for (unsigned i = 0; i < work->n; i++)
            mark_row(vt, table, &work->rows[i]);
    if (vt->look) mark_row(vt, table, &vt->look->row);
    if (table == &vt->styles && vt->pen.known) {
        vt_intern_mark(table, vt->pen.style);
        vt_intern_mark(table, vt->pen.erase);
    }
    if (table == &vt->links) {
        vt_intern_mark(table, vt->pen.link);
        vt_scrollback_mark_links(&vt->scrollback, table);
    }
    vt_intern_sweep(table);
}

/* The nearest of the 6×6×6 colours. */
static uint32_t coarse(uint32_t color) {
    if ((color & COLOR_KIND) != COLOR_RGB) return color;
    uint32_t r = (color >> 16 & 255) * 5 / 255, g = (color >> 8 & 255) * 5 / 255, b = (color & 255) * 5 / 255;
    return COLOR_256 | (16 + r * 36 + g * 6 + b);
}

uint16_t vt_style_number(struct vt *vt, const struct vt_style *style) {
    if (memcmp(style, &plain, sizeof plain) == 0) return 0;
    uint32_t number = vt_intern_find(&vt->styles, style, sizeof *style);
    if (number) return (uint16_t)number;
    if (vt_intern_crowded(&vt->styles)) sweep(vt, &vt->styles);
    number = vt_intern_add(&vt->styles, style, sizeof *style);
    if (number) return (uint16_t)number;
    struct vt_style near = *style;
    near.fg = coarse(near.fg);
    near.bg = coarse(near.bg);
    near.ul = 0;
    return (uint16_t)vt_intern_find(&vt->styles, &near, sizeof near);
}

const struct vt_style *vt_style_of(const struct vt *vt, uint16_t number) {
    return number ? (const struct vt_style *)(const void *)vt->styles.entries[number - 1].p : &plain;
}

struct vt_style vt_pen_style(const struct vt_pen *pen) {
    struct vt_style style = {.fg = pen->fg, .bg = pen->bg, .attrs = pen->attrs & STYLE_ATTRS};
    bool underlined = pen->attrs & PEN_UNDERLINED;
    if (underlined) style.underline = pen->underline ? pen->underline : 1;
    /* Links are underlined too, though no attribute says so. */
    if ((underlined && pen->underline) || pen->link) style.ul = pen->ul;
    return style;
}

void vt_pen_learn(struct vt *vt) {
    struct vt_pen *pen = &vt->pen;
    pen->known = false;
    struct vt_style style = vt_pen_style(pen), erase = {.bg = pen->bg};
    uint16_t number = vt_style_number(vt, &style);
    /* Looking for the second must not sweep the first away. */
    pen->style = pen->erase = number;
    pen->known = true;
    pen->erase = vt_style_number(vt, &erase);
}

uint32_t vt_cluster_number(struct vt *vt, struct span text) {
    uint32_t number = vt_intern_find(&vt->clusters, text.p, text.n);
    if (number) return number;
    if (vt_intern_crowded(&vt->clusters)) sweep(vt, &vt->clusters);
    return vt_intern_add(&vt->clusters, text.p, text.n);
}

/* A link is kept as its id, a NUL, and its target. */
uint16_t vt_link_number(struct vt *vt, struct span id, struct span uri) {
    if (uri.n == 0 || id.n + uri.n > VT_LINK_BYTES_MAX || memchr(id.p ? id.p : "", 0, id.n)) return 0;
    char key[VT_LINK_BYTES_MAX + 1];
    if (id.p) memcpy(key, id.p, id.n);
    key[id.n] = 0;
    memcpy(key + id.n + 1, uri.p, uri.n);
    size_t n = id.n + 1 + uri.n;
    uint32_t number = vt_intern_find(&vt->links, key, n);
    if (number) return (uint16_t)number;
    if (vt_intern_crowded(&vt->links)) sweep(vt, &vt->links);
    return (uint16_t)vt_intern_add(&vt->links, key, n);
}

struct span vt_link_id(const struct vt *vt, uint16_t link) {
    struct span key = vt_intern_get(&vt->links, link);
    return span_take(key, strlen(key.p));
}

struct span vt_link_uri(const struct vt *vt, uint16_t link) {
    struct span key = vt_intern_get(&vt->links, link);
    return span_skip(key, strlen(key.p) + 1);
}

/* A byte says which parts follow; one of the sixteen colours is one byte, of the 256 two, any other four. */
enum {
    HAS_FG = 1,
    HAS_BG = 2,
    HAS_ATTRS = 4,
    HAS_UNDERLINE = 8,
    HAS_UL = 16,
    HAS_LINK = 32,
    HAS_PROTECTED = 64
};
enum { BYTE_256 = 16, BYTE_RGB = 17 };

static uint8_t *encode_color(uint32_t color, uint8_t *p) {
    switch (color & COLOR_KIND) {
    case COLOR_16: *p++ = color & 15; break;
    case COLOR_256:
        *p++ = BYTE_256;
        *p++ = (uint8_t)color;
        break;
    default:
        *p++ = BYTE_RGB;
        *p++ = (uint8_t)(color >> 16);
        *p++ = (uint8_t)(color >> 8);
        *p++ = (uint8_t)color;
    }
    return p;
}

uint8_t *vt_style_encode(const struct vt_style *style, uint16_t link, uint8_t *p) {
    uint8_t *head = p++;
    *head = (uint8_t)((style->fg ? HAS_FG : 0) | (style->bg ? HAS_BG : 0) |
                      (style->attrs & 0xff ? HAS_ATTRS : 0) | (style->underline ? HAS_UNDERLINE : 0) |
                      (style->ul ? HAS_UL : 0) | (link ? HAS_LINK : 0) |
                      (style->attrs & STYLE_PROTECTED ? HAS_PROTECTED : 0));
    if (style->fg) p = encode_color(style->fg, p);
    if (style->bg) p = encode_color(style->bg, p);
    if (style->attrs & 0xff) *p++ = (uint8_t)style->attrs;
    if (style->underline) *p++ = style->underline;
    if (style->ul) p = encode_color(style->ul, p);
    if (link) {
        *p++ = (uint8_t)link;
        *p++ = (uint8_t)(link >> 8);
    }
    return p;
}

static const uint8_t *decode_color(const uint8_t *p, const uint8_t *end, uint32_t *ret) {
    if (!p || p == end) return NULL;
    uint8_t kind = *p++;
    if (kind < 16) {
        *ret = COLOR_16 | kind;
        return p;
    }
    if (kind == BYTE_256 && end - p >= 1) {
        *ret = COLOR_256 | *p;
        return p + 1;
    }
    if (kind == BYTE_RGB && end - p >= 3) {
        *ret = COLOR_RGB | (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
        return p + 3;
    }
    return NULL;
}

const uint8_t *vt_style_decode(const uint8_t *p, const uint8_t *end, struct vt_style *ret,
                               uint16_t *ret_link) {
    if (p == end) return NULL;
    uint8_t has = *p++;
    *ret = (struct vt_style){0};
    *ret_link = 0;
    if (has & HAS_FG) p = decode_color(p, end, &ret->fg);
    if (has & HAS_BG) p = decode_color(p, end, &ret->bg);
    if (!p || end - p < !!(has & HAS_ATTRS) + !!(has & HAS_UNDERLINE)) return NULL;
    if (has & HAS_ATTRS) ret->attrs = *p++;
    if (has & HAS_UNDERLINE) ret->underline = *p++ % 6;
    if (has & HAS_PROTECTED) ret->attrs |= STYLE_PROTECTED;
    if (has & HAS_UL) p = decode_color(p, end, &ret->ul);
    if (!(has & HAS_LINK)) return p;
    if (!p || end - p < 2) return NULL;
    *ret_link = (uint16_t)(p[0] | p[1] << 8);
    return p + 2;
}
