/* How fast JSON is looked at and checked, beside memchr() and jansson in the same run. Prints GB/s, best of several. */
#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/jwrite.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

enum { TRIES = 30, TRY_US = 5000, DEPTH = 512, DOC_BYTES = 4 << 20 };

static volatile size_t sink; /* keeps the work from being optimized away */

static void run_memchr(struct span doc) {
    sink += memchr(doc.p, '\n', doc.n) != NULL;
}

static void run_jscan(struct span doc) {
    struct jmember wanted[] = {JMEMBER("session_id"), JMEMBER("hook_event_name"), JMEMBER("cwd"),
                               JMEMBER("tool_name"),  JMEMBER("prompt"),          JMEMBER("transcript_path")};
    sink += (size_t)jscan_object(doc, wanted, ARRAY_LEN(wanted));
}

static void run_jvalid(struct span doc) {
    sink += (size_t)jvalid(doc, DEPTH);
}

static void run_jansson(struct span doc) {
    json_t *json = json_loadb(doc.p, doc.n, 0, NULL);
    sink += json_object_size(json);
    json_decref(json);
}

/* Time of our own, so that other programs on the machine count less. */
static int64_t cpu_us(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static double gigabytes_per_second(void (*run)(struct span), struct span doc) {
    double best = 0;
    for (int i = 0; i < TRIES; i++) {
        uint64_t bytes = 0;
        int64_t start = cpu_us(), now;
        do {
            for (size_t done = 0; done < 64 * 1024; done += doc.n) {
                run(doc);
                bytes += doc.n;
            }
            now = cpu_us();
        } while (now - start < TRY_US);
        double speed = (double)bytes / (double)(now - start) / 1000;
        best = MAX(best, speed);
    }
    return best;
}

/* A hook payload like those of a coding agent; `lines` of program text as what the tool gave back. */
static void write_payload(struct buf *out, int lines) {
    AUTO(buf) struct buf text = BUF_INIT(DOC_BYTES);
    for (int i = 0; i < lines; i++)
        (void)buf_printf(&text, "%5d\t    if (name[%d] == \"\\x\") return find(&table, key); /* case %d */\n",
                         i, i % 7, i);
    struct jwrite w = JWRITE_INIT(out);
    jwrite_object(&w);
    jwrite_kcstr(&w, "session_id", "0f8c5a7e-6b1d-4f9e-9a53-2c1d7e8f9a0b");
    jwrite_kcstr(&w, "transcript_path", "/home/user/.claude/projects/-home-user-work/0f8c5a7e-6b1d.jsonl");
    jwrite_kcstr(&w, "cwd", "/home/user/work");
    jwrite_kcstr(&w, "permission_mode", "default");
    jwrite_kcstr(&w, "hook_event_name", "PostToolUse");
    jwrite_kcstr(&w, "tool_name", "Read");
    jwrite_key(&w, "tool_input");
    jwrite_object(&w);
    jwrite_kcstr(&w, "file_path", "/home/user/work/src/table.c");
    jwrite_ki64(&w, "limit", 2000);
    jwrite_object_end(&w);
    jwrite_key(&w, "tool_response");
    jwrite_object(&w);
    jwrite_kcstr(&w, "type", "text");
    jwrite_key(&w, "file");
    jwrite_object(&w);
    jwrite_kcstr(&w, "filePath", "/home/user/work/src/table.c");
    jwrite_kstr(&w, "content", buf_span(&text));
    jwrite_ki64(&w, "numLines", lines);
    jwrite_kbool(&w, "truncated", false);
    jwrite_object_end(&w);
    jwrite_key(&w, "patch");
    jwrite_array(&w);
    for (int i = 0; i < lines / 8; i++) {
        jwrite_object(&w);
        jwrite_ki64(&w, "oldStart", i);
        jwrite_kcstr(&w, "line", "-    return find(&table, key);");
        jwrite_object_end(&w);
    }
    jwrite_array_end(&w);
    jwrite_object_end(&w);
    jwrite_object_end(&w);
}

static void print(const char *name, double speed, double newline, double jansson_speed) {
    (void)printf("  %-14s %7.2f GB/s   %5.2f of memchr   %7.1f x jansson\n", name, speed, speed / newline,
                 speed / jansson_speed);
}

static void bench(const char *title, int lines) {
    static const char *const names[] = {
        [JSCAN_SCALAR] = "jscan scalar", [JSCAN_SSE2] = "jscan sse2", [JSCAN_AVX2] = "jscan avx2"};
    AUTO(buf) struct buf doc = BUF_INIT(DOC_BYTES);
    write_payload(&doc, lines);
    struct span s = buf_span(&doc);
    if (doc.failed || jvalid(s, DEPTH) < 0) abort();
    (void)printf("%s, %zu bytes\n", title, s.n);

    double newline = gigabytes_per_second(run_memchr, s), slow = gigabytes_per_second(run_jansson, s);
    print("memchr", newline, newline, slow);
    for (int e = JSCAN_SCALAR; e <= JSCAN_AVX2; e++)
        if (jscan_use((enum jscan_engine)e))
            print(names[e], gigabytes_per_second(run_jscan, s), newline, slow);
    print("jvalid", gigabytes_per_second(run_jvalid, s), newline, slow);
    print("jansson", slow, newline, slow);
}

int main(void) {
    bench("hook payload", 19);
    bench("large PostToolUse", 12300);
    return 0;
}
