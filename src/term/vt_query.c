#include "term/vt_query.h"

#include "term/vt_ansi.h"
#include "term/vt_int.h"

#include <stdarg.h>

/* A cell's size in pixels, for programs that ask: nobody knows the viewers' fonts, and only the proportions matter. */
enum { CELL_PIXELS_WIDE = 8, CELL_PIXELS_HIGH = 16 };

void vt_reply(struct vt *vt, const char *fmt, ...) {
    if (!vt->answering || !vt->ops || !vt->ops->reply) return;
    char text[256];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (n > 0 && (size_t)n < sizeof text) vt->ops->reply(vt->user, span_of(text, (size_t)n));
}

enum mode_state { UNKNOWN, SET, UNSET, ALWAYS, NEVER };

static enum mode_state state_of(bool set) {
    return set ? SET : UNSET;
}

static enum mode_state ansi_mode(const struct vt *vt, int32_t mode) {
    switch (mode) {
    case 2: return NEVER;
    case 4: return state_of(vt->modes.insert);
    case 12: return ALWAYS;
    case 20: return state_of(vt->modes.newline);
    default: return UNKNOWN;
    }
}

static enum mode_state private_mode(const struct vt *vt, int32_t mode) {
    const struct vt_modes *m = &vt->modes;
    switch (mode) {
    case 1: return state_of(m->application_cursor);
    case 6: return state_of(m->origin);
    case 7: return state_of(m->wrap);
    case 8: return ALWAYS;
    case 12: return state_of(vt->cursor_blinks);
    case 25: return state_of(!vt->cursor_hidden);
    case 45: return state_of(m->reverse_wrap);
    case 66: return state_of(m->application_keypad);
    case 67:
    case 1005:
    case 1015: return NEVER;
    case 9:
    case 1000:
    case 1002:
    case 1003: return state_of(m->mouse == (unsigned)mode);
    case 1004: return state_of(m->focus);
    case 1006:
    case 1016: return state_of(m->mouse_encoding == (unsigned)mode);
    case 1048: return SET;
    case 47:
    case 1047:
    case 1049: return state_of(vt->scr == &vt->alt);
    case 2004: return state_of(m->bracketed_paste);
    case 2026: return state_of(m->synchronized);
    default: return UNKNOWN;
    }
}

static void status(struct vt *vt, int32_t what, const char *prefix) {
    if (what == 5 && !*prefix)
        vt_reply(vt, "\033[0n");
    else if (what == 6)
        vt_reply(vt, "\033[%s%u;%uR", prefix, vt->scr->y + 1, vt->scr->x + 1);
    else if (what == 996 && *prefix) {
        uint32_t c = vt->colors.background;
        unsigned light = (c >> 16 & 255) * 3 + (c >> 8 & 255) * 6 + (c & 255);
        vt_reply(vt, "\033[?997;%dn", light > 1275 ? 2 : 1);
    }
}

/* XTWINOPS. Sizes are told; nothing about windows or titles, which could be used to type. */
static void window(struct vt *vt, int32_t what, int32_t second) {
    switch (what) {
    case 14:
        if (second != 2)
            vt_reply(vt, "\033[4;%u;%ut", vt->rows * CELL_PIXELS_HIGH, vt->cols * CELL_PIXELS_WIDE);
        break;
    case 16: vt_reply(vt, "\033[6;%d;%dt", CELL_PIXELS_HIGH, CELL_PIXELS_WIDE); break;
    case 18: vt_reply(vt, "\033[8;%u;%ut", vt->rows, vt->cols); break;
    case 19: vt_reply(vt, "\033[9;%u;%ut", vt->rows, vt->cols); break;
    case 22:
        if (second == 0 || second == 2) vt_title_push(vt);
        break;
    case 23:
        if (second == 0 || second == 2) vt_title_pop(vt);
        break;
    default: break;
    }
}

bool vt_query(struct vt *vt, uint32_t ident) {
    const struct vt_params *p = &vt->parser.params;
    int32_t what = vt_param(p, 0);
    switch (ident) {
    case 'c':
        if (what <= 0) vt_reply(vt, "\033[?1;2c");
        break;
    case VT_IDENT2('>', 'c'):
        if (what <= 0) vt_reply(vt, "\033[>0;276;0c");
        break;
    case VT_IDENT2('>', 'q'):
        if (what <= 0) vt_reply(vt, "\033P>|ostler(%s)\033\\", OSTLER_VERSION);
        break;
    case 'n': status(vt, what, ""); break;
    case VT_IDENT2('?', 'n'): status(vt, what, "?"); break;
    case VT_IDENT2('$', 'p'): vt_reply(vt, "\033[%d;%d$y", what, ansi_mode(vt, what)); break;
    case VT_IDENT3('?', '$', 'p'): vt_reply(vt, "\033[?%d;%d$y", what, private_mode(vt, what)); break;
    case 't': window(vt, what, vt_param(p, 1)); break;
    default: return false;
    }
    return true;
}

/* DECRQSS */
static void setting(struct vt *vt, struct span what) {
    if (span_eq_str(what, "\"q")) {
        vt_reply(vt, "\033P1$r%d\"q\033\\", vt->pen.attrs & STYLE_PROTECTED ? 1 : 0);
    } else if (span_eq_str(what, "\"p")) {
        vt_reply(vt, "\033P1$r61;1\"p\033\\");
    } else if (span_eq_str(what, "r")) {
        vt_reply(vt, "\033P1$r%u;%ur\033\\", vt->scr->top + 1, vt->scr->bottom + 1);
    } else if (span_eq_str(what, " q")) {
        unsigned style = vt->modes.cursor_style;
        vt_reply(vt, "\033P1$r%u q\033\\", style ? style : vt->cursor_blinks ? 1U : 2U);
    } else if (span_eq_str(what, "m")) {
        struct buf sgr = BUF_INIT(128);
        struct vt_style style = vt_pen_style(&vt->pen);
        vt_write_sgr(&sgr, &style, true);
        vt_reply(vt, "\033P1$r%.*sm\033\\", SPAN_ARG(buf_span(&sgr)));
        buf_fini(&sgr);
    } else {
        vt_reply(vt, "\033P0$r\033\\");
    }
}

void vt_dcs(struct vt *vt, uint32_t ident, struct span text) {
    if (ident == VT_IDENT2('$', 'q'))
        setting(vt, text);
    else if (ident == VT_IDENT2('+', 'q'))
        vt_reply(vt, "\033P0+r\033\\"); /* XTGETTCAP: none is known */
}
