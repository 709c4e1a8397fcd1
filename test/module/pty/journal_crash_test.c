/* A journal's writer dies, or its files are damaged: what is whole is found again. */
#include "desk.h"

#include "pty/journal_files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>

/* What the child told before it died. */
struct told {
    _Atomic uint64_t written;
};

/* Goes on with the journal from `offset`, and dies in the midst of it. */
static void NORETURN work_and_die(const char *dir, uint64_t offset, unsigned turns, struct told *told) {
    struct desk d;
    desk_open(&d, dir);
    if (offset == 0) {
        struct vt *vt = vt_new(80, 24, 100, NULL, NULL);
        journal_begin(d.j, 5, vt);
        vt_free(vt);
    }
    for (unsigned i = 0;; i++) {
        size_t n = 1 + offset * 7 % 5000;
        desk_append(&d, offset, n);
        offset += n;
        (void)uv_run(&d.loop, offset % 3 ? UV_RUN_ONCE : UV_RUN_NOWAIT);
        told->written = d.written;
        if (i >= turns) _exit(0);
    }
}

TEST(a_journal_goes_on_after_any_crash) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct told *told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(told != MAP_FAILED);
    uint64_t offset = 0;
    for (unsigned round = 0; round < 40; round++) {
        pid_t child = fork();
        if (child == 0) work_and_die(t.path, offset, round % 9, told);
        int status;
        CHECK_INT(waitpid(child, &status, 0), child);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        struct journal_tail tail;
        int r = journal_load(t.path, 100, &tail, NULL);
        if (offset == 0 && told->written == 0 && r == -ENOENT) continue;
        CHECK_INT(r, 0);
        CHECK_INT(tail.epoch, 5);
        CHECK(tail.offset >= told->written && tail.offset >= offset); /* what was told is there */
        CHECK_INT(tail.recent.n, MIN(tail.offset, JOURNAL_RECENT_BYTES));
        desk_check(buf_span(&tail.recent), tail.offset - tail.recent.n);
        offset = tail.offset;
        journal_tail_fini(&tail);
    }
    CHECK(offset > 20000);
    (void)munmap(told, sizeof *told);
}

/* A journal of two incarnations; returns the path of its last segment. */
static void make_journal(const char *dir, char path[PATH_BYTES]) {
    struct desk d;
    desk_open(&d, dir);
    struct vt *vt = vt_new(40, 10, 100, NULL, NULL);
    journal_begin(d.j, 1, vt);
    desk_append(&d, 0, 1000);
    journal_exited(d.j, 1000, 0, 0, 1);
    AUTO(buf) struct buf output = BUF_INIT(1 << 20);
    desk_output(&output, 0, 1000);
    vt_feed(vt, output.p, output.n);
    vt_restart(vt);
    journal_begin(d.j, 2, vt);
    vt_free(vt);
    uint64_t offset = 0;
    for (int i = 0; i < 6; i++) { /* one record each */
        desk_append(&d, offset, 2 * DESK_LINE_BYTES);
        offset += 2 * DESK_LINE_BYTES;
        journal_resized(d.j, offset, 40 + i, 10);
        desk_await(&d, offset);
    }
    journal_exited(d.j, offset, 3, 0, 99);
    desk_close(&d);
    CHECK_INT(journal_files_path(path, dir, 2, "seg"), 0);
}

static void read_bytes(const char *path, struct buf *out) {
    AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *to = buf_reserve(out, 1 << 16);
    ssize_t n = read(fd, to, 1 << 16);
    CHECK(n > 0);
    buf_grew(out, (size_t)n);
}

static void write_bytes(const char *path, struct span bytes) {
    AUTO(fd) int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    CHECK_INT(write(fd, bytes.p, bytes.n), (ssize_t)bytes.n);
}

/* What is found is a prefix of what was written; returns how long it is, in the second incarnation. */
static uint64_t check_prefix(const char *dir) {
    struct journal_tail tail;
    CHECK_INT(journal_load(dir, 100, &tail, NULL), 0);
    uint64_t offset = tail.epoch == 2 ? tail.offset : 0;
    CHECK(offset <= 12 * DESK_LINE_BYTES);
    desk_check(buf_span(&tail.recent), tail.offset - tail.recent.n);
    if (tail.epoch == 2) CHECK(!tail.exited || offset == 12 * DESK_LINE_BYTES);
    journal_tail_fini(&tail);
    return offset;
}

TEST(cut_at_any_byte) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    AUTO(buf) struct buf whole = BUF_INIT(1 << 20);
    char path[PATH_BYTES];
    make_journal(t.path, path);
    read_bytes(path, &whole);
    uint64_t before = 0;
    for (size_t n = 0; n <= whole.n; n++) {
        write_bytes(path, span_take(buf_span(&whole), n));
        uint64_t offset = check_prefix(t.path);
        CHECK(offset >= before && offset <= n);
        before = offset;
    }
    CHECK_INT(before, 12 * DESK_LINE_BYTES);
}

