/* Modes: SM, RM, DECSET, DECRST. */
#include "term/vt_int.h"

static void alternate(struct vt *vt, int32_t mode, bool set) {
    if (set) {
        if (mode == 1049) vt_cursor_save(vt);
        vt_switch_alternate(vt);
    } else {
        vt_switch_main(vt);
        if (mode == 1049) vt_cursor_restore(vt);
    }
}

/* A mode that is nothing but a flag; NULL for the others. */
static bool *flag(struct vt *vt, int32_t mode) {
    switch (mode) {
    case 1: return &vt->modes.application_cursor;
    case 7: return &vt->modes.wrap;
    case 12: return &vt->cursor_blinks;
    case 45: return &vt->modes.reverse_wrap;
    case 66: return &vt->modes.application_keypad;
    case 1004: return &vt->modes.focus;
    case 2004: return &vt->modes.bracketed_paste;
    case 2026: return &vt->modes.synchronized;
    case 9001: return &vt->modes.win32_input;
    default: return NULL;
    }
}

static void private_mode(struct vt *vt, int32_t mode, bool set) {
    bool *is = flag(vt, mode);
    if (is) *is = set;
    switch (mode) {
    case 2:
        if (!set) break;
        memset(vt->charsets, 0, sizeof vt->charsets);
        vt->charset = 0;
        break;
    case 6:
        vt->modes.origin = set;
        vt_cursor_set(vt, 0, 0);
        break;
    case 25: vt->cursor_hidden = !set; break;
    case 9:
    case 1000:
    case 1002:
    case 1003: vt->modes.mouse = set ? (unsigned)mode : 0; break;
    case 1006:
    case 1016: vt->modes.mouse_encoding = set ? (unsigned)mode : 0; break;
    case 47:
    case 1047:
    case 1049: alternate(vt, mode, set); break;
    case 1048:
        if (set)
            vt_cursor_save(vt);
        else
            vt_cursor_restore(vt);
        break;
    default: break;
    }
}

void vt_mode(struct vt *vt, bool set, bool private) {
    const struct vt_params *p = &vt->parser.params;
    for (unsigned i = 0; i < p->n; i++) {
        if (private)
            private_mode(vt, p->values[i], set);
        else if (p->values[i] == 4)
            vt->modes.insert = set;
        else if (p->values[i] == 20)
            vt->modes.newline = set;
    }
}
