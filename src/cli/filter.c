#include "cli/filter.h"

#include "base/utf8.h"
#include "cli/filter_list.h"
#include "cli/tty.h"
#include "term/vt_states.h"

enum { TAB_COLS = 8, HTS = 0x88, RIS = 'c' };

void filter_gap(struct filter *f) {
    f->parser = (struct vt_parser){0};
    f->osc_n = 0;
}

void filter_reset_tabs(unsigned cols, struct buf *out) {
    (void)buf_printf(out, "\x1b[3g");
    for (unsigned col = TAB_COLS; col < cols; col += TAB_COLS)
        (void)buf_printf(out, "\x1b[%uG\x1bH", col + 1);
    (void)buf_append_char(out, '\r');
}

/* A reset as a whole would take what the terminal showed before, its title and its palette with it. */
static void reset(struct filter *f, struct buf *out) {
    if (f->soft) return;
    (void)buf_printf(out, TTY_RESET_MODES "\x1b[?1047l" TTY_RESET_MARGINS);
    if (f->tabs && f->cols) filter_reset_tabs(f->cols, out);
    f->tabs = false;
    (void)buf_printf(out, "\x1b[H\x1b[2J");
}

static void escape(struct filter *f, uint32_t ident, struct buf *out) {
    f->tabs |= ident == 'H';
    if (ident == RIS)
        reset(f, out);
    else
        filter_escape(ident, out);
}

static void put_osc(struct filter *f, uint32_t code) {
    char text[4];
    size_t n = utf8_encode(code, text);
    if (n > sizeof f->osc - f->osc_n) n = sizeof f->osc - f->osc_n; /* full: too long for all that passes */
    memcpy(f->osc + f->osc_n, text, n);
    f->osc_n += n;
}

static void end_osc(struct filter *f, bool whole, struct buf *out) {
    if (whole) filter_osc(span_of(f->osc, f->osc_n), out);
    f->osc_n = 0;
}

static void print(uint32_t code, struct buf *out) {
    char text[4];
    (void)buf_append(out, text, utf8_encode(code, text));
}

static void step(struct filter *f, uint32_t code, struct buf *out) {
    struct vt_parser *p = &f->parser;
    uint8_t next = vt_transition(p->state, code);
    bool whole = code != 0x18 && code != 0x1a;
    p->state = next & 15;
    switch ((enum vt_action)(next >> 4)) {
    case DROP:
    case IGNORE:
    case DCS_HOOK: /* of these strings none passes */
    case DCS_PUT:
    case DCS_END: break;
    case PRINT: print(code, out); break;
    case EXECUTE:
        f->tabs |= code == HTS;
        filter_control(code, out);
        break;
    case CLEAR:
        vt_params_clear(&p->params);
        p->collect = 0;
        break;
    case COLLECT: p->collect = p->collect << 8 | code; break;
    case PARAM: vt_params_add(&p->params, (uint8_t)code); break;
    case ESC_DISPATCH: escape(f, p->collect << 8 | code, out); break;
    case CSI_DISPATCH:
        f->tabs |= code == 'g';
        filter_csi(p->collect << 8 | code, &p->params, out);
        break;
    case OSC_START: f->osc_n = 0; break;
    case OSC_PUT: put_osc(f, code); break;
    case OSC_END:
        end_osc(f, whole, out);
        p->collect = 0;
        break;
    }
}

static void feed_byte(struct filter *f, uint8_t byte, struct buf *out) {
    uint32_t code = byte;
    if (f->parser.utf8_left && (byte & 0xc0) != 0x80) f->parser.utf8_left = 0;
    if (byte < 0x80 || vt_parser_decode(&f->parser, byte, &code)) step(f, code, out);
}

void filter_feed(struct filter *f, struct span bytes, struct buf *out) {
    while (bytes.n) {
        size_t n = 0;
        if (f->parser.state == GROUND)
            while (n < bytes.n && bytes.p[n] >= ' ' && bytes.p[n] < 0x7f)
                n++;
        if (n) f->parser.utf8_left = 0;
        (void)buf_append(out, bytes.p, n);
        if (n < bytes.n) feed_byte(f, (uint8_t)bytes.p[n++], out);
        bytes = span_skip(bytes, n);
    }
}