TEST(with_any_byte_changed) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    AUTO(buf) struct buf whole = BUF_INIT(1 << 20);
    char path[PATH_BYTES];
    make_journal(t.path, path);
    read_bytes(path, &whole);
    for (size_t i = 0; i < whole.n; i++) {
        whole.p[i] = (char)(whole.p[i] ^ (1 << i % 8));
        write_bytes(path, buf_span(&whole));
        whole.p[i] = (char)(whole.p[i] ^ (1 << i % 8));
        bool output = i < whole.n - 3 * TAPE_RECORD_BYTES; /* not the last size and the exit */
        CHECK(check_prefix(t.path) < 12 * DESK_LINE_BYTES || !output);
    }
}

TEST(damaged_screens_are_made_up_for) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char path[PATH_BYTES], screen[PATH_BYTES];
    make_journal(t.path, path);
    struct journal_tail whole, tail;
    CHECK_INT(journal_load(t.path, 100, &whole, NULL), 0);
    CHECK_INT(journal_files_path(screen, t.path, 2, "screen"), 0);
    AUTO(buf) struct buf bytes = BUF_INIT(1 << 20);
    read_bytes(screen, &bytes);
    for (size_t i = 0; i < bytes.n; i += 3) { /* then the incarnation before is played, and started anew */
        bytes.p[i] = (char)(bytes.p[i] + 1);
        write_bytes(screen, buf_span(&bytes));
        bytes.p[i] = (char)(bytes.p[i] - 1);
        CHECK_INT(journal_load(t.path, 100, &tail, NULL), 0);
        CHECK_INT(tail.epoch, 2);
        CHECK_INT(tail.offset, whole.offset);
        desk_same_screen(tail.vt, whole.vt);
        journal_tail_fini(&tail);
    }
    journal_tail_fini(&whole);
}

/* What a crash left torn is cut off, and the journal goes on behind what is whole. Returns the size of the whole segment. */
static size_t go_on_behind(size_t cut) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    AUTO(buf) struct buf whole = BUF_INIT(1 << 20);
    char path[PATH_BYTES];
    make_journal(t.path, path);
    read_bytes(path, &whole);
    write_bytes(path, span_take(buf_span(&whole), cut));
    struct journal_tail tail;
    CHECK_INT(journal_load(t.path, 100, &tail, NULL), 0);
    CHECK_INT(tail.epoch, 2);
    uint64_t offset = tail.offset, end = desk_line_end(offset + 500);
    journal_tail_fini(&tail);
    struct desk d;
    desk_open(&d, t.path);
    desk_append(&d, offset, (size_t)(end - offset));
    desk_await(&d, end);
    desk_close(&d);
    CHECK_INT(journal_load(t.path, 100, &tail, NULL), 0);
    CHECK_INT(tail.epoch, 2);
    CHECK_INT(tail.offset, end);
    CHECK_INT(tail.recent.n, end);
    desk_check(buf_span(&tail.recent), 0);
    journal_tail_fini(&tail);
    return whole.n;
}

TEST(writing_goes_on_behind_a_torn_record) {
    size_t size = SIZE_MAX;
    for (size_t cut = 0; cut < size; cut += 71)
        size = go_on_behind(cut);
}

TEST(a_directory_of_rubbish_is_no_journal) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    static const char *const names[] = {"00000000000000000001.seg",     "00000000000000000002.seg.zst",
                                        "00000000000000000002.screen",  "x.seg",
                                        "99999999999999999999.seg",     "00000000000000000003.screen",
                                        "00000000000000000004.seg.new", "18446744073709551616.screen"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        char path[PATH_BYTES];
        CHECK_INT(path_join(path, t.path, names[i]), 0);
        AUTO(fd) int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        CHECK_INT(write(fd, "rubbish rubbish rubbish rubbish rubbish rubbish rubbish", 50), 50);
    }
    struct journal_tail tail;
    uint64_t epoch, oldest, newest;
    AUTO(buf) struct buf out = BUF_INIT(1000);
    CHECK_INT(journal_load(t.path, 100, &tail, NULL), -ENOENT);
    CHECK_INT(journal_range(t.path, &epoch, &oldest, &newest), -ENOENT);
    CHECK_INT(journal_read(t.path, 0, 0, 10, &out), -ENOENT);
    struct desk d; /* and one can be begun there all the same */
    desk_open(&d, t.path);
    struct vt *vt = vt_new(40, 10, 100, NULL, NULL);
    journal_begin(d.j, 9, vt);
    vt_free(vt);
    desk_append(&d, 0, DESK_LINE_BYTES);
    desk_await(&d, DESK_LINE_BYTES);
    desk_close(&d);
    CHECK_INT(journal_range(t.path, &epoch, &oldest, &newest), 0);
    CHECK_INT(epoch, 9);
    CHECK_INT(newest, DESK_LINE_BYTES);
}

TESTS(RUN(a_journal_goes_on_after_any_crash), RUN(cut_at_any_byte), RUN(with_any_byte_changed),
      RUN(damaged_screens_are_made_up_for), RUN(writing_goes_on_behind_a_torn_record),
      RUN(a_directory_of_rubbish_is_no_journal))
