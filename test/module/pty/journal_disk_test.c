/* A disk that is full: nothing waits for ever, nothing grows, and what is lost is said. */
#include "desk.h"

#include "small_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>

enum { MB = 1 << 20 };

static uint64_t append_lines(struct desk *d, uint64_t offset, size_t n) {
    uint64_t end = desk_line_end(offset + n);
    desk_append(d, offset, (size_t)(end - offset));
    return end;
}

/* Everything that the disk has room for goes into a file. */
static void fill_disk(const char *path) {
    static const char zeros[4096];
    AUTO(fd) int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    while (write(fd, zeros, sizeof zeros) > 0)
        ;
}

/* In a process of its own, because of the mount. */
static void on_a_small_disk(void (*run)(const char *dir)) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    pid_t child = fork();
    if (child == 0) {
        if (!small_disk_mount(t.path, "size=3m")) _exit(77);
        run(t.path);
        (void)umount2(t.path, MNT_DETACH);
        _exit(0);
    }
    int status;
    CHECK_INT(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77) skip();
    CHECK_INT(WEXITSTATUS(status), 0);
}

/* cmocka's checks do not work across a fork. */
static void need(bool condition, const char *what) {
    if (condition) return;
    (void)fprintf(stderr, "not so: %s\n", what);
    _exit(1);
}
#define NEED(condition) need(condition, #condition)

static void short_trouble(const char *disk) {
    char dir[PATH_BYTES], filler[PATH_BYTES];
    NEED(path_join(dir, disk, "journal") == 0 && path_join(filler, disk, "filler") == 0);
    struct desk d;
    desk_open(&d, dir);
    struct vt *vt = vt_new(80, 24, 100, NULL, NULL);
    journal_begin(d.j, 1, vt);
    vt_free(vt);
    uint64_t offset = append_lines(&d, 0, 100000);
    desk_await(&d, offset);
    NEED(!d.troubles);
    fill_disk(filler);
    uint64_t before = offset;
    offset = append_lines(&d, offset, 200000); /* fits into what may wait */
    while (!d.troubles)
        desk_turn(&d);
    NEED(strstr(d.trouble, "No space left"));
    NEED(d.written == before && journal_pending(d.j) >= 200000);
    NEED(unlink(filler) == 0);
    desk_await(&d, offset); /* it tries again by itself */
    NEED(d.recoveries == 1 && !d.trouble[0]);
    NEED(journal_pending(d.j) == 0);
    desk_close(&d);
    struct journal_tail tail;
    NEED(journal_load(dir, 100, &tail, NULL) == 0);
    NEED(tail.offset == offset && tail.recent.n == offset); /* nothing is missing */
    journal_tail_fini(&tail);
}

static void long_trouble(const char *disk) {
    char dir[PATH_BYTES], filler[PATH_BYTES];
    NEED(path_join(dir, disk, "journal") == 0 && path_join(filler, disk, "filler") == 0);
    struct desk d;
    desk_open(&d, dir);
    struct vt *vt = vt_new(80, 24, 100, NULL, NULL);
    journal_begin(d.j, 1, vt);
    vt_free(vt);
    uint64_t offset = append_lines(&d, 0, 100000);
    desk_await(&d, offset);
    fill_disk(filler);
    uint64_t lost_from = offset;
    for (int i = 0; i < 200; i++) { /* 20 MB; whoever reads the terminal stops while too much waits */
        offset = append_lines(&d, offset, 100000);
        while (journal_pending(d.j) >= JOURNAL_PENDING_BYTES)
            desk_turn(&d);
    }
    NEED(d.troubles == 1 && !d.recoveries);
    NEED(d.written > lost_from + 15 * MB); /* given up, so that the terminal goes on */
    uint64_t waiting = journal_pending(d.j);
    NEED(waiting < 2 * JOURNAL_PENDING_BYTES);
    NEED(unlink(filler) == 0);
    while (!d.recoveries)
        desk_turn(&d);
    uint64_t found_from = offset;
    offset = append_lines(&d, offset, 50000);
    desk_await(&d, offset);
    desk_close(&d);

    AUTO(buf) struct buf bytes = BUF_INIT(4 * MB);
    NEED(journal_read(dir, 1, lost_from - 10, 1000, &bytes) == 0 && bytes.n == 10);
    NEED(journal_read(dir, 1, lost_from, 1000, &bytes) == -ENOENT);
    buf_clear(&bytes);
    NEED(journal_read(dir, 1, found_from, MB, &bytes) == 0 && bytes.n == offset - found_from);
    desk_check(buf_span(&bytes), found_from);
    struct journal_tail tail;
    NEED(journal_load(dir, 100, &tail, NULL) == 0);
    NEED(tail.offset == offset && tail.recent.n < offset - lost_from);
    journal_tail_fini(&tail);
}

