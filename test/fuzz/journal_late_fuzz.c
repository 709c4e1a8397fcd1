/* A segment in which secrets are masked late. With an even first byte, the second says how many bytes name what is masked, and all others
 * are the segment, whatever they are. With an odd one they say what a segment is made of and what is masked in it, so that its checksums
 * are right. The outcome is compared with the stream byte by byte, and nothing but output is changed. */
#include "base/buf.h"
#include "base/cleanup.h"
#include "pty/journal_late.h"
#include "term/redact_screen.h"
#include "term/tape.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { FILE_BYTES_MAX = 1 << 20, STREAM_BYTES_MAX = 1 << 16, RECORDS_MAX = 1 << 12 };

/* The stream that a segment holds, as far as it is near the segment's beginning, and its records. */
struct content {
    uint64_t begin;
    uint8_t known[STREAM_BYTES_MAX];
    char bytes[STREAM_BYTES_MAX];
    struct tape_record v[RECORDS_MAX];
    size_t n, whole;
};

static uint8_t take(struct span *s) {
    uint8_t c = s->n ? (uint8_t)s->p[0] : 0;
    *s = span_skip(*s, 1);
    return c;
}

static bool read_content(struct span file, struct content *c) {
    struct tape_reader r;
    struct tape_record record;
    if (tape_open(&r, file) < 0) return false;
    memset(c, 0, sizeof *c);
    c->begin = r.place.offset;
    while (tape_next(&r, &record)) {
        for (size_t i = 0; i < record.bytes.n; i++) {
            uint64_t at = record.offset + i - c->begin;
            if (at >= STREAM_BYTES_MAX) break;
            c->known[at] = 1;
            c->bytes[at] = record.bytes.p[i];
        }
        if (c->n < RECORDS_MAX) c->v[c->n++] = record;
    }
    c->whole = r.whole;
    return true;
}

static void add_late(struct buf *late, uint64_t begin, struct span *s) {
    struct redact_late l = {.offset = begin + take(s), .n = take(s) % 6};
    for (size_t i = 0; i < sizeof l.before; i++)
        l.before[i] = (char)take(s);
    memset(l.after, '*', sizeof l.after);
    (void)buf_append(late, &l, sizeof l);
}

/* A segment and what is to be masked in it, as the bytes say. */
static void make(struct span s, struct buf *file, struct buf *late) {
    struct tape_place place = {.epoch = take(&s), .offset = take(&s)};
    uint64_t begin = place.offset;
    (void)tape_begin(file, place);
    while (s.n) {
        uint8_t what = take(&s), size = take(&s);
        struct tape_record record = {.kind = TAPE_OUTPUT, .offset = place.offset};
        switch (what % 6) {
        case 0: record.kind = TAPE_RESIZED, record.cols = size, record.rows = what; break;
        case 1: record.kind = TAPE_GAP, record.to = place.offset + 1 + size; break;
        case 2: record.kind = TAPE_EXITED, record.code = size; break;
        case 3: add_late(late, begin, &s); continue;
        default:
            record.bytes = span_take(s, 1 + size % 16);
            s = span_skip(s, record.bytes.n);
            if (!record.bytes.n) continue;
        }
        (void)tape_put(file, &record);
        place.offset = record.kind == TAPE_GAP ? record.to : place.offset + record.bytes.n;
        if (what >= 250 && file->n) file->p[size % file->n] ^= (char)(1 << size % 8); /* damage */
    }
}

/* The slow way: each in its place, in the order of their offsets, as they were left sorted. */
static int expect(struct content *c, const struct buf *late) {
    int masked = 0;
    for (size_t at = 0; at < late->n; at += sizeof(struct redact_late)) {
        struct redact_late l;
        memcpy(&l, late->p + at, sizeof l);
        uint64_t from = l.offset - c->begin;
        bool there = l.n > 0 && l.n <= sizeof l.before && from < STREAM_BYTES_MAX - sizeof l.before;
        for (size_t i = 0; there && i < l.n; i++)
            there = c->known[from + i] && c->bytes[from + i] == l.before[i];
        if (there) memcpy(c->bytes + from, l.after, l.n);
        masked += there;
    }
    return masked;
}

static void compare(const struct content *want, const struct content *got) {
    if (want->n != got->n || want->whole != got->whole || want->begin != got->begin) abort();
    if (memcmp(want->known, got->known, sizeof want->known) != 0) abort();
    if (memcmp(want->bytes, got->bytes, sizeof want->bytes) != 0) abort();
    for (size_t i = 0; i < want->n; i++) {
        const struct tape_record *a = &want->v[i], *b = &got->v[i];
        if (a->kind != b->kind || a->offset != b->offset || a->bytes.n != b->bytes.n || a->cols != b->cols ||
            a->rows != b->rows || a->to != b->to || a->code != b->code || a->at_ms != b->at_ms)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    static struct content before, after;
    AUTO(buf) struct buf file = BUF_INIT(FILE_BYTES_MAX);
    AUTO(buf) struct buf late = BUF_INIT(FILE_BYTES_MAX);
    struct span s = span_of((const char *)data, n);
    if (n > STREAM_BYTES_MAX / 2) return 0;
    if (take(&s) % 2) {
        make(s, &file, &late);
    } else {
        for (uint8_t lates = take(&s) % 16; lates; lates--)
            add_late(&late, 0, &s);
        (void)buf_append_span(&file, s);
    }
    AUTO(buf) struct buf copy = BUF_INIT(FILE_BYTES_MAX);
    (void)buf_append_span(&copy, buf_span(&file));
    bool readable = read_content(buf_span(&copy), &before);
    int masked = journal_late_mask(&file, &late);
    if (!readable) {
        if (masked >= 0 || !span_eq(buf_span(&file), buf_span(&copy))) abort();
        return 0;
    }
    if (masked < 0 || masked != expect(&before, &late)) abort();
    if (file.n != before.whole || !read_content(buf_span(&file), &after)) abort();
    compare(&before, &after);
    if (!masked && memcmp(file.p, copy.p, file.n) != 0) abort();
    return 0;
}
