/*
 * How fast secrets are looked for and journals are written.
 *
 *     build/test/bench/journal_bench [MB]
 *
 * Redaction: plain log lines, coloured lines, lines in which patterns begin all the time. Journal: the same lines through
 * redaction and pool into files, screens and packing included, with the processor time that all threads took.
 */
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/mem.h"
#include "pty/journal.h"
#include "temp_dir.h"

#include <stdio.h>
#include <sys/resource.h>

enum { CHUNK_BYTES = 32 << 10 };

static const char plain[] =
    "2026-02-11T09:14:55.120Z INFO  worker[17] request GET /api/items/4711 finished with status 200 in 12 ms\r\n"
    "2026-02-11T09:14:55.121Z DEBUG cache miss for key users:99:profile, asking the database (pool 3 of 8)\r\n"
    "-rw-r--r--  1 build build   48211 Feb 11 09:14 src/components/timeline/RangeSelector.test.tsx\r\n";
static const char coloured[] =
    "\033[32m+\033[0m \033[1mconst\033[22m \033[36mresult\033[39m = \033[33mawait\033[39m run(\033[35mitems\033[39m);\033[K\r\n"
    "\033[38;5;244m  12 |\033[0m   \033[38;2;120;200;80mreturn\033[0m values.\033[4mmap\033[24m(v => v + 1)\033[K\r\n";
static const char telling[] =
    "the token was read from https://example.org/secret and the password: hunter2 was ok\r\n"
    "export API_KEY=abcdef0123456789 sk-ant-api03-0123456789abcdef see tokens: 12\r\n";

static void fill(struct buf *out, const char *lines, size_t n) {
    while (out->n < n)
        (void)buf_append_span(out, span_str(lines));
}

static double seconds(usec_t from) {
    return (double)(clock_mono(&clock_system) - from) / 1e6;
}

static double processor_seconds(void) {
    struct rusage u;
    (void)getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static void bench_redact(const struct redact_set *set, const char *name, const char *lines, size_t n,
                         size_t chunk) {
    AUTO(buf) struct buf in = BUF_INIT(1 << 20);
    AUTO(buf) struct buf out = BUF_INIT(2 << 20);
    fill(&in, lines, 256 << 10);
    struct redact *r = redact_new(set);
    double from = processor_seconds(); /* the machine may have other things to do */
    size_t done = 0;
    while (done < n) {
        buf_clear(&out);
        for (struct span left = buf_span(&in); left.n; left = span_skip(left, chunk))
            (void)redact_feed(r, span_take(left, chunk), &out);
        done += in.n;
    }
    double s = processor_seconds() - from;
    printf("redact  %-9s chunks of %5zu: %7.0f MB/s\n", name, chunk, (double)done / 1e6 / s);
    redact_free(r);
}

static void on_written(void *user, uint64_t epoch, uint64_t offset) {
    (void)epoch;
    *(uint64_t *)user = offset;
}

static void on_closed(void *user) {
    *(bool *)user = true;
}

static void bench_journal(const struct redact_set *set, const char *name, const char *lines, size_t n) {
    static const struct journal_ops ops = {.written = on_written};
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    AUTO(buf) struct buf in = BUF_INIT(1 << 20);
    fill(&in, lines, CHUNK_BYTES);
    uv_loop_t loop;
    if (uv_loop_init(&loop) < 0) abort();
    uint64_t written = 0, offset = 0;
    struct journal *j = journal_open(&loop, t.path, set, &ops, &written);
    struct vt *vt = vt_new(120, 40, VT_SCROLLBACK, NULL, NULL);
    journal_begin(j, 1, vt);
    vt_free(vt);
    double processor = processor_seconds();
    usec_t from = clock_mono(&clock_system);
    while (offset < n) {
        journal_append(j, offset, buf_span(&in));
        offset += in.n;
        (void)uv_run(&loop, UV_RUN_NOWAIT);
        while (journal_pending(j) > JOURNAL_PENDING_BYTES / 2)
            (void)uv_run(&loop, UV_RUN_ONCE);
    }
    bool closed = false;
    journal_close(j, on_closed, &closed);
    (void)uv_run(&loop, UV_RUN_DEFAULT);
    double s = seconds(from), p = processor_seconds() - processor;
    printf("journal %-9s %.0f MB: %.0f MB/s; 50 MB/s cost %.2f of a core\n", name, (double)n / 1e6,
           (double)n / 1e6 / s, p / ((double)n / 50e6));
    (void)uv_loop_close(&loop);
}

int main(int argc, char **argv) {
    size_t n = (argc > 1 ? strtoul(argv[1], NULL, 10) : 200) * 1000000;
    static const struct {
        const char *name, *lines;
    } kinds[] = {{"plain", plain}, {"coloured", coloured}, {"telling", telling}};
    struct redact_set *set;
    if (redact_compile(SPAN_NONE, &set, NULL) < 0) return 1;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        bench_redact(set, kinds[i].name, kinds[i].lines, n, CHUNK_BYTES);
        bench_redact(set, kinds[i].name, kinds[i].lines, n / 4, 512);
    }
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        bench_journal(set, kinds[i].name, kinds[i].lines, n);
    redact_set_free(set);
    return 0;
}
