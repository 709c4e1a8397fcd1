/* A terminal to try things on: 10 columns, 4 rows unless said otherwise. */
#pragma once

#include "term/vt.h"
#include "test.h"

struct screen {
    struct vt *vt;
    struct buf heard; /* what it told its owner, a line each */
};

static inline void hear(void *user, const char *what, struct span text) {
    struct screen *s = user;
    (void)buf_printf(&s->heard, "%s %.*s\n", what, SPAN_ARG(text));
}
static inline void hear_reply(void *user, struct span bytes) {
    hear(user, "reply", bytes);
}
static inline void hear_title(void *user, struct span title) {
    hear(user, "title", title);
}
static inline void hear_directory(void *user, struct span uri) {
    hear(user, "directory", uri);
}
static inline void hear_command(void *user, struct span text) {
    hear(user, "command", text);
}
static inline void hear_clipboard(void *user, struct span base64) {
    hear(user, "clipboard", base64);
}
static inline void hear_bell(void *user) {
    hear(user, "bell", SPAN(""));
}
static inline void hear_mark(void *user, enum vt_mark mark, int exit) {
    char text[32];
    (void)snprintf(text, sizeof text, "%d %d", (int)mark, exit);
    hear(user, "mark", span_str(text));
}

static const struct vt_ops screen_ops = {.reply = hear_reply,
                                         .title = hear_title,
                                         .directory = hear_directory,
                                         .mark = hear_mark,
                                         .command = hear_command,
                                         .clipboard = hear_clipboard,
                                         .bell = hear_bell};

static inline void screen_open_sized(struct screen *s, unsigned cols, unsigned rows, unsigned scrollback) {
    s->heard = BUF_INIT(1 << 20);
    s->vt = vt_new(cols, rows, scrollback, &screen_ops, s);
}
static inline void screen_open(struct screen *s) {
    screen_open_sized(s, 10, 4, 100);
}
static inline void screen_close(struct screen *s) {
    vt_free(s->vt);
    buf_fini(&s->heard);
}

static inline void feed(struct screen *s, const char *text) {
    vt_feed(s->vt, text, strlen(text));
}

#define CHECK_ROW(s, row, text)                \
    do {                                       \
        struct buf got_ = BUF_INIT(8192);      \
        vt_row_text((s)->vt, row, &got_);      \
        CHECK_STR(got_.p ? got_.p : "", text); \
        buf_fini(&got_);                       \
    } while (0)
#define CHECK_CURSOR(s, col, row)         \
    do {                                  \
        struct vt_view view_;             \
        vt_view((s)->vt, &view_);         \
        CHECK_INT(view_.cursor_col, col); \
        CHECK_INT(view_.cursor_row, row); \
    } while (0)
#define CHECK_HEARD(s, text)                               \
    do {                                                   \
        CHECK_STR((s)->heard.p ? (s)->heard.p : "", text); \
        buf_clear(&(s)->heard);                            \
    } while (0)

static inline struct vt_cell cell_at(const struct screen *s, int row, unsigned col) {
    struct vt_cell cell;
    vt_cell(s->vt, row, col, &cell);
    return cell;
}
static inline unsigned scrollback_of(const struct screen *s) {
    struct vt_view view;
    vt_view(s->vt, &view);
    return view.scrollback;
}
