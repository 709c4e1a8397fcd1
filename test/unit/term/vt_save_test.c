#include "vt_check.h"

#include <errno.h>

static const char text[] =
    "one\r\n\033[31mtwo\033]8;;http://x\alink\033]8;;\a\r\n\r\n\r\n日e\xcc\x81\033[?2004h\033]2;a title\a"
    "\033]4;1;#123456\a\033[?1049h\033[Hfull\033[38;5";

TEST(what_was_saved_is_loaded) {
    struct screen s, l = {.heard = BUF_INIT(4096)};
    screen_open(&s);
    feed(&s, text);
    struct buf bytes = BUF_INIT(1 << 20);
    vt_save(s.vt, &bytes);
    struct err err;
    CHECK_INT(vt_load(buf_span(&bytes), &screen_ops, &l, &l.vt, &err), 0);
    CHECK_ROW(&l, 0, "full");
    CHECK_SPAN(vt_title(l.vt), "a title");
    feed(&l, ";9mx\033[?1049l\033]4;1;?\a");
    CHECK_INT(cell_at(&l, 3, 2).width, 1);
    CHECK_ROW(&l, -1, "one");
    CHECK_ROW(&l, 0, "twolink");
    CHECK_ROW(&l, 3, "日e\u0301");
    CHECK_SPAN(vt_link(l.vt, cell_at(&l, 0, 3).link), "http://x");
    CHECK_HEARD(&l, "reply \033]4;1;rgb:1212/3434/5656\033\\\n");
    buf_fini(&bytes);
    screen_close(&l);
    screen_close(&s);
}

TEST(damage_is_told) {
    struct screen s;
    screen_open(&s);
    feed(&s, text);
    struct buf bytes = BUF_INIT(1 << 20);
    vt_save(s.vt, &bytes);
    for (size_t i = 0; i < bytes.n; i++) {
        struct vt *vt = NULL;
        struct err err = {0};
        bytes.p[i] ^= 0x20;
        CHECK_INT(vt_load(buf_span(&bytes), NULL, NULL, &vt, &err), -EBADMSG);
        CHECK(vt == NULL && err.msg[0]);
        bytes.p[i] ^= 0x20;
        CHECK_INT(vt_load(span_take(buf_span(&bytes), i), NULL, NULL, &vt, &err), -EBADMSG);
    }
    buf_fini(&bytes);
    screen_close(&s);
}

TESTS(RUN(what_was_saved_is_loaded), RUN(damage_is_told))
