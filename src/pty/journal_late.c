#include "pty/journal_late.h"

#include "base/cleanup.h"
#include "pty/journal_files.h"
#include "term/redact_screen.h"
#include "term/tape.h"

#include <errno.h>
#include <stdlib.h>

static int by_offset(const void *a, const void *b) {
    const struct redact_late *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Masks what is in one record. `*at` goes on to what lies behind it. */
static size_t mask_record(const struct tape_record *record, const struct buf *late, size_t *at) {
    size_t masked = 0;
    for (; *at < late->n; *at += sizeof(struct redact_late)) {
        struct redact_late l;
        memcpy(&l, late->p + *at, sizeof l);
        if (l.offset >= record->offset + record->bytes.n) break;
        if (l.offset < record->offset || l.offset + l.n > record->offset + record->bytes.n) continue;
        char *to = (char *)record->bytes.p + (l.offset - record->offset); /* of a copy of the file */
        if (memcmp(to, l.before, l.n) != 0) continue;
        memcpy(to, l.after, l.n);
        masked++;
    }
    return masked;
}

int journal_late_write(const char *dir, uint64_t number, struct buf *late, uint64_t *ret_size,
                       struct err *err) {
    AUTO(buf) struct buf file = BUF_INIT(JOURNAL_FILES_SEGMENT_MAX);
    AUTO(buf) struct buf masked = BUF_INIT(JOURNAL_FILES_SEGMENT_MAX);
    struct tape_reader reader;
    struct tape_record record;
    size_t n = 0, at = 0;
    int r = journal_files_read(dir, number, &file);
    if (r == 0) r = tape_open(&reader, buf_span(&file));
    if (r == 0) r = tape_begin(&masked, reader.place);
    qsort(late->p, late->n / sizeof(struct redact_late), sizeof(struct redact_late), by_offset);
    while (r == 0 && tape_next(&reader, &record)) {
        if (record.kind == TAPE_OUTPUT) n += mask_record(&record, late, &at);
        r = tape_put(&masked, &record);
    }
    if (r < 0) return err_sys(err, r, "Segment %llu in %s cannot be masked", (unsigned long long)number, dir);
    if (!n) return 0;
    *ret_size = masked.n;
    return journal_files_write(dir, number, "seg", buf_span(&masked), err);
}
