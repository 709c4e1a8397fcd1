#include "pty/journal_tidy.h"

#include "base/cleanup.h"
#include "base/own.h"
#include "pty/journal.h"
#include "pty/journal_replay.h"

#include <errno.h>
#include <fcntl.h>

enum {
    SCREEN_LEVEL = 1,
    SEGMENT_LEVEL = 1,
    SEGMENTS_MAX = 256, /* one that is started over and over makes small ones */
};

static void remove_file(const char *dir, uint64_t number, const char *suffix) {
    char path[PATH_BYTES];
    if (journal_files_path(path, dir, number, suffix) == 0) (void)unlink(path);
}

static int sync_segment(const char *dir, uint64_t number, struct err *err) {
    char path[PATH_BYTES];
    int r = journal_files_path(path, dir, number, "seg");
    AUTO(fd) int fd = r < 0 ? r : own_open(path, O_RDONLY, 0);
    return fd < 0 || fdatasync(fd) < 0 ? err_sys(err, fd < 0 ? fd : -errno, "%s cannot be written", path) : 0;
}

/* The screen behind the segments before files->v[end], for the one with this number. */
static int make_screen(const char *dir, const struct journal_files *files, size_t end, uint64_t number,
                       struct err *err) {
    struct journal_replay replay = {0};
    AUTO(buf) struct buf saved = BUF_INIT(JOURNAL_FILES_SCREEN_MAX);
    AUTO(buf) struct buf packed = BUF_INIT(JOURNAL_FILES_SCREEN_MAX);
    int r = journal_replay(dir, files, end, VT_SCROLLBACK, &replay);
    if (r < 0) return r == -ENOENT ? 0 : err_sys(err, r, "The journal in %s cannot be read", dir);
    vt_save(replay.vt, &saved);
    vt_free(replay.vt);
    r = saved.failed ? -ENOBUFS : journal_files_pack(buf_span(&saved), SCREEN_LEVEL, &packed);
    if (r < 0) return err_sys(err, r, "The screen is too large for the journal in %s", dir);
    return journal_files_write_screen(dir, number, replay.place, buf_span(&packed), err);
}

/* What is packed must be on the disk before the plain file goes. */
static int pack_segment(const char *dir, uint64_t number, struct err *err) {
    AUTO(buf) struct buf plain = BUF_INIT(JOURNAL_FILES_SEGMENT_MAX);
    AUTO(buf) struct buf packed = BUF_INIT(2 * JOURNAL_FILES_SEGMENT_MAX);
    int r = journal_files_read(dir, number, &plain);
    if (r == 0) r = journal_files_pack(buf_span(&plain), SEGMENT_LEVEL, &packed);
    if (r < 0) return err_sys(err, r, "Segment %llu in %s cannot be packed", (unsigned long long)number, dir);
    r = journal_files_write(dir, number, "seg.zst", buf_span(&packed), err);
    if (r == 0) remove_file(dir, number, "seg");
    return r;
}

static void remove_segment(const char *dir, uint64_t number) {
    remove_file(dir, number, "seg");
    remove_file(dir, number, "seg.zst");
    remove_file(dir, number, "screen");
}

/* From the newest back, until there is enough. */
static void drop_oldest(const char *dir, const struct journal_files *files) {
    uint64_t bytes = 0;
    size_t kept = 0;
    for (size_t i = files->n; i > 0; i--) {
        uint64_t number = files->v[i - 1].number;
        bytes += journal_files_size(dir, number);
        if (kept && (bytes > JOURNAL_CAP_BYTES || kept == SEGMENTS_MAX))
            remove_segment(dir, number);
        else
            kept++;
    }
}

int journal_tidy(const char *dir, uint64_t open, struct err *err) {
    AUTO(journal_files) struct journal_files files = {0};
    int r = journal_files_list(dir, &files);
    if (r < 0) return err_sys(err, r, "%s cannot be read", dir);
    for (size_t i = 0; i < files.n && files.v[i].number < open; i++) {
        uint64_t next = i + 1 < files.n ? files.v[i + 1].number : open;
        bool has_screen = i + 1 < files.n && files.v[i + 1].screen;
        remove_file(dir, files.v[i].number, "screen.new"); /* broken off */
        remove_file(dir, files.v[i].number, "seg.zst.new");
        if (files.v[i].plain) r = sync_segment(dir, files.v[i].number, err);
        if (r == 0 && !has_screen) r = make_screen(dir, &files, i + 1, next, err);
        if (r == 0 && i + 1 < files.n) files.v[i + 1].screen = true;
        if (r == 0 && files.v[i].plain) r = pack_segment(dir, files.v[i].number, err);
        if (r < 0) return r;
    }
    drop_oldest(dir, &files);
    return 0;
}
