#include "desk.h"

#include "pty/journal_replay.h"
#include "pty/journal_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LINE = DESK_LINE_BYTES };

static struct vt *screen(void) {
    return vt_new(80, 24, 1000, NULL, NULL);
}

static void begin(struct desk *d, uint64_t epoch) {
    struct vt *vt = screen();
    journal_begin(d->j, epoch, vt);
    vt_free(vt);
}

static uint32_t random_below(uint64_t *state, uint32_t limit) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)((*state * 2685821657736338717U) >> 33) % limit;
}

TEST(what_was_written_is_found_again) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char dir[PATH_BYTES];
    CHECK_INT(path_join(dir, t.path, "deep/journal"), 0);
    struct journal_tail tail;
    struct err err;
    CHECK_INT(journal_load(dir, 1000, &tail, &err), -ENOENT);

    struct desk d;
    struct vt *expected = screen();
    uint64_t offset = 0, state = 42;
    for (int round = 0; round < 4; round++) { /* each goes on with what the one before left */
        desk_open(&d, dir);
        if (round == 0) begin(&d, 7);
        for (int i = 0; i < 60; i++) {
            size_t n = 1 + random_below(&state, i % 10 ? 300 : 30000);
            if (i == 59) n = desk_line_end(offset + n) - offset;
            AUTO(buf) struct buf bytes = BUF_INIT(1 << 20);
            desk_output(&bytes, offset, n);
            journal_append(d.j, offset, buf_span(&bytes));
            vt_feed(expected, bytes.p, bytes.n);
            offset += n;
            if (i % 7 == 0) {
                unsigned cols = 40 + random_below(&state, 60), rows = 10 + random_below(&state, 30);
                journal_resized(d.j, offset, cols, rows);
                vt_resize(expected, cols, rows);
            }
            if (i % 3 == 0) desk_turn(&d);
        }
        desk_close(&d);
        CHECK_INT(journal_load(dir, 1000, &tail, &err), 0);
        CHECK_INT(tail.epoch, 7);
        CHECK_INT(tail.offset, offset);
        CHECK(!tail.exited);
        CHECK_INT(tail.recent.n, MIN(offset, JOURNAL_RECENT_BYTES));
        desk_check(buf_span(&tail.recent), offset - tail.recent.n);
        desk_same_screen(tail.vt, expected);
        journal_tail_fini(&tail);
    }
    vt_free(expected);
}

TEST(it_tells_what_is_in_the_file) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct desk d;
    desk_open(&d, t.path);
    begin(&d, 1);
    desk_append(&d, 0, 20 * LINE);
    CHECK_INT(journal_pending(d.j), 20 * LINE);
    desk_await(&d, 20 * LINE);
    CHECK_INT(journal_pending(d.j), 0);
    uint64_t epoch, oldest, newest;
    CHECK_INT(journal_range(t.path, &epoch, &oldest, &newest), 0);
    CHECK_INT(epoch, 1);
    CHECK_INT(oldest, 0);
    CHECK_INT(newest, 20 * LINE);
    desk_append(&d, 18 * LINE, 4 * LINE); /* what it has is not written twice */
    desk_await(&d, 22 * LINE);
    desk_close(&d);
    AUTO(buf) struct buf bytes = BUF_INIT(1 << 20);
    CHECK_INT(journal_read(t.path, 1, 10, 4000, &bytes), 0);
    CHECK_INT(bytes.n, 22 * LINE - 10);
    desk_check(buf_span(&bytes), 10);
    CHECK_INT(journal_read(t.path, 1, 22 * LINE, 10, &bytes), -ENOENT);
    CHECK_INT(journal_read(t.path, 2, 0, 10, &bytes), -ENOENT);
}

TEST(nobody_else_may_look) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char dir[PATH_BYTES], path[PATH_BYTES];
    CHECK_INT(path_join(dir, t.path, "journal"), 0);
    struct desk d;
    desk_open(&d, dir);
    begin(&d, 1);
    desk_append(&d, 0, 1000);
    desk_close(&d);
    struct stat st;
    CHECK_INT(stat(dir, &st), 0);
    CHECK_INT(st.st_mode & 0777, 0700);
    static const char *const suffixes[] = {"seg", "screen"};
    for (size_t i = 0; i < ARRAY_LEN(suffixes); i++) {
        CHECK_INT(journal_files_path(path, dir, 1, suffixes[i]), 0);
        CHECK_INT(stat(path, &st), 0);
        CHECK_INT(st.st_mode & 0777, 0600);
    }
}

