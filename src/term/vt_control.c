/* Control characters and the sequences of ESC and one letter. */
#include "term/vt_int.h"

static void bell(struct vt *vt) {
    if (vt->ops && vt->ops->bell) vt->ops->bell(vt->user);
}

static void backspace(struct vt *vt) {
    struct vt_screen *s = vt->scr;
    if (!vt->modes.reverse_wrap) {
        vt_cursor_restrict(vt, vt->cols - 1);
        if (s->x) s->x--;
        return;
    }
    vt_cursor_restrict(vt, vt->cols);
    if (s->x) {
        s->x--;
    } else if (s->y > s->top && s->y <= s->bottom && vt_cursor_row(vt)->wrapped) {
        vt_cursor_row(vt)->wrapped = false;
        s->y--;
        s->x = vt->cols - 1;
        /* An empty last cell was left by a wide character that did not fit. */
        struct cell last = vt_row_get(vt_cursor_row(vt), s->x);
        if (cell_width(last) && !(last.content & CELL_CONTENT)) s->x--;
    }
    vt_cursor_restrict(vt, vt->cols - 1);
}

static void tab(struct vt *vt) {
    struct vt_screen *s = vt->scr;
    if (s->x >= vt->cols) return;
    do
        s->x++;
    while (s->x < vt->cols && !(s->tabs[s->x / 64] >> s->x % 64 & 1));
    s->x = MIN(s->x, vt->cols - 1);
}

static void line_feed(struct vt *vt) {
    struct vt_screen *s = vt->scr;
    if (vt->modes.newline) s->x = 0;
    s->y++;
    if (s->y == s->bottom + 1) {
        s->y--;
        vt_scroll(vt, false);
    } else if (s->y >= vt->rows) {
        s->y = vt->rows - 1;
    } else {
        vt_cursor_row(vt)->wrapped = false;
    }
    if (s->x >= vt->cols) s->x--;
}

void vt_index(struct vt *vt) {
    struct vt_screen *s = vt->scr;
    vt_cursor_restrict(vt, vt->cols - 1);
    s->y++;
    if (s->y == s->bottom + 1) {
        s->y--;
        vt_scroll(vt, false);
    } else if (s->y >= vt->rows) {
        s->y = vt->rows - 1;
    }
    vt_cursor_restrict(vt, vt->cols - 1);
}

static void next_line(struct vt *vt) {
    vt->scr->x = 0;
    vt_index(vt);
}

static void reverse_index(struct vt *vt) {
    struct vt_screen *s = vt->scr;
    vt_cursor_restrict(vt, vt->cols - 1);
    if (s->y == s->top) {
        if (!vt->pen.known) vt_pen_learn(vt);
        vt_screen_shift(vt, s->top, s->bottom, -1, vt->pen.erase);
        return;
    }
    if (s->y) s->y--;
    vt_cursor_restrict(vt, vt->cols - 1);
}

static void tab_set(struct vt *vt) {
    if (vt->scr->x < vt->cols) vt->scr->tabs[vt->scr->x / 64] |= 1ULL << vt->scr->x % 64;
}

static void shift(struct vt *vt, uint8_t level) {
    vt->level = level;
    vt->charset = vt->charsets[level];
}

static void designate(struct vt *vt, unsigned level, uint8_t charset) {
    vt->charsets[level] = charset;
    if (vt->level == level) vt->charset = charset;
}

void vt_execute(struct vt *vt, uint32_t code) {
    switch (code) {
    case '\a': bell(vt); break;
    case '\b': backspace(vt); break;
    case '\t': tab(vt); break;
    case '\n':
    case '\v':
    case '\f': line_feed(vt); break;
    case '\r': vt->scr->x = 0; break;
    case 0x0e: shift(vt, 1); break;
    case 0x0f: shift(vt, 0); break;
    case 0x84: vt_index(vt); break;
    case 0x85: next_line(vt); break;
    case 0x88: tab_set(vt); break;
    default: break;
    }
}

/* DECALN: the screen full of E, in the pen's style but for the kind of underlines. */
static void alignment(struct vt *vt) {
    struct vt_style style = vt_pen_style(&vt->pen);
    style.underline = style.underline != 0;
    style.ul = 0;
    struct cell cell = {.content = CELL_NARROW | 'E', .style = vt_style_number(vt, &style)};
    for (unsigned y = 0; y < vt->rows; y++) {
        struct vt_row *row = vt_screen_row(vt, vt->scr, y);
        for (unsigned x = 0; x < row->len; x++)
            vt_row_set(row, x, cell);
        row->wrapped = false;
    }
    vt_cursor_set(vt, 0, 0);
}

void vt_reset_modes(struct vt *vt) {
    bool newline = vt->modes.newline;
    unsigned mouse = vt->modes.mouse, encoding = vt->modes.mouse_encoding;
    vt->modes =
        (struct vt_modes){.wrap = true, .newline = newline, .mouse = mouse, .mouse_encoding = encoding};
    vt->charset = vt->level = 0;
    memset(vt->charsets, 0, sizeof vt->charsets);
}

/* RIS. Whether the cursor is shown or blinks, LNM and the title outlive it, as in xterm.js. */
void vt_reset(struct vt *vt) {
    vt_switch_main(vt);
    vt_scrollback_clear(&vt->scrollback);
    for (unsigned y = 0; y < vt->rows; y++)
        vt_row_clear(&vt->main.rows[y], vt->cols, 0);
    vt_screen_reset(vt, &vt->main);
    vt_screen_reset(vt, &vt->alt);
    vt->main.saved = vt->alt.saved = (struct vt_saved){0};
    vt->pen = (struct vt_pen){0};
    vt_reset_modes(vt);
    vt->modes.mouse = vt->modes.mouse_encoding = 0;
    vt->prompt.known = false;
    vt_parser_reset(&vt->parser);
}

static void esc_charset(struct vt *vt, char slot, char final) {
    static const char slots[] = "()*+";
    uint8_t charset;
    if (!vt_charset_find(final, &charset)) return;
    const char *at = strchr(slots, slot);
    if (at)
        designate(vt, (unsigned)(at - slots), charset);
    else if (slot == '-')
        designate(vt, 1, charset);
    else if (slot == '.')
        designate(vt, 2, charset);
}

void vt_esc(struct vt *vt, uint32_t ident) {
    if (ident > 0xff) {
        char between = (char)(ident >> 8), final = (char)ident;
        if (ident > 0xffff) return;
        if (between == '#' && final == '8') {
            alignment(vt);
        } else if (between == '%' && (final == '@' || final == 'G')) {
            shift(vt, 0);
            designate(vt, 0, 0);
        } else {
            esc_charset(vt, between, final);
        }
        return;
    }
    switch (ident) {
    case '7': vt_cursor_save(vt); break;
    case '8': vt_cursor_restore(vt); break;
    case 'D': vt_index(vt); break;
    case 'E': next_line(vt); break;
    case 'H': tab_set(vt); break;
    case 'M': reverse_index(vt); break;
    case '=': vt->modes.application_keypad = true; break;
    case '>': vt->modes.application_keypad = false; break;
    case 'c': vt_reset(vt); break;
    case 'n':
    case '}': shift(vt, 2); break;
    case 'o':
    case '|': shift(vt, 3); break;
    case '~': shift(vt, 1); break;
    default: break;
    }
}
