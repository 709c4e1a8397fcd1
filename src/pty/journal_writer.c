#include "pty/journal_writer.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/own.h"
#include "pty/journal.h"
#include "pty/journal_files.h"
#include "pty/journal_late.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

enum {
    OUT_BYTES_MAX = 64 << 20,
    FILE_BYTES_MAX = 2 * JOURNAL_SEGMENT_BYTES, /* many small records */
    SCREEN_LEVEL = 1,
    COLS = 80,
    ROWS = 24,                /* of a terminal whose size was never said */
    LATE_BYTES_MAX = 1 << 18, /* of places to be masked */
    PAST_BYTES = 64 << 10,    /* that the redaction is shown when it goes on behind them */
};

void journal_writer_init(struct journal_writer *w, const char *dir, const struct redact_set *set) {
    *w = (struct journal_writer){.dir = xstrdup(dir), .set = set, .fd = -1};
    w->out = w->clear = w->screen = w->sizes = BUF_INIT(OUT_BYTES_MAX);
    w->late = BUF_INIT(LATE_BYTES_MAX);
}

static void close_segment(struct journal_writer *w) {
    if (w->fd >= 0) (void)close(w->fd);
    w->fd = -1;
}

void journal_writer_fini(struct journal_writer *w) {
    close_segment(w);
    redact_free(w->redact);
    redact_screen_free(w->drawn);
    buf_fini(&w->late);
    buf_fini(&w->out);
    buf_fini(&w->clear);
    buf_fini(&w->screen);
    buf_fini(&w->sizes);
    free(w->dir);
}

static void go_to(struct journal_writer *w, struct tape_place place) {
    w->place = place;
    w->done = w->queued = w->fed = place.offset;
}

static void forget_redaction(struct journal_writer *w) {
    redact_free(w->redact);
    redact_screen_free(w->drawn);
    w->redact = NULL;
    w->drawn = NULL;
}

static void set_size(struct journal_writer *w, unsigned cols, unsigned rows) {
    w->cols = cols;
    w->rows = rows;
    if (w->drawn) redact_screen_resize(w->drawn, cols, rows);
}

/* What the redaction let through is drawn; what is then seen to be secret is masked, there or later in the file. */
static void draw(struct journal_writer *w, uint64_t offset, struct buf *clear, bool moved) {
    if (!w->drawn) w->drawn = redact_screen_new(w->set, w->cols ? w->cols : COLS, w->rows ? w->rows : ROWS);
    redact_screen_feed(w->drawn, offset, clear, moved, &w->late);
}

/* Where a segment ends; the redaction sees its last bytes, so that it knows in what it goes on. */
static int survey(struct journal_writer *w, uint64_t number, struct tape_reader *reader) {
    AUTO(buf) struct buf file = BUF_INIT(JOURNAL_FILES_SEGMENT_MAX);
    struct tape_record record;
    int r = journal_files_read(w->dir, number, &file);
    if (r == 0) r = tape_open(reader, buf_span(&file));
    if (r < 0) return r;
    AUTO(buf) struct buf past = BUF_INIT(TAPE_OUTPUT_BYTES_MAX + PAST_BYTES);
    w->output_bytes = 0;
    while (tape_next(reader, &record)) {
        w->output_bytes += record.bytes.n;
        if (record.kind == TAPE_GAP) buf_clear(&past);
        if (record.kind == TAPE_RESIZED) set_size(w, record.cols, record.rows);
        if (past.n > PAST_BYTES) buf_consume(&past, past.n - PAST_BYTES);
        (void)buf_append_span(&past, record.bytes);
    }
    if (past.n > PAST_BYTES) buf_consume(&past, past.n - PAST_BYTES);
    w->redact = redact_new(w->set);
    redact_resume(w->redact, buf_span(&past));
    (void)redact_moved(w->redact);
    draw(w, reader->place.offset - past.n, &past, true);
    return 0;
}

static int cut(const struct journal_writer *w, size_t whole) {
    char path[PATH_BYTES];
    int r = journal_files_path(path, w->dir, w->number, "seg");
    AUTO(fd) int fd = r < 0 ? r : own_open(path, O_WRONLY, 0);
    if (fd < 0) return fd;
    return ftruncate(fd, (off_t)whole) < 0 ? -errno : 0;
}

/* The newest segment goes on if it can. If it cannot be read, another one begins where the last whole thing ends: a segment, or
 * the screen at the beginning of one. */
static int go_on(struct journal_writer *w, const struct journal_files *files) {
    struct tape_reader reader;
    for (size_t i = files->n; i > 0; i--) {
        const struct journal_file *f = &files->v[i - 1];
        AUTO(buf) struct buf screen = BUF_INIT(JOURNAL_FILES_SCREEN_MAX);
        int r = survey(w, f->number, &reader);
        if (journal_files_busy(r)) return r;
        if (r == 0) {
            go_to(w, reader.place);
            w->file_bytes = reader.whole;
            w->started = i == files->n && f->plain && !f->packed;
            return w->started && reader.torn ? cut(w, reader.whole) : 0;
        }
        struct tape_place place;
        if (f->screen && journal_files_read_screen(w->dir, f->number, &place, &screen) == 0) {
            go_to(w, place);
            return 0;
        }
    }
    return 0;
}

