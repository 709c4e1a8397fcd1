/* A journal in many segments. */
#include "desk.h"

#include "pty/journal_files.h"
#include "pty/journal_tidy.h"

#include <errno.h>
#include <fcntl.h>

static bool there(const char *dir, uint64_t number, const char *suffix) {
    char path[PATH_BYTES];
    CHECK_INT(journal_files_path(path, dir, number, suffix), 0);
    return access(path, F_OK) == 0;
}

TEST(finished_segments_are_put_in_order) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct desk d;
    struct vt *expected = vt_new(100, 30, 500, NULL, NULL);
    desk_open(&d, t.path);
    journal_begin(d.j, 1, expected);
    uint64_t offset = 0;
    while (offset < 2 * JOURNAL_SEGMENT_BYTES + 1000000) {
        AUTO(buf) struct buf bytes = BUF_INIT(1 << 20);
        size_t n = 2000 * DESK_LINE_BYTES;
        desk_output(&bytes, offset, n);
        journal_append(d.j, offset, buf_span(&bytes));
        vt_feed(expected, bytes.p, bytes.n);
        offset += n;
        desk_await(&d, offset);
    }
    while (!there(t.path, 3, "screen") || there(t.path, 2, "seg"))
        desk_turn(&d);
    desk_close(&d);
    CHECK(there(t.path, 1, "seg.zst") && there(t.path, 2, "seg.zst") && there(t.path, 2, "screen"));
    CHECK(!there(t.path, 1, "seg") && there(t.path, 3, "seg"));

    struct journal_tail tail;
    CHECK_INT(journal_load(t.path, 500, &tail, NULL), 0);
    CHECK_INT(tail.offset, offset);
    CHECK_INT(tail.recent.n, JOURNAL_RECENT_BYTES); /* it reaches back into the segment before */
    desk_check(buf_span(&tail.recent), offset - tail.recent.n);
    desk_same_screen(tail.vt, expected);
    journal_tail_fini(&tail);

    uint64_t epoch, oldest, newest;
    CHECK_INT(journal_range(t.path, &epoch, &oldest, &newest), 0);
    CHECK_INT(oldest, 0);
    CHECK_INT(newest, offset);
    AUTO(buf) struct buf bytes = BUF_INIT(1 << 24);
    for (uint64_t at = 0; at < offset; at += 999999) { /* across the segments' borders too */
        buf_clear(&bytes);
        CHECK_INT(journal_read(t.path, 1, at, 1234567, &bytes), 0);
        CHECK_INT(bytes.n, MIN(offset - at, 1234567));
        desk_check(buf_span(&bytes), at);
    }

    /* Screens that are missing, or torn, are made up for by playing more; tidying makes them again. */
    char path[PATH_BYTES];
    CHECK_INT(journal_files_path(path, t.path, 3, "screen"), 0);
    CHECK_INT(truncate(path, 100), 0);
    CHECK_INT(journal_load(t.path, 500, &tail, NULL), 0);
    CHECK_INT(tail.offset, offset);
    desk_same_screen(tail.vt, expected);
    journal_tail_fini(&tail);
    CHECK_INT(unlink(path), 0);
    CHECK_INT(journal_tidy(t.path, 3, NULL), 0);
    CHECK(there(t.path, 3, "screen"));
    CHECK_INT(journal_load(t.path, 500, &tail, NULL), 0);
    desk_same_screen(tail.vt, expected);
    journal_tail_fini(&tail);
    vt_free(expected);
}

/* A finished segment of `n` bytes, with a screen. */
static void make_segment(const char *dir, uint64_t number, struct tape_place place, size_t n,
                         const struct vt *vt) {
    AUTO(buf) struct buf file = BUF_INIT(1 << 24);
    AUTO(buf) struct buf saved = BUF_INIT(1 << 24);
    AUTO(buf) struct buf packed = BUF_INIT(1 << 24);
    AUTO(free) char *bytes = xcalloc(1, n);
    CHECK_INT(tape_begin(&file, place), 0);
    CHECK_INT(
        tape_put(&file,
                 &(struct tape_record){.kind = TAPE_OUTPUT, .offset = place.offset, .bytes = {bytes, n}}),
        0);
    CHECK_INT(journal_files_write(dir, number, "seg", buf_span(&file), NULL), 0);
    vt_save(vt, &saved);
    CHECK_INT(journal_files_pack(buf_span(&saved), 1, &packed), 0);
    CHECK_INT(journal_files_write_screen(dir, number, place, buf_span(&packed), NULL), 0);
}

TEST(past_the_cap_the_oldest_go) {
    enum { SEGMENTS = JOURNAL_CAP_BYTES / JOURNAL_SEGMENT_BYTES + 4 };
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct vt *vt = vt_new(10, 5, 0, NULL, NULL);
    uint64_t offset = 0;
    for (uint64_t number = 1; number <= SEGMENTS; number++) {
        make_segment(t.path, number, (struct tape_place){1, offset}, JOURNAL_SEGMENT_BYTES, vt);
        offset += JOURNAL_SEGMENT_BYTES;
    }
    vt_free(vt);
    CHECK_INT(journal_tidy(t.path, SEGMENTS, NULL), 0);
    CHECK(!there(t.path, 4, "seg.zst") && !there(t.path, 4, "screen"));
    CHECK(there(t.path, 6, "seg.zst") && there(t.path, 6, "screen"));
    CHECK(there(t.path, SEGMENTS, "seg")); /* the one that is written */
    uint64_t epoch, oldest, newest;
    CHECK_INT(journal_range(t.path, &epoch, &oldest, &newest), 0);
    CHECK_INT(newest, offset);
    CHECK(newest - oldest <= JOURNAL_CAP_BYTES &&
          newest - oldest > JOURNAL_CAP_BYTES - 2 * JOURNAL_SEGMENT_BYTES);
    AUTO(buf) struct buf bytes = BUF_INIT(1 << 20);
    CHECK_INT(journal_read(t.path, 1, oldest - 1, 10, &bytes), -ENOENT);
    CHECK_INT(journal_read(t.path, 1, oldest, 10, &bytes), 0);
}

TEST(tidying_can_be_broken_off_anywhere) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct vt *vt = vt_new(10, 5, 0, NULL, NULL);
    make_segment(t.path, 1, (struct tape_place){1, 0}, 1000, vt);
    make_segment(t.path, 2, (struct tape_place){1, 1000}, 1000, vt);
    vt_free(vt);
    /* Packed, but the plain one is still there; and files that were being written. */
    CHECK_INT(journal_files_write(t.path, 1, "seg.zst", SPAN("rubbish"), NULL), 0);
    CHECK_INT(journal_files_write(t.path, 1, "screen.new", SPAN("rubbish"), NULL), 0);
    uint64_t epoch, oldest, newest;
    CHECK_INT(journal_range(t.path, &epoch, &oldest, &newest), 0);
    CHECK_INT(oldest, 0);
    CHECK_INT(journal_tidy(t.path, 2, NULL), 0);
    CHECK(!there(t.path, 1, "seg") && !there(t.path, 1, "screen.new"));
    CHECK_INT(journal_range(t.path, &epoch, &oldest, &newest), 0);
    CHECK_INT(oldest, 0);
    CHECK_INT(newest, 2000);
}

TESTS(RUN(finished_segments_are_put_in_order), RUN(past_the_cap_the_oldest_go),
      RUN(tidying_can_be_broken_off_anywhere))
