/* OSC: title, directory, links, colours, clipboard, marks of the shell. */
#include "term/vt_int.h"

#include "base/utf8.h"
#include "term/vt_query.h"

static void set_title(struct vt *vt, struct span title) {
    title = utf8_cut_bytes(title, VT_TITLE_BYTES_MAX);
    if (span_eq(title, buf_span(&vt->title))) return;
    buf_clear(&vt->title);
    (void)buf_append_span(&vt->title, title);
    if (vt->ops && vt->ops->title) vt->ops->title(vt->user, buf_span(&vt->title));
}

void vt_title_push(struct vt *vt) {
    if (vt->title_depth == VT_TITLE_STACK) {
        buf_fini(&vt->titles[0]);
        memmove(vt->titles, vt->titles + 1, (VT_TITLE_STACK - 1) * sizeof *vt->titles);
        vt->title_depth--;
    }
    struct buf *top = &vt->titles[vt->title_depth++];
    *top = BUF_INIT(VT_TITLE_BYTES_MAX);
    (void)buf_append_span(top, buf_span(&vt->title));
}

void vt_title_pop(struct vt *vt) {
    if (!vt->title_depth) return;
    struct buf *top = &vt->titles[--vt->title_depth];
    set_title(vt, buf_span(top));
    buf_fini(top);
}

/* OSC 8: parameters, then the target; without a target the link ends. */
static void link(struct vt *vt, struct span text) {
    if (vt->traced || !memchr(text.p ? text.p : "", ';', text.n)) return;
    struct span params = span_trim(span_split(&text, ';')), id = SPAN_NONE;
    if (!text.n && params.n) return;
    while (params.n) {
        struct span one = span_split(&params, ':');
        if (!span_starts(one, SPAN("id="))) continue;
        id = span_skip(one, 3);
        break;
    }
    vt->pen.link = text.n ? vt_link_number(vt, id, text) : 0;
    vt->pen.known = false;
}

static void clipboard(struct vt *vt, struct span text) {
    (void)span_split(&text, ';');
    if (!text.n || span_eq_str(text, "?") || !vt->ops || !vt->ops->clipboard) return;
    vt->ops->clipboard(vt->user, text);
}

void vt_osc(struct vt *vt, struct span text) {
    struct span rest = text, digits = span_split(&rest, ';');
    uint64_t command;
    if (!span_u64(digits, &command)) return;
    switch (command) {
    case 0:
    case 2: set_title(vt, rest); break;
    case 4:
    case 10:
    case 11:
    case 12:
    case 104:
    case 110:
    case 111:
    case 112: vt_color_osc(vt, (unsigned)command, rest); break;
    case 7:
        if (vt->ops && vt->ops->directory) vt->ops->directory(vt->user, rest);
        break;
    case 8: link(vt, rest); break;
    case 52: clipboard(vt, rest); break;
    case 133:
    case 633: vt_mark_said(vt, rest); break;
    default: break;
    }
}
