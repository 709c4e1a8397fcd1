/*
 * How fast the terminal takes what programs write: plain lines, coloured ones, and recordings given as NAME.COLSxROWS.bin, over and
 * over. Prints MB/s, best of several tries; then what 10,000 lines of scrollback cost, and a snapshot, a save and a load of them.
 */
#include "base/cleanup.h"
#include "base/mem.h"
#include "term/vt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIES = 7, STREAM_BYTES = 8 << 20, PIECE_BYTES = 64 << 10, FILE_BYTES_MAX = 16 << 20, LINES = 10000 };

static double now_ms(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1000 + (double)t.tv_nsec / 1e6;
}

static void feed_all(struct vt *vt, struct span bytes) {
    for (; bytes.n > 0; bytes = span_skip(bytes, PIECE_BYTES))
        vt_feed(vt, bytes.p, MIN(bytes.n, PIECE_BYTES));
}

static void measure(const char *name, struct span stream, unsigned cols, unsigned rows) {
    double best = 0;
    for (int i = 0; i < TRIES; i++) {
        struct vt *vt = vt_new(cols, rows, LINES, NULL, NULL);
        size_t bytes = 0;
        double start = now_ms();
        for (; bytes < STREAM_BYTES; bytes += stream.n)
            feed_all(vt, stream);
        double speed = (double)bytes / 1000 / (now_ms() - start);
        best = MAX(best, speed);
        vt_free(vt);
    }
    printf("%s: %.0f MB/s\n", name, best);
}

static void write_plain(struct buf *out) {
    for (int i = 0; out->n < 1 << 20; i++)
        (void)buf_printf(
            out, "%08d the quick brown fox jumps over the lazy dog, again and again and again\r\n", i);
}

static void write_colored(struct buf *out) {
    for (int i = 0; out->n < 1 << 20; i++)
        (void)buf_printf(
            out,
            "\033[32m%08d\033[0m \033[1;38;2;%d;120;200mINFO\033[0m \033[38;5;%dmsrc/term/vt.c\033[39m: "
            "\033[2mtook %d ms\033[22m\r\n",
            i, i & 255, 16 + i % 200, i % 1000);
}

static void measure_file(const char *path) {
    AUTO(file) FILE *f = fopen(path, "rbe");
    AUTO(buf) struct buf bytes = BUF_INIT(FILE_BYTES_MAX);
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const char *dot = strchr(name, '.'), *by = dot ? strchr(dot, 'x') : NULL;
    if (!f || !by || !buf_reserve(&bytes, FILE_BYTES_MAX)) {
        (void)fprintf(stderr, "vt_bench: %s cannot be read\n", path);
        exit(1);
    }
    buf_grew(&bytes, fread(bytes.p, 1, FILE_BYTES_MAX, f));
    measure(name, buf_span(&bytes), (unsigned)strtoul(dot + 1, NULL, 10),
            (unsigned)strtoul(by + 1, NULL, 10));
}

static void measure_lines(const char *name, struct span stream) {
    struct vt *vt = vt_new(120, 40, LINES, NULL, NULL), *loaded;
    AUTO(buf) struct buf snapshot = BUF_INIT(64 << 20), saved = BUF_INIT(64 << 20);
    struct vt_view view = {0};
    while (view.scrollback < LINES) {
        feed_all(vt, stream);
        vt_view(vt, &view);
    }
    double start = now_ms();
    vt_snapshot(vt, LINES, &snapshot);
    double snapshot_ms = now_ms() - start;
    start = now_ms();
    vt_save(vt, &saved);
    double save_ms = now_ms() - start;
    start = now_ms();
    struct err err;
    if (vt_load(buf_span(&saved), NULL, NULL, &loaded, &err) < 0) {
        (void)fprintf(stderr, "vt_bench: %s\n", err.msg);
        exit(1);
    }
    printf(
        "%s, %u lines: %.1f bytes a line, snapshot %.2f ms (%zu bytes), save %.2f ms (%zu bytes), load %.2f ms\n",
        name, view.scrollback, (double)vt_memory(vt) / view.scrollback, snapshot_ms, snapshot.n, save_ms,
        saved.n, now_ms() - start);
    vt_free(loaded);
    vt_free(vt);
}

int main(int argc, char **argv) {
    AUTO(buf) struct buf plain = BUF_INIT(2 << 20), colored = BUF_INIT(2 << 20);
    write_plain(&plain);
    write_colored(&colored);
    measure("plain", buf_span(&plain), 120, 40);
    measure("coloured", buf_span(&colored), 120, 40);
    for (int i = 1; i < argc; i++)
        measure_file(argv[i]);
    measure_lines("plain", buf_span(&plain));
    measure_lines("coloured", buf_span(&colored));
    return 0;
}
