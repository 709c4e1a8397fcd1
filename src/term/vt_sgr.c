/* SGR: attributes and colours. */
#include "term/vt_int.h"

static void reset(struct vt_pen *pen) {
    pen->fg = pen->bg = pen->ul = 0;
    pen->attrs = 0;
    pen->underline = 0;
}

static void underline(struct vt_pen *pen, int32_t style) {
    if (style < 0 || style > 5) style = 1;
    pen->underline = (uint8_t)style;
    pen->attrs = style ? pen->attrs | PEN_UNDERLINED : (uint16_t)(pen->attrs & ~PEN_UNDERLINED);
}

/*
 * 38, 48 and 58: `5;n` or `2;r;g;b`, with colons also `2::r:g:b` and the two mixed. The slots are what is set, how, the colour
 * space, then three values; xterm.js fills them like this. Returns the parameters taken beyond the first.
 */
static unsigned extract(const struct vt_params *p, unsigned at, struct vt_pen *pen) {
    enum { SLOTS = 6 };
    int32_t slots[SLOTS + 2] = {0, 0, -1, 0, 0, 0}; /* xterm.js may write past the last one */
    unsigned space = 0, taken = 0;
    do {
        slots[taken + space] = p->values[at + taken];
        unsigned sub = p->sub_first[at + taken], end = p->sub_end[at + taken];
        if (sub < end) {
            unsigned i = 0;
            do {
                if (slots[1] == 5) space = 1;
                slots[taken + i + 1 + space] = p->subs[sub + i];
            } while (++i < end - sub && i + taken + 1 + space < SLOTS);
            break;
        }
        if ((slots[1] == 5 && taken + space >= 2) || (slots[1] == 2 && taken + space >= 5)) break;
        if (slots[1]) space = 1;
    } while (++taken + at < p->n && taken + space < SLOTS);

    uint32_t v[3];
    for (unsigned i = 0; i < 3; i++)
        v[i] = slots[i + 3] == -1 ? 0 : (uint32_t)slots[i + 3] & 0xff;
    uint32_t *color = slots[0] == 38 ? &pen->fg : slots[0] == 48 ? &pen->bg : &pen->ul;
    if (slots[1] == 2)
        *color = COLOR_RGB | v[0] << 16 | v[1] << 8 | v[2];
    else if (slots[1] == 5)
        *color = COLOR_256 | v[0];
    return taken;
}

static void set(struct vt_pen *pen, uint16_t attrs) {
    pen->attrs |= attrs;
}
static void unset(struct vt_pen *pen, uint16_t attrs) {
    pen->attrs &= (uint16_t)~attrs;
}

/* One parameter. Returns those taken beyond it. */
static unsigned one(const struct vt_params *p, unsigned i, struct vt_pen *pen) {
    int32_t n = p->values[i];
    switch (n) {
    case 0: reset(pen); break;
    case 1: set(pen, VT_BOLD); break;
    case 2: set(pen, VT_DIM); break;
    case 3: set(pen, VT_ITALIC); break;
    case 4: underline(pen, p->sub_first[i] < p->sub_end[i] ? p->subs[p->sub_first[i]] : 1); break;
    case 5: set(pen, VT_BLINK); break;
    case 7: set(pen, VT_INVERSE); break;
    case 8: set(pen, VT_INVISIBLE); break;
    case 9: set(pen, VT_STRIKE); break;
    case 21: underline(pen, 2); break;
    case 22: unset(pen, VT_BOLD | VT_DIM); break;
    case 23: unset(pen, VT_ITALIC); break;
    case 24: underline(pen, 0); break;
    case 25: unset(pen, VT_BLINK); break;
    case 27: unset(pen, VT_INVERSE); break;
    case 28: unset(pen, VT_INVISIBLE); break;
    case 29: unset(pen, VT_STRIKE); break;
    case 30 ... 37: pen->fg = COLOR_16 | (uint32_t)(n - 30); break;
    case 39: pen->fg = 0; break;
    case 40 ... 47: pen->bg = COLOR_16 | (uint32_t)(n - 40); break;
    case 49: pen->bg = 0; break;
    case 53: set(pen, VT_OVERLINE); break;
    case 55: unset(pen, VT_OVERLINE); break;
    case 59: pen->ul = 0; break;
    case 90 ... 97: pen->fg = COLOR_16 | (uint32_t)(n - 90 + 8); break;
    case 100 ... 107: pen->bg = COLOR_16 | (uint32_t)(n - 100 + 8); break;
    case 38:
    case 48:
    case 58: return extract(p, i, pen);
    default: break;
    }
    return 0;
}

void vt_sgr(struct vt *vt) {
    const struct vt_params *p = &vt->parser.params;
    if (vt->traced) return;
    vt->pen.known = false;
    for (unsigned i = 0; i < p->n; i++)
        i += one(p, i, &vt->pen);
}