/* The last thing that the program said, and how it ended, while the disk is full. */
static void end_in_trouble(const char *disk) {
    char dir[PATH_BYTES], filler[PATH_BYTES];
    NEED(path_join(dir, disk, "journal") == 0 && path_join(filler, disk, "filler") == 0);
    struct desk d;
    desk_open(&d, dir);
    struct vt *vt = vt_new(80, 24, 100, NULL, NULL);
    journal_begin(d.j, 1, vt);
    uint64_t offset = append_lines(&d, 0, 1000);
    desk_await(&d, offset);
    fill_disk(filler);
    offset = append_lines(&d, offset, 2 * MB); /* more than may wait */
    journal_resized(d.j, offset, 132, 50);
    journal_exited(d.j, offset, 7, 0, 4711);
    while (d.written < offset)
        desk_turn(&d);
    NEED(unlink(filler) == 0);
    while (!d.recoveries)
        desk_turn(&d);
    desk_close(&d);
    struct journal_tail tail;
    NEED(journal_load(dir, 100, &tail, NULL) == 0);
    NEED(tail.offset == offset && tail.recent.n == 0);
    NEED(tail.exited && tail.code == 7 && tail.at_ms == 4711); /* the output is lost; this is not */
    struct vt_view view;
    vt_view(tail.vt, &view);
    NEED(view.cols == 132 && view.rows == 50);
    journal_tail_fini(&tail);
    vt_free(vt);

    fill_disk(filler); /* closing does not wait for a disk that is full */
    desk_open(&d, dir);
    (void)append_lines(&d, offset, 1000);
    desk_close(&d);
}

TEST(a_full_disk_for_a_moment_costs_nothing) {
    on_a_small_disk(short_trouble);
}

TEST(a_full_disk_for_long_makes_a_gap) {
    on_a_small_disk(long_trouble);
}

TEST(an_end_is_remembered_through_a_full_disk) {
    on_a_small_disk(end_in_trouble);
}

TEST(a_place_that_cannot_be_written) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char file[PATH_BYTES], dir[PATH_BYTES];
    CHECK_INT(path_join(file, t.path, "file"), 0);
    CHECK_INT(path_join(dir, file, "journal"), 0); /* below a file nothing can be made */
    AUTO(fd) int fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    CHECK(fd >= 0);
    struct desk d;
    desk_open(&d, dir);
    struct vt *vt = vt_new(80, 24, 100, NULL, NULL);
    journal_begin(d.j, 1, vt);
    vt_free(vt);
    uint64_t offset = append_lines(&d, 0, 1000);
    while (!d.troubles)
        desk_turn(&d);
    offset = append_lines(&d, offset, 3 * MB);
    desk_await(&d, offset); /* given up */
    CHECK(journal_pending(d.j) < JOURNAL_PENDING_BYTES);
    CHECK_INT(unlink(file), 0);
    while (!d.recoveries)
        desk_turn(&d);
    uint64_t found_from = offset;
    offset = append_lines(&d, offset, 1000);
    desk_await(&d, offset);
    desk_close(&d);
    struct journal_tail tail;
    CHECK_INT(journal_load(dir, 100, &tail, NULL), 0);
    CHECK_INT(tail.epoch, 1);
    CHECK_INT(tail.offset, offset);
    CHECK_INT(tail.recent.n, offset - found_from);
    journal_tail_fini(&tail);
}

TESTS(RUN(a_full_disk_for_a_moment_costs_nothing), RUN(a_full_disk_for_long_makes_a_gap),
      RUN(an_end_is_remembered_through_a_full_disk), RUN(a_place_that_cannot_be_written))