int journal_writer_open(struct journal_writer *w, struct err *err) {
    if (w->opened) return 0;
    AUTO(journal_files) struct journal_files files = {0};
    int r = journal_files_list(w->dir, &files);
    if (r == 0 && files.n) {
        w->number = files.v[files.n - 1].number;
        r = go_on(w, &files);
        if (!w->started) w->number++;
    }
    if (r < 0 && r != -ENOENT) return err_sys(err, r, "The journal in %s cannot be read", w->dir);
    w->opened = true;
    return 0;
}

void journal_writer_open_blind(struct journal_writer *w) {
    w->opened = w->blind = true;
}

/* Behind whatever there is. */
static int find_number(struct journal_writer *w) {
    AUTO(journal_files) struct journal_files files = {0};
    int r = journal_files_list(w->dir, &files);
    if (r < 0) return r;
    if (files.n) w->number = files.v[files.n - 1].number + 1;
    w->blind = false;
    return 0;
}

static void put(struct journal_writer *w, struct tape_record record) {
    (void)tape_put(&w->out, &record);
    if (record.kind == TAPE_RESIZED) w->size = record;
    if (record.kind == TAPE_EXITED) w->exit = record;
}

/* What the redaction has let through becomes records, with the resizes where they belong. */
static void put_output(struct journal_writer *w, struct span clear) {
    size_t done = 0;
    for (; done < w->sizes.n; done += sizeof(struct tape_record)) {
        struct tape_record size;
        memcpy(&size, w->sizes.p + done, sizeof size);
        if (size.offset > w->queued + clear.n) break;
        struct span before = span_take(clear, (size_t)(size.offset - w->queued));
        put(w, (struct tape_record){.kind = TAPE_OUTPUT, .offset = w->queued, .bytes = before});
        put(w, size);
        w->queued += before.n;
        clear = span_skip(clear, before.n);
    }
    if (done) buf_consume(&w->sizes, done);
    put(w, (struct tape_record){.kind = TAPE_OUTPUT, .offset = w->queued, .bytes = clear});
    w->queued += clear.n;
}

static void redact_and_put(struct journal_writer *w, struct span bytes, bool flush) {
    struct buf *clear = &w->clear;
    if (!w->redact) w->redact = redact_new(w->set);
    if (bytes.n) (void)redact_feed(w->redact, bytes, clear);
    if (flush) (void)redact_flush(w->redact, clear);
    w->fed += bytes.n;
    draw(w, w->queued, clear, redact_moved(w->redact));
    put_output(w, buf_span(clear));
    buf_clear(clear);
}

static void take_gap(struct journal_writer *w, uint64_t to) {
    if (to <= w->fed) return;
    redact_and_put(w, SPAN_NONE, true);
    forget_redaction(w);
    put(w, (struct tape_record){.kind = TAPE_GAP, .offset = w->queued, .to = to});
    w->queued = w->fed = to;
}

static void take_output(struct journal_writer *w, uint64_t offset, struct span bytes) {
    take_gap(w, offset);
    redact_and_put(w, span_skip(bytes, (size_t)MIN(w->fed - offset, (uint64_t)bytes.n)), false);
}

static void take_resize(struct journal_writer *w, struct tape_record size) {
    set_size(w, size.cols, size.rows);
    size.offset = w->fed;
    if (w->fed == w->queued)
        put(w, size);
    else
        (void)buf_append(&w->sizes, &size, sizeof size);
}

static void take_exit(struct journal_writer *w, struct tape_record how) {
    redact_and_put(w, SPAN_NONE, true);
    how.offset = w->queued;
    put(w, how);
}

/* Another incarnation, in a segment of its own. Of the one before nothing more can come: what could not be written is lost. */
static void take_begin(struct journal_writer *w, const struct journal_op *op) {
    (void)journal_writer_write(w, NULL);
    close_segment(w);
    buf_clear(&w->out);
    buf_clear(&w->sizes);
    buf_clear(&w->screen);
    buf_clear(&w->late);
    forget_redaction(w);
    if (op->bytes.n && !op->bytes.failed)
        (void)journal_files_pack(buf_span(&op->bytes), SCREEN_LEVEL, &w->screen);
    if (w->started || !w->number) w->number++;
    w->started = false;
    w->size.kind = w->exit.kind = 0;
    go_to(w, (struct tape_place){op->epoch, 0});
}

