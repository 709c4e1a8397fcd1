/* A sequence that was begun, written down again: what a snapshot ends with, so that its rest may follow. */
#include "term/vt_int.h"
#include "term/vt_states.h"

/* Prefix and intermediate bytes, those of one kind. */
static void write_collected(const struct vt_parser *p, bool prefix, struct buf *out) {
    for (int shift = 24; shift >= 0; shift -= 8) {
        char c = (char)(p->collect >> shift);
        if (c && (c >= '<') == prefix) (void)buf_append_char(out, c);
    }
}

static void write_params(const struct vt_params *p, struct buf *out) {
    for (unsigned i = 0; i < p->n; i++) {
        if (i) (void)buf_append_char(out, ';');
        (void)buf_printf(out, "%d", p->values[i]);
        for (unsigned k = p->sub_first[i]; k < p->sub_end[i]; k++) {
            (void)buf_append_char(out, ':');
            if (p->subs[k] >= 0) (void)buf_printf(out, "%d", p->subs[k]);
        }
    }
    if (p->full) (void)buf_append_char(out, ';');
    if (p->subs_full && p->in_sub) (void)buf_append_char(out, ':');
}

static void write_sequence(const struct vt_parser *p, const char *start, bool params, struct buf *out) {
    (void)buf_append(out, start, strlen(start));
    write_collected(p, true, out);
    if (params) write_params(&p->params, out);
    write_collected(p, false, out);
}

/* The string of an OSC or DCS; one that is too long already is swallowed by a number that nobody knows. */
static void write_string(const struct vt_parser *p, struct buf *out) {
    if (p->state == OSC) {
        (void)buf_append(out, "\033]", 2);
        if (p->string.failed) (void)buf_append(out, "99999;", 6);
    } else {
        (void)buf_append(out, "\033P", 2);
        for (int shift = 24; shift >= 0 && !p->string.failed; shift -= 8)
            if (p->dcs >> shift & 255) (void)buf_append_char(out, (char)(p->dcs >> shift));
        if (p->string.failed) (void)buf_append_char(out, 'z');
    }
    if (!p->string.failed) (void)buf_append_span(out, buf_span(&p->string));
}

static void write_utf8(const struct vt_parser *p, struct buf *out) {
    static const uint8_t leads[] = {[2] = 0xc0, [3] = 0xe0, [4] = 0xf0};
    for (unsigned i = 0; p->utf8_left && i + p->utf8_left < p->utf8_size; i++) {
        unsigned behind = p->utf8_size - p->utf8_left - 1U - i;
        uint32_t bits = p->utf8_code >> 6 * behind;
        (void)buf_append_char(out, (char)(i ? 0x80 | (bits & 0x3f) : leads[p->utf8_size] | bits));
    }
}

void vt_parser_write(const struct vt_parser *p, struct buf *out) {
    switch ((enum vt_state)p->state) {
    case GROUND: break;
    case ESCAPE:
    case ESCAPE_BETWEEN: write_sequence(p, "\033", false, out); break;
    case CSI_ENTRY: (void)buf_append(out, "\033[", 2); break;
    case CSI_PARAM:
    case CSI_BETWEEN: write_sequence(p, "\033[", true, out); break;
    case CSI_IGNORE: (void)buf_append(out, "\033[0?", 4); break;
    case STRING: (void)buf_append(out, "\033_", 2); break;
    case DCS_ENTRY: (void)buf_append(out, "\033P", 2); break;
    case DCS_PARAM:
    case DCS_BETWEEN: write_sequence(p, "\033P", true, out); break;
    case DCS_IGNORE: (void)buf_append(out, "\033P0?", 4); break;
    case OSC:
    case DCS_STRING: write_string(p, out); break;
    case STATES: break;
    }
    write_utf8(p, out);
}
