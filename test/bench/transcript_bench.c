/*
 * How fast transcripts are looked up, noted and archived: transcript_bench [directory]
 *
 * A cache of 10,000 verdicts; 2,000 of them are asked for, as at a start with a warm cache, and 2,000 are put. Then 64 MB of
 * something like a transcript go into the archive and come back.
 */
#include "base/cleanup.h"
#include "base/clock.h"
#include "store/archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 10000, ASKED = 2000, ARCHIVE_MB = 64 };

static void die(const char *message) {
    (void)fprintf(stderr, "%s\n", message);
    exit(1);
}

static void path_of(char out[PATH_BYTES], int i) {
    (void)snprintf(
        out, PATH_BYTES,
        "/home/someone/.claude/projects/-home-someone-work-project%d/%08x-1111-4222-8333-%012x.jsonl", i % 50,
        (unsigned)i * 2654435761U, (unsigned)i);
}

static struct scan_verdict verdict_of(int i) {
    return (struct scan_verdict){.depth = 100,
                                 .messages = 200,
                                 .mark = {.device = 2049,
                                          .inode = 1000000 + (uint64_t)i,
                                          .size = 50000,
                                          .mtime_ns = 1700000000000000000 + i}};
}

static void put(struct transcript_db *db, int from, int count) {
    for (int i = from; i < from + count; i++) {
        char path[PATH_BYTES];
        path_of(path, i);
        struct scan_verdict v = verdict_of(i);
        if (transcript_db_put(db, path, &v, NULL) < 0) die("put");
    }
    if (transcript_db_flush(db, NULL) < 0) die("flush");
}

static void get(struct transcript_db *db) {
    for (int n = 0; n < ASKED; n++) {
        char path[PATH_BYTES];
        int i = n * 7 % FILES;
        path_of(path, i);
        struct scan_verdict want = verdict_of(i), v;
        if (transcript_db_get(db, path, &want.mark, &v) != 1) die("get");
    }
}

static void report(const char *what, usec_t since, int count) {
    usec_t took = clock_mono(&clock_system) - since;
    (void)printf("%-28s %7.2f ms  %6.2f µs each\n", what, (double)took / 1000, (double)took / count);
}

static void archive(struct transcript_db *db, const char *dir) {
    char path[PATH_BYTES], back[PATH_BYTES], place[PATH_BYTES];
    if (path_join(path, dir, "s.jsonl") < 0 || path_join(back, dir, "back.jsonl") < 0 ||
        path_join(place, dir, "archive") < 0)
        die("path");
    FILE *f = fopen(path, "we");
    if (!f) die(path);
    int written = 0;
    for (int i = 0; written < ARCHIVE_MB << 20; i++)
        written += fprintf(
            f,
            "{\"parentUuid\":\"%08x-%04x\",\"type\":\"assistant\",\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":"
            "\"text\",\"text\":\"line %d of %u, and %x\"}]},\"uuid\":\"%08x-%04x\"}\n",
            (unsigned)i * 2654435761U, i & 0xffff, i, (unsigned)i * 40503U, (unsigned)i * 69069U,
            (unsigned)(i + 1) * 2654435761U, (i + 1) & 0xffff);
    (void)fclose(f);
    struct stat st;
    if (stat(path, &st) < 0) die(path);
    struct file_mark mark = {.device = st.st_dev, .inode = st.st_ino, .size = (uint64_t)st.st_size};
    struct err err = {0};
    struct archived a;
    usec_t start = clock_mono(&clock_system);
    if (archive_keep(db, place, SPAN("s"), path, &mark, 1, &err) != 1) die(err.msg);
    usec_t kept = clock_mono(&clock_system);
    if (archive_get(db, SPAN("s"), &a, &err) < 0 || archive_restore(&a, back, &err) < 0) die(err.msg);
    usec_t restored = clock_mono(&clock_system);
    (void)printf("archive %d MB: kept in %.0f ms as %.1f MB, restored in %.0f ms\n", ARCHIVE_MB,
                 (double)(kept - start) / 1000, (double)a.packed / (1 << 20),
                 (double)(restored - kept) / 1000);
    (void)unlink(path);
    (void)unlink(back);
    (void)unlink(a.file);
}

int main(int argc, char **argv) {
    char dir[PATH_BYTES], file[PATH_BYTES];
    (void)snprintf(dir, sizeof dir, "%s/ostler-bench-XXXXXX", argc > 1 ? argv[1] : "/tmp");
    if (!mkdtemp(dir) || path_join(file, dir, "transcripts.db") < 0) die("no directory");
    struct transcript_db *db;
    struct err err = {0};
    if (transcript_db_open(file, &db, &err) < 0) die(err.msg);
    put(db, 0, FILES);
    transcript_db_close(db);

    usec_t start = clock_mono(&clock_system);
    if (transcript_db_open(file, &db, &err) < 0) die(err.msg);
    report("open", start, 1);
    start = clock_mono(&clock_system);
    get(db);
    report("2000 lookups, just opened", start, ASKED);
    start = clock_mono(&clock_system);
    get(db);
    report("2000 lookups, again", start, ASKED);
    start = clock_mono(&clock_system);
    put(db, FILES, ASKED);
    report("2000 new verdicts", start, ASKED);
    start = clock_mono(&clock_system);
    put(db, 0, ASKED);
    report("2000 changed verdicts", start, ASKED);
    archive(db, dir);
    transcript_db_close(db);
    (void)printf("left in %s\n", dir);
    return 0;
}
