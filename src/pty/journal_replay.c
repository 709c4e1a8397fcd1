#include "pty/journal_replay.h"

#include "base/cleanup.h"
#include "pty/journal.h"

#include <errno.h>

enum { COLS = 80, ROWS = 24 }; /* of a terminal of which only output is left */

static bool readable(struct journal_replay *replay, int r) {
    if (journal_files_busy(r)) replay->busy = r;
    return r == 0;
}

/* The screen at a segment's beginning, if there is one that is whole. */
static bool load_screen(const char *dir, const struct journal_file *file, struct journal_replay *replay) {
    if (!file->screen) return false;
    AUTO(buf) struct buf saved = BUF_INIT(JOURNAL_FILES_SCREEN_MAX);
    struct tape_place place;
    if (!readable(replay, journal_files_read_screen(dir, file->number, &place, &saved))) return false;
    if (vt_load(buf_span(&saved), NULL, NULL, &replay->vt, NULL) < 0) return false;
    vt_set_answering(replay->vt, false);
    replay->place = place;
    return true;
}

static void remember(struct buf *recent, struct span bytes) {
    if (!recent) return;
    if (recent->n + bytes.n > recent->cap) {
        size_t drop = recent->n + bytes.n - JOURNAL_RECENT_BYTES;
        buf_consume(recent, MIN(drop, recent->n));
    }
    (void)buf_append_span(recent, bytes);
}

static void forget(struct buf *recent) {
    if (recent) buf_clear(recent);
}

/* Goes to where a segment begins: right behind the one before, unless something is missing. */
static void go_to(struct journal_replay *replay, struct tape_place place) {
    if (place.epoch != replay->place.epoch) {
        vt_restart(replay->vt);
        replay->exited = false;
        forget(replay->recent);
    } else if (place.offset != replay->place.offset) {
        vt_gap(replay->vt);
        forget(replay->recent);
    }
    replay->place = place;
}

static void play(struct journal_replay *replay, const struct tape_record *record) {
    switch (record->kind) {
    case TAPE_OUTPUT:
        vt_feed(replay->vt, record->bytes.p, record->bytes.n);
        remember(replay->recent, record->bytes);
        break;
    case TAPE_RESIZED: vt_resize(replay->vt, record->cols, record->rows); break;
    case TAPE_GAP:
        vt_gap(replay->vt);
        forget(replay->recent);
        break;
    case TAPE_EXITED:
        replay->exited = true;
        replay->exit = *record;
        break;
    }
}

static bool play_segment(const char *dir, uint64_t number, struct journal_replay *replay) {
    AUTO(buf) struct buf file = BUF_INIT(JOURNAL_FILES_SEGMENT_MAX);
    struct tape_reader reader;
    struct tape_record record;
    if (!readable(replay, journal_files_read(dir, number, &file)) || tape_open(&reader, buf_span(&file)) < 0)
        return false;
    go_to(replay, reader.place);
    while (tape_next(&reader, &record))
        play(replay, &record);
    replay->place = reader.place;
    return true;
}

int journal_replay(const char *dir, const struct journal_files *files, size_t end, unsigned scrollback,
                   struct journal_replay *replay) {
    size_t from = end;
    bool found = false;
    while (from > 0 && !found)
        found = load_screen(dir, &files->v[--from], replay);
    if (!found) replay->vt = vt_new(COLS, ROWS, scrollback, NULL, NULL);
    if (!found) vt_set_answering(replay->vt, false);
    for (size_t i = from; i < end; i++)
        found |= play_segment(dir, files->v[i].number, replay);
    if (found && !replay->busy) return 0;
    vt_free(replay->vt);
    replay->vt = NULL;
    return replay->busy ? replay->busy : -ENOENT;
}
