#include "pty/journal_late.h"

#include "base/cleanup.h"
#include "pty/journal_files.h"
#include "term/redact_screen.h"
#include "term/tape.h"

#include <stdlib.h>

/* Output in the memory of a segment. */
struct piece {
    uint64_t offset;
    char *bytes;
    size_t n;
    bool changed;
};

static int by_offset(const void *a, const void *b) {
    const struct redact_late *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* The bytes of the stream from `offset` on, one pointer each: a character may lie in two records, for example when the terminal was
 * resized before all of it had come. False when one of them is not there. */
static bool locate(const struct piece *p, const struct piece *end, uint64_t offset, uint8_t n, char *ret[]) {
    for (uint8_t i = 0; i < n; i++) {
        while (p < end && p->offset + p->n <= offset + i)
            p++;
        if (p == end || p->offset > offset + i) return false;
        ret[i] = p->bytes + (offset + i - p->offset);
    }
    return true;
}

/* True when it was there as it was seen. */
static bool mask(struct piece *p, const struct piece *end, const struct redact_late *l) {
    char *at[sizeof l->before];
    if (l->n > sizeof l->before || !locate(p, end, l->offset, l->n, at)) return false;
    for (uint8_t i = 0; i < l->n; i++)
        if (*at[i] != l->before[i]) return false;
    for (uint8_t i = 0; i < l->n; i++) {
        *at[i] = l->after[i];
        while (p->offset + p->n <= l->offset + i)
            p++;
        p->changed = true;
    }
    return l->n > 0;
}

/* Which records are output. The segment ends behind the last whole one. */
static int find_pieces(struct buf *file, struct buf *ret) {
    struct tape_reader reader;
    struct tape_record record;
    int r = tape_open(&reader, buf_span(file));
    while (r == 0 && tape_next(&reader, &record)) {
        if (record.kind != TAPE_OUTPUT) continue;
        char *bytes = file->p + (record.bytes.p - file->p); /* of our own copy */
        struct piece piece = {.offset = record.offset, .bytes = bytes, .n = record.bytes.n};
        r = buf_append(ret, &piece, sizeof piece);
    }
    if (r == 0) file->n = reader.whole;
    return r;
}

int journal_late_mask(struct buf *file, struct buf *late) {
    AUTO(buf) struct buf pieces = BUF_INIT(2 * JOURNAL_FILES_SEGMENT_MAX);
    int r = find_pieces(file, &pieces), n = 0;
    if (r < 0 || !pieces.n || !late->n) return r;
    struct piece *first = (struct piece *)(void *)pieces.p, *p = first;
    const struct piece *end = first + pieces.n / sizeof *first;
    qsort(late->p, late->n / sizeof(struct redact_late), sizeof(struct redact_late), by_offset);
    for (size_t at = 0; at < late->n; at += sizeof(struct redact_late)) {
        struct redact_late l;
        memcpy(&l, late->p + at, sizeof l);
        while (p < end && p->offset + p->n <= l.offset)
            p++;
        n += mask(p, end, &l);
    }
    for (p = first; p < end; p++)
        if (p->changed) tape_seal(p->bytes);
    return n;
}

int journal_late_write(const char *dir, uint64_t number, struct buf *late, uint64_t *ret_size,
                       struct err *err) {
    AUTO(buf) struct buf file = BUF_INIT(JOURNAL_FILES_SEGMENT_MAX);
    int r = journal_files_read(dir, number, &file);
    if (r == 0) r = journal_late_mask(&file, late);
    if (r < 0) return err_sys(err, r, "Segment %llu in %s cannot be masked", (unsigned long long)number, dir);
    if (!r) return 0;
    *ret_size = file.n;
    return journal_files_write(dir, number, "seg", buf_span(&file), err);
}
