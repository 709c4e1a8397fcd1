/* A saved terminal with any bytes, but a right checksum. What is loaded works: it takes text and sizes, and can be saved again. */
#include "base/buf.h"
#include "term/vt.h"
#include "term/vt_save.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition) abort();
}

static void use(struct vt *vt) {
    struct buf out = BUF_INIT(256 << 20);
    struct vt_view view;
    vt_view(vt, &view);
    for (int row = -(int)view.scrollback; row < (int)view.rows; row++) {
        struct vt_cell cell;
        vt_cell(vt, row, view.cols - 1, &cell);
        buf_clear(&out);
        vt_row_text(vt, row, &out);
        (void)vt_row_wraps(vt, row);
    }
    static const char text[] =
        "1m\033\\\a\xe6\x97\xa5\u0301x\033[5b\r\n\0338y\033[?1049lz\033[?1049h\033[31mw\t\033[Zv\016q\r\n";
    for (int i = 0; i < 3; i++) {
        vt_feed(vt, text, sizeof text - 1);
        vt_resize(vt, view.cols / 2 + (unsigned)i * 30, view.rows + 1 - (unsigned)i);
    }
    buf_clear(&out);
    vt_snapshot(vt, 100, &out);
    buf_clear(&out);
    vt_save(vt, &out);
    struct vt *again = NULL;
    require(out.failed || vt_load(buf_span(&out), NULL, NULL, &again, NULL) == 0);
    vt_free(again);
    buf_fini(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct vt *vt = NULL;
    struct err err;
    if (vt_load(span_of((const char *)data, size), NULL, NULL, &vt, &err) < 0) {
        /* The fuzzer cannot guess a checksum. */
        struct buf saved = BUF_INIT(64 << 20);
        size_t n = size > VT_SAVE_SUM_BYTES ? size - VT_SAVE_SUM_BYTES : size;
        (void)buf_append(&saved, data, n);
        uint64_t sum = vt_save_sum(buf_span(&saved));
        for (int i = 0; i < VT_SAVE_SUM_BYTES; i++)
            (void)buf_append_char(&saved, (char)(sum >> 8 * i));
        if (vt_load(buf_span(&saved), NULL, NULL, &vt, &err) < 0) require(err.msg[0] && !vt);
        buf_fini(&saved);
    }
    if (!vt) return 0;
    use(vt);
    vt_free(vt);
    return 0;
}
