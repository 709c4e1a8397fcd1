#include "term/vt_int.h"

#include "base/mem.h"

enum { DEFAULT_FOREGROUND = 0xd3d7cf, DEFAULT_BACKGROUND = 0x1e1e1e };

struct vt *vt_new(unsigned cols, unsigned rows, unsigned scrollback, const struct vt_ops *ops, void *user) {
    struct vt *vt = xcalloc(1, sizeof *vt);
    vt->cols = vt_cols_inside(cols);
    vt->rows = vt_rows_inside(rows);
    vt->scrollback.limit = scrollback;
    vt->ops = ops;
    vt->user = user;
    vt->answering = true;
    vt->modes.wrap = true;
    vt->colors.foreground = DEFAULT_FOREGROUND;
    vt->colors.background = DEFAULT_BACKGROUND;
    vt->title = BUF_INIT(VT_TITLE_BYTES_MAX);
    vt->prompt.said = BUF_INIT(VT_COMMAND_BYTES_MAX);
    vt_intern_init(&vt->styles, VT_STYLES_MAX, VT_STYLES_BYTES_MAX);
    vt_intern_init(&vt->clusters, VT_CLUSTERS_MAX, VT_CLUSTERS_BYTES_MAX);
    vt_intern_init(&vt->links, VT_LINKS_MAX, VT_LINKS_BYTES_MAX);
    vt_parser_init(&vt->parser);
    vt_screen_open(vt, &vt->main, 0);
    vt_screen_reset(vt, &vt->main);
    vt_screen_reset(vt, &vt->alt);
    vt->scr = &vt->main;
    return vt;
}

void vt_set_ops(struct vt *vt, const struct vt_ops *ops, void *user) {
    vt->ops = ops;
    vt->user = user;
}

void vt_free(struct vt *vt) {
    if (!vt) return;
    vt_screen_close(vt, &vt->main);
    vt_screen_close(vt, &vt->alt);
    vt_scrollback_fini(&vt->scrollback);
    vt_intern_fini(&vt->styles);
    vt_intern_fini(&vt->clusters);
    vt_intern_fini(&vt->links);
    vt_parser_fini(&vt->parser);
    buf_fini(&vt->title);
    for (unsigned i = 0; i < vt->title_depth; i++)
        buf_fini(&vt->titles[i]);
    buf_fini(&vt->prompt.said);
    free(vt->colors.palette);
    vt_look_forget(vt);
    free(vt);
}

void vt_feed(struct vt *vt, const char *p, size_t n) {
    vt_parser_feed(vt, (const uint8_t *)p, (const uint8_t *)p + n);
}

void vt_gap(struct vt *vt) {
    vt_parser_reset(&vt->parser);
    vt->join = 0;
    vt->in_run = false;
}

void vt_restart(struct vt *vt) {
    vt_switch_main(vt);
    unsigned used = vt->rows;
    while (used && !vt_row_trimmed(vt_screen_row(vt, &vt->main, used - 1)))
        used--;
    vt->pen = (struct vt_pen){0};
    vt->main.top = 0;
    vt->main.bottom = vt->rows - 1;
    for (unsigned i = 0; i < used; i++)
        vt_scroll(vt, false);
    for (unsigned y = 0; y < vt->rows; y++)
        vt_row_clear(&vt->main.rows[y], vt->cols, 0);
    vt_screen_reset(vt, &vt->main);
    vt_screen_reset(vt, &vt->alt);
    vt->main.saved = vt->alt.saved = (struct vt_saved){0};
    vt_reset_modes(vt);
    vt->modes.newline = false;
    vt->modes.mouse = vt->modes.mouse_encoding = 0;
    vt->cursor_hidden = vt->cursor_blinks = false;
    free(vt->colors.palette);
    vt->colors = (struct vt_colors){.foreground = vt->colors.foreground, .background = vt->colors.background};
    vt->prompt.known = false;
    buf_clear(&vt->prompt.said);
    vt_gap(vt);
}

void vt_set_answering(struct vt *vt, bool answering) {
    vt->answering = answering;
}

void vt_set_colors(struct vt *vt, uint32_t foreground, uint32_t background) {
    vt->colors.foreground = foreground & COLOR_VALUE;
    vt->colors.background = background & COLOR_VALUE;
}