void journal_writer_take(struct journal_writer *w, const struct journal_op *op) {
    if (op->begins) {
        take_begin(w, op);
        return;
    }
    switch (op->record.kind) {
    case TAPE_OUTPUT: take_output(w, op->record.offset, buf_span(&op->bytes)); break;
    case TAPE_RESIZED: take_resize(w, op->record); break;
    case TAPE_GAP: take_gap(w, op->record.to); break;
    case TAPE_EXITED: take_exit(w, op->record); break;
    }
}

static int open_segment(struct journal_writer *w, int flags) {
    char path[PATH_BYTES];
    int r = journal_files_path(path, w->dir, w->number, "seg");
    if (r < 0) return r;
    r = own_open(path, O_WRONLY | O_APPEND | flags, 0600);
    w->fd = MAX(r, -1);
    return MIN(r, 0);
}

/* All of it or nothing. */
static int append(struct journal_writer *w, struct span bytes) {
    ssize_t n;
    do {
        n = write(w->fd, bytes.p, bytes.n);
    } while (n < 0 && errno == EINTR);
    if (n == (ssize_t)bytes.n) {
        w->file_bytes += bytes.n;
        w->dirty = true;
        return 0;
    }
    int r = n < 0 ? -errno : -ENOSPC;
    if (n > 0 && ftruncate(w->fd, (off_t)w->file_bytes) < 0) r = -errno;
    return r;
}

static int start_segment(struct journal_writer *w, struct err *err) {
    int r = path_make_dirs(w->dir);
    if (r == 0 && w->blind) r = find_number(w);
    if (r < 0) return err_sys(err, r, "%s cannot be made", w->dir);
    if (!w->number) w->number = 1;
    if (w->screen.n) r = journal_files_write_screen(w->dir, w->number, w->place, buf_span(&w->screen), err);
    if (r < 0) return r;
    AUTO(buf) struct buf head = BUF_INIT(TAPE_HEAD_BYTES);
    (void)tape_begin(&head, w->place);
    w->file_bytes = w->output_bytes = 0;
    r = open_segment(w, O_CREAT | O_TRUNC);
    if (r == 0) r = append(w, buf_span(&head));
    if (r < 0) close_segment(w);
    if (r < 0) return err_sys(err, r, "The journal in %s cannot be written", w->dir);
    buf_fini(&w->screen);
    w->started = true;
    return 0;
}

/* What the screen showed to be secret when it was in the newest segment already. What lies in older ones stays. */
static int write_late(struct journal_writer *w, struct err *err) {
    if (!w->late.n) return 0;
    close_segment(w);
    int r = w->started ? journal_late_write(w->dir, w->number, &w->late, &w->file_bytes, err) : 0;
    if (r == 0) buf_clear(&w->late);
    return r;
}

int journal_writer_write(struct journal_writer *w, struct err *err) {
    if (!w->out.n && !w->screen.n) return write_late(w, err);
    int r = w->started ? 0 : start_segment(w, err);
    if (r < 0) return r;
    if (w->fd < 0) r = open_segment(w, 0);
    if (r == 0) r = append(w, buf_span(&w->out));
    if (r < 0) return err_sys(err, r, "The journal in %s cannot be written", w->dir);
    w->output_bytes += w->queued - w->place.offset;
    w->place.offset = w->done = w->queued;
    w->size.kind = w->exit.kind = 0;
    buf_clear(&w->out);
    r = write_late(w, err);
    if (r < 0) return r;
    if (w->output_bytes >= JOURNAL_SEGMENT_BYTES || w->file_bytes >= FILE_BYTES_MAX) {
        close_segment(w); /* journal_tidy() makes it durable */
        w->started = w->dirty = false;
        w->number++;
    }
    return 0;
}

/* What it said about size and end is kept: it is small, and true. */
void journal_writer_give_up(struct journal_writer *w) {
    struct tape_record size = w->size, how = w->exit;
    buf_clear(&w->out);
    if (w->queued > w->place.offset)
        put(w, (struct tape_record){.kind = TAPE_GAP, .offset = w->place.offset, .to = w->queued});
    w->done = size.offset = how.offset = w->queued;
    if (size.kind) put(w, size);
    if (how.kind) put(w, how);
}

int journal_writer_sync(struct journal_writer *w, struct err *err) {
    if (!w->dirty || w->fd < 0) return 0;
    if (fdatasync(w->fd) < 0) return err_sys(err, -errno, "The journal in %s cannot be written", w->dir);
    w->dirty = false;
    return 0;
}

void journal_writer_rest(struct journal_writer *w) {
    if (w->dirty) return;
    close_segment(w);
    if (!w->out.n) buf_fini(&w->out);
    buf_fini(&w->clear);
    if (w->redact) redact_rest(w->redact);
    if (w->drawn) redact_screen_rest(w->drawn);
}

bool journal_writer_restless(const struct journal_writer *w) {
    return w->fd >= 0 || w->out.room > JOURNAL_REST_BYTES || w->clear.room > JOURNAL_REST_BYTES;
}
