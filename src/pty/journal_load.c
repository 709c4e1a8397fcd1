/* Reading a journal, from any thread, while it may be written. */
#include "base/cleanup.h"
#include "pty/journal.h"
#include "pty/journal_replay.h"

#include <errno.h>

/* A replay begins with a segment: what is missing before it is read from the one before, unless there is a gap. */
static void complete_recent(const char *dir, struct tape_place end, struct buf *recent) {
    if (recent->n >= JOURNAL_RECENT_BYTES || recent->n == end.offset) return;
    uint64_t begin = end.offset - recent->n;
    size_t missing = (size_t)MIN(begin, (uint64_t)(JOURNAL_RECENT_BYTES - recent->n));
    AUTO(buf) struct buf before = BUF_INIT(2 * JOURNAL_RECENT_BYTES);
    if (journal_read(dir, end.epoch, begin - missing, missing, &before) < 0 || before.n != missing) return;
    if (buf_append_span(&before, buf_span(recent)) < 0) return;
    struct buf shorter = *recent;
    *recent = before;
    before = shorter;
}

int journal_load(const char *dir, unsigned scrollback, struct journal_tail *ret, struct err *err) {
    AUTO(journal_files) struct journal_files files = {0};
    AUTO(buf) struct buf recent = BUF_INIT(2 * JOURNAL_RECENT_BYTES);
    struct journal_replay replay = {.recent = &recent};
    int r = journal_files_list(dir, &files);
    if (r == 0) r = journal_replay(dir, &files, files.n, scrollback, &replay);
    if (r == -ENOENT) return err_set(err, r, "There is no journal in %s.", dir);
    if (r < 0) return err_sys(err, r, "The journal in %s cannot be read", dir);
    complete_recent(dir, replay.place, &recent);
    if (recent.n > JOURNAL_RECENT_BYTES) buf_consume(&recent, recent.n - JOURNAL_RECENT_BYTES);
    *ret = (struct journal_tail){.epoch = replay.place.epoch,
                                 .offset = replay.place.offset,
                                 .vt = replay.vt,
                                 .recent = recent,
                                 .exited = replay.exited,
                                 .code = replay.exit.code,
                                 .signal = replay.exit.signal,
                                 .at_ms = replay.exit.at_ms};
    recent = BUF_INIT(0);
    return 0;
}

void journal_tail_fini(struct journal_tail *tail) {
    vt_free(tail->vt);
    buf_fini(&tail->recent);
    tail->vt = NULL;
}

/* Where a segment ends, as far as it is whole. */
static int end_of(const char *dir, uint64_t number, struct tape_place *ret) {
    AUTO(buf) struct buf file = BUF_INIT(JOURNAL_FILES_SEGMENT_MAX);
    struct tape_reader reader;
    struct tape_record record;
    int r = journal_files_read(dir, number, &file);
    if (r == 0) r = tape_open(&reader, buf_span(&file));
    if (r < 0) return r;
    while (tape_next(&reader, &record))
        ;
    *ret = reader.place;
    return 0;
}

int journal_range(const char *dir, uint64_t *ret_epoch, uint64_t *ret_oldest, uint64_t *ret_newest) {
    AUTO(journal_files) struct journal_files files = {0};
    int r = journal_files_list(dir, &files);
    if (r < 0) return r;
    struct tape_place newest, place;
    size_t i = files.n;
    for (r = -ENOENT; i > 0 && r < 0; i--)
        r = end_of(dir, files.v[i - 1].number, &newest);
    if (r < 0) return -ENOENT;
    uint64_t oldest = newest.offset;
    for (i++; i > 0; i--) {
        if (journal_files_place(dir, files.v[i - 1].number, &place) < 0) continue;
        if (place.epoch != newest.epoch) break;
        oldest = place.offset;
    }
    *ret_epoch = newest.epoch;
    *ret_oldest = oldest;
    *ret_newest = newest.offset;
    return 0;
}

/* Appends what a segment has from `*offset` on. False when that goes no further: a gap, damage, or enough. */
static bool read_segment(struct span file, uint64_t *offset, size_t *max, struct buf *out) {
    struct tape_reader reader;
    struct tape_record record;
    if (tape_open(&reader, file) < 0) return false;
    while (*max && tape_next(&reader, &record)) {
        if (record.kind == TAPE_GAP && record.to > *offset) return false;
        if (record.kind != TAPE_OUTPUT || record.offset + record.bytes.n <= *offset) continue;
        if (record.offset > *offset) return false;
        struct span part = span_take(span_skip(record.bytes, (size_t)(*offset - record.offset)), *max);
        if (buf_append_span(out, part) < 0) return false;
        *offset += part.n;
        *max -= part.n;
    }
    return *max > 0 && reader.place.offset == *offset;
}

int journal_read(const char *dir, uint64_t epoch, uint64_t offset, size_t max, struct buf *out) {
    AUTO(journal_files) struct journal_files files = {0};
    int r = journal_files_list(dir, &files);
    if (r < 0) return r;
    /* From the last one that begins at or before the offset. */
    struct tape_place place;
    size_t i = files.n;
    bool found = false;
    for (; i > 0 && !found; i--)
        found = journal_files_place(dir, files.v[i - 1].number, &place) == 0 && place.epoch == epoch &&
                place.offset <= offset;
    uint64_t at = offset;
    for (bool more = found; more && i < files.n; i++) {
        AUTO(buf) struct buf file = BUF_INIT(JOURNAL_FILES_SEGMENT_MAX);
        if (journal_files_read(dir, files.v[i].number, &file) < 0) continue;
        if (i + 1 < files.n && journal_files_place(dir, files.v[i].number, &place) == 0 &&
            place.epoch != epoch)
            break;
        more = read_segment(buf_span(&file), &at, &max, out);
    }
    return at > offset ? 0 : -ENOENT;
}