TEST(gaps_and_the_exit_are_kept) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct desk d;
    desk_open(&d, t.path);
    begin(&d, 1);
    desk_append(&d, 0, 100);
    journal_gap(d.j, 100, 5000);
    desk_append(&d, 5000, 50);
    desk_append(&d, 6000, 50); /* a gap that nobody announced */
    journal_exited(d.j, 6050, -1, 9, 123456);
    desk_await(&d, 6050);
    desk_close(&d);

    AUTO(buf) struct buf bytes = BUF_INIT(1 << 20);
    CHECK_INT(journal_read(t.path, 1, 90, 4000, &bytes), 0);
    CHECK_INT(bytes.n, 10);
    CHECK_INT(journal_read(t.path, 1, 100, 4000, &bytes), -ENOENT);
    CHECK_INT(journal_read(t.path, 1, 4999, 4000, &bytes), -ENOENT);
    buf_clear(&bytes);
    CHECK_INT(journal_read(t.path, 1, 5000, 4000, &bytes), 0);
    CHECK_INT(bytes.n, 50);
    desk_check(buf_span(&bytes), 5000);

    struct journal_tail tail;
    CHECK_INT(journal_load(t.path, 1000, &tail, NULL), 0);
    CHECK_INT(tail.offset, 6050);
    CHECK_INT(tail.recent.n, 50); /* nothing from before the gap */
    CHECK(tail.exited);
    CHECK_INT(tail.code, -1);
    CHECK_INT(tail.signal, 9);
    CHECK_INT(tail.at_ms, 123456);
    journal_tail_fini(&tail);
}

TEST(each_incarnation_has_its_own_offsets) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct desk d;
    desk_open(&d, t.path);
    begin(&d, 100);
    desk_append(&d, 0, 5000);
    journal_exited(d.j, 5000, 0, 0, 1);
    struct vt *vt = screen();
    vt_feed(vt, "what was there before", 21);
    vt_restart(vt);
    journal_begin(d.j, 200, vt);
    desk_append(&d, 0, 6 * LINE);
    desk_close(&d);

    uint64_t epoch, oldest, newest;
    CHECK_INT(journal_range(t.path, &epoch, &oldest, &newest), 0);
    CHECK_INT(epoch, 200);
    CHECK_INT(oldest, 0);
    CHECK_INT(newest, 6 * LINE);
    AUTO(buf) struct buf bytes = BUF_INIT(1 << 20);
    CHECK_INT(journal_read(t.path, 100, 4000, 5000, &bytes), 0); /* the one before is still there */
    CHECK_INT(bytes.n, 1000);
    struct journal_tail tail;
    CHECK_INT(journal_load(t.path, 1000, &tail, NULL), 0);
    CHECK_INT(tail.epoch, 200);
    CHECK_INT(tail.offset, 6 * LINE);
    CHECK_INT(tail.recent.n, 6 * LINE);
    CHECK(!tail.exited);
    AUTO(buf) struct buf output = BUF_INIT(1 << 20);
    desk_output(&output, 0, 6 * LINE);
    vt_feed(vt, output.p, output.n);
    desk_same_screen(tail.vt, vt);
    journal_tail_fini(&tail);
    vt_free(vt);
}

TEST(an_incarnation_without_output_is_one_too) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct desk d;
    desk_open(&d, t.path);
    begin(&d, 100);
    desk_close(&d);
    struct journal_tail tail;
    CHECK_INT(journal_load(t.path, 1000, &tail, NULL), 0);
    CHECK_INT(tail.epoch, 100);
    CHECK_INT(tail.offset, 0);
    journal_tail_fini(&tail);
}

/* Is it anywhere in the files? */
static bool on_disk(const char *dir, struct span needle) {
    AUTO(dir) DIR *d = opendir(dir);
    bool found = false;
    for (const struct dirent *e; (e = readdir(d));) {
        char path[PATH_BYTES];
        static char bytes[1 << 20];
        if (e->d_name[0] == '.' || path_join(path, dir, e->d_name) < 0) continue;
        AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
        ssize_t n = read(fd, bytes, sizeof bytes);
        found |= n > 0 && memmem(bytes, (size_t)n, needle.p, needle.n);
    }
    return found;
}

