/* Sequences of CSI: the cursor, margins, tabs; what erases, sets modes or asks is in files of its own. */
#include "base/utf8.h"
#include "term/vt_int.h"
#include "term/vt_query.h"

enum { REPEAT_MIN = 8192 };

static void up(struct vt *vt, int32_t n) {
    struct vt_screen *s = vt->scr;
    vt_cursor_move(vt, 0, s->y >= s->top ? -MIN((int64_t)(s->y - s->top), n) : -(int64_t)n);
}

static void down(struct vt *vt, int32_t n) {
    struct vt_screen *s = vt->scr;
    vt_cursor_move(vt, 0, s->y <= s->bottom ? MIN((int64_t)(s->bottom - s->y), n) : n);
}

static bool is_tab(const struct vt_screen *s, unsigned col) {
    return s->tabs[col / 64] >> col % 64 & 1;
}

static void tab_forward(struct vt *vt, int32_t n) {
    struct vt_screen *s = vt->scr;
    if (s->x >= vt->cols) return;
    for (; n > 0 && s->x < vt->cols - 1; n--) {
        do
            s->x++;
        while (s->x < vt->cols && !is_tab(s, s->x));
        s->x = MIN(s->x, vt->cols - 1);
    }
}

static void tab_backward(struct vt *vt, int32_t n) {
    struct vt_screen *s = vt->scr;
    if (s->x >= vt->cols) return;
    for (; n > 0 && s->x > 0; n--) {
        do
            s->x--;
        while (s->x > 0 && !is_tab(s, s->x));
    }
}

static void tab_clear(struct vt *vt, int32_t what) {
    struct vt_screen *s = vt->scr;
    if (what == 0)
        s->tabs[s->x / 64] &= ~(1ULL << s->x % 64);
    else if (what == 3)
        memset(s->tabs, 0, sizeof s->tabs);
}

static void margins(struct vt *vt) {
    const struct vt_params *p = &vt->parser.params;
    int32_t top = vt_param1(p, 0), bottom = vt_param(p, 1);
    if (bottom == 0 || bottom > (int32_t)vt->rows) bottom = (int32_t)vt->rows;
    if (bottom <= top) return;
    vt->scr->top = (unsigned)top - 1;
    vt->scr->bottom = (unsigned)bottom - 1;
    vt_cursor_set(vt, 0, 0);
}

/* REP: the last character once more; how often is bounded, since ten bytes could ask for two billion. */
static void repeat(struct vt *vt, int32_t times) {
    if (!vt->join) return;
    unsigned width = vt->join >> 1, n = MIN((unsigned)times, MAX(vt->cols * vt->rows, (unsigned)REPEAT_MIN));
    if (vt->scr->x < width) return;
    struct cell c = vt_row_get(vt_cursor_row(vt), vt->scr->x - width);
    if (c.content - (CELL_NARROW | 0x20U) < 0x5f && !vt->charset) {
        uint8_t text[256];
        memset(text, (int)(c.content & 0x7f), sizeof text);
        while (n > 0) {
            const uint8_t *end = text + MIN(n, sizeof text), *stop = vt_print_ascii(vt, text, end);
            n -= (unsigned)(stop - text);
        }
        return;
    }
    uint32_t codes[VT_CLUSTER_BYTES_MAX] = {c.content & CELL_CODE};
    size_t codes_n = c.content & CELL_CODE ? 1 : 0;
    if (c.content & CELL_CLUSTER) codes_n = vt_cluster_codes(vt, c.content & CELL_CODE, codes);
    for (; n > 0; n--)
        vt_print(vt, codes, codes_n);
}

static void soft_reset(struct vt *vt) {
    vt->cursor_hidden = false;
    vt->scr->top = 0;
    vt->scr->bottom = vt->rows - 1;
    vt->pen = (struct vt_pen){0};
    vt_reset_modes(vt);
    vt->scr->saved = (struct vt_saved){.y = vt->scr == &vt->main ? vt->scrollback.lines : 0};
}

/* DECSCA */
static void protect(struct vt *vt, int32_t how) {
    if (how == 1)
        vt->pen.attrs |= STYLE_PROTECTED;
    else if (how == 0 || how == 2)
        vt->pen.attrs &= (uint16_t)~STYLE_PROTECTED;
    vt->pen.known = false;
}

static bool move(struct vt *vt, uint32_t ident) {
    const struct vt_params *p = &vt->parser.params;
    struct vt_screen *s = vt->scr;
    int32_t n = vt_param1(p, 0);
    switch (ident) {
    case 'A': up(vt, n); break;
    case 'B': down(vt, n); break;
    case 'C':
    case 'a': vt_cursor_move(vt, n, 0); break;
    case 'D': vt_cursor_move(vt, -(int64_t)n, 0); break;
    case 'E':
        down(vt, n);
        s->x = 0;
        break;
    case 'F':
        up(vt, n);
        s->x = 0;
        break;
    case 'G':
    case '`': vt_cursor_set(vt, (int64_t)n - 1, s->y); break;
    case 'H':
    case 'f': vt_cursor_set(vt, (int64_t)vt_param1(p, 1) - 1, (int64_t)n - 1); break;
    case 'I': tab_forward(vt, n); break;
    case 'Z': tab_backward(vt, n); break;
    case 'd': vt_cursor_set(vt, s->x, (int64_t)n - 1); break;
    case 'e': vt_cursor_move(vt, 0, n); break;
    default: return false;
    }
    return true;
}

static bool set(struct vt *vt, uint32_t ident) {
    const struct vt_params *p = &vt->parser.params;
    int32_t what = vt_param(p, 0);
    switch (ident) {
    case 'm': vt_sgr(vt); break;
    case 'h': vt_mode(vt, true, false); break;
    case 'l': vt_mode(vt, false, false); break;
    case VT_IDENT2('?', 'h'): vt_mode(vt, true, true); break;
    case VT_IDENT2('?', 'l'): vt_mode(vt, false, true); break;
    case 'g': tab_clear(vt, what); break;
    case 'r': margins(vt); break;
    case 's': vt_cursor_save(vt); break;
    case 'u': vt_cursor_restore(vt); break;
    case 'b': repeat(vt, vt_param1(p, 0)); break;
    case VT_IDENT2('!', 'p'): soft_reset(vt); break;
    case VT_IDENT2('"', 'q'): protect(vt, what); break;
    case VT_IDENT2(' ', 'q'):
        if (what <= 6) vt->modes.cursor_style = (unsigned)what;
        break;
    default: return false;
    }
    return true;
}

void vt_csi(struct vt *vt, uint32_t ident) {
    if (!move(vt, ident) && !set(vt, ident) && !vt_query(vt, ident)) vt_erase(vt, ident);
}
