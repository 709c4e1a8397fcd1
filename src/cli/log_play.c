#include "cli/log_play.h"

#include "base/cleanup.h"
#include "pty/journal_files.h"

#include <errno.h>

enum { COLS = 80, ROWS = 24 }; /* of a terminal of which only output is left */

struct play {
    const struct log_sink *sink;
    void *user;
    struct tape_place place;
    bool begun, exited;
};

/* The screen that the oldest segment begins with, with the scrollback that it had then. */
static void begin(struct play *p, const char *dir, const struct journal_file *file, struct tape_place place) {
    AUTO(buf) struct buf saved = BUF_INIT(JOURNAL_FILES_SCREEN_MAX);
    struct tape_place at;
    struct vt *vt;
    if (!file->screen || journal_files_read_screen(dir, file->number, &at, &saved) < 0 ||
        vt_load(buf_span(&saved), NULL, NULL, &vt, NULL) < 0)
        vt = vt_new(COLS, ROWS, VT_SCROLLBACK, NULL, NULL);
    p->begun = true;
    p->place = place;
    p->sink->begin(p->user, vt);
}

static void go_to(struct play *p, struct tape_place place) {
    if (place.epoch != p->place.epoch) {
        p->exited = false;
        p->sink->restart(p->user);
    } else if (place.offset != p->place.offset) {
        p->sink->gap(p->user);
    }
    p->place = place;
}

static void play_record(struct play *p, const struct tape_record *record) {
    switch (record->kind) {
    case TAPE_OUTPUT: p->sink->output(p->user, record->bytes); break;
    case TAPE_RESIZED: p->sink->resized(p->user, record->cols, record->rows); break;
    case TAPE_GAP: p->sink->gap(p->user); break;
    case TAPE_EXITED: p->exited = true; break;
    }
}

static void play_segment(struct play *p, const char *dir, const struct journal_file *file) {
    AUTO(buf) struct buf bytes = BUF_INIT(JOURNAL_FILES_SEGMENT_MAX);
    struct tape_reader reader;
    struct tape_record record;
    if (journal_files_read(dir, file->number, &bytes) < 0 || tape_open(&reader, buf_span(&bytes)) < 0) return;
    if (!p->begun) begin(p, dir, file, reader.place);
    go_to(p, reader.place);
    while (tape_next(&reader, &record))
        play_record(p, &record);
    p->place = reader.place;
}

int log_play(const char *dir, const struct log_sink *sink, void *user, struct tape_place *ret_place,
             bool *ret_exited, struct err *err) {
    AUTO(journal_files) struct journal_files files = {0};
    struct play p = {.sink = sink, .user = user};
    int r = journal_files_list(dir, &files);
    if (r < 0 && r != -ENOENT) return err_sys(err, r, "cannot read %s", dir);
    for (size_t i = 0; i < files.n; i++)
        play_segment(&p, dir, &files.v[i]);
    if (!p.begun) return err_set(err, -ENOENT, "it has printed nothing that is kept");
    *ret_place = p.place;
    *ret_exited = p.exited;
    return 0;
}