TEST(secrets_do_not_reach_the_disk) {
    static const char text[] = "$ ./deploy\r\ntoken=\033[31mhunt3r\033[32mTwo\033[0m ok\r\n"
                               "key ghp_0123456789\033[1mabcdefghij\033[mABCDEFGHIJ012345\r\n$ ";
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct desk d;
    desk_open(&d, t.path);
    begin(&d, 1);
    uint64_t offset = 0;
    for (struct span left = span_str(text); left.n; left = span_skip(left, 3)) {
        struct span piece = span_take(left, 3);
        journal_append(d.j, offset, piece);
        offset += piece.n;
        if (offset % 2) desk_turn(&d);
        if (offset == 30) journal_resized(d.j, offset, 100, 30); /* in the midst of it */
        CHECK(!on_disk(t.path, SPAN("hun")) && !on_disk(t.path, SPAN("ghp_")));
    }
    desk_await(&d, sizeof text - 1);
    desk_close(&d);
    static const char *const parts[] = {"hun", "unter", "Two", "ghp_", "01234", "abcdefghij", "ABCDE"};
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        CHECK(!on_disk(t.path, span_str(parts[i])));
    CHECK(on_disk(t.path, SPAN("token=")));

    struct journal_tail tail;
    CHECK_INT(journal_load(t.path, 1000, &tail, NULL), 0);
    CHECK_INT(tail.offset, sizeof text - 1);
    CHECK_SPAN(buf_span(&tail.recent), "$ ./deploy\r\ntoken=\033[31m******\033[32m***\033[0m ok\r\n"
                                       "key **************\033[1m**********\033[m****************\r\n$ ");
    struct vt_view view;
    vt_view(tail.vt, &view);
    CHECK_INT(view.cols, 100);
    journal_tail_fini(&tail);
}

/* The end of it first, then something else, then its beginning: what is in the file by then is masked there. */
TEST(what_only_the_screen_shows_does_not_stay_on_the_disk) {
    static const char *const parts[] = {"\033[2J\033[5;21HghijABCDEFGHIJ012345\033[9;1Hworking. ",
                                        "\033[9;9H2 s. ", "\033[5;1Hghp_0123456789abcdef\033[10;1H$ "};
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct desk d;
    desk_open(&d, t.path);
    begin(&d, 1);
    journal_resized(d.j, 0, 100, 30);
    uint64_t offset = 0;
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        journal_append(d.j, offset, span_str(parts[i]));
        offset += strlen(parts[i]);
        desk_await(&d, offset);
    }
    CHECK(!on_disk(t.path, SPAN("ABCDE")) && !on_disk(t.path, SPAN("ghp_")) &&
          !on_disk(t.path, SPAN("01234")));
    CHECK(on_disk(t.path, SPAN("working")));
    journal_append(d.j, offset, SPAN("on it goes\r\n"));
    desk_await(&d, offset + 12);
    desk_close(&d);
    struct journal_tail tail;
    CHECK_INT(journal_load(t.path, 1000, &tail, NULL), 0);
    CHECK_SPAN(buf_span(&tail.recent), "\033[2J\033[5;21H********************\033[9;1Hworking. \033[9;9H2 s. "
                                       "\033[5;1H********************\033[10;1H$ on it goes\r\n");
    AUTO(buf) struct buf row = BUF_INIT(1 << 10);
    vt_row_text(tail.vt, 4, &row);
    CHECK_SPAN(buf_span(&row), "****************************************");
    journal_tail_fini(&tail);
}

/* As many descriptors as are open, and not one more. */
static struct rlimit take_descriptors(void) {
    struct rlimit was, now;
    CHECK_INT(getrlimit(RLIMIT_NOFILE, &was), 0);
    int lowest = dup(STDERR_FILENO);
    CHECK(lowest > 0);
    CHECK_INT(close(lowest), 0);
    now = (struct rlimit){.rlim_cur = (rlim_t)lowest, .rlim_max = was.rlim_max};
    CHECK_INT(setrlimit(RLIMIT_NOFILE, &now), 0);
    return was;
}

TEST(without_a_descriptor_it_is_not_taken_for_damaged) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct desk d;
    desk_open(&d, t.path);
    begin(&d, 7);
    desk_append(&d, 0, 100 * LINE);
    desk_close(&d);
    AUTO(journal_files) struct journal_files files = {0};
    CHECK_INT(journal_files_list(t.path, &files), 0);
    struct journal_replay replay = {0}, again = {0};
    struct journal_writer writer;
    struct err err;
    journal_writer_init(&writer, t.path, NULL);
    struct rlimit was = take_descriptors();
    int played = journal_replay(t.path, &files, files.n, 100, &replay);
    int opened = journal_writer_open(&writer, &err);
    CHECK_INT(setrlimit(RLIMIT_NOFILE, &was), 0);
    CHECK_INT(played, -EMFILE);
    CHECK_INT(opened, -EMFILE);
    journal_writer_fini(&writer);
    CHECK_INT(journal_replay(t.path, &files, files.n, 100, &again), 0);
    CHECK_INT(again.place.offset, 100 * LINE);
    vt_free(again.vt);
}

TESTS(RUN(what_was_written_is_found_again), RUN(it_tells_what_is_in_the_file), RUN(nobody_else_may_look),
      RUN(gaps_and_the_exit_are_kept), RUN(each_incarnation_has_its_own_offsets),
      RUN(an_incarnation_without_output_is_one_too), RUN(secrets_do_not_reach_the_disk),
      RUN(what_only_the_screen_shows_does_not_stay_on_the_disk),
      RUN(without_a_descriptor_it_is_not_taken_for_damaged))
