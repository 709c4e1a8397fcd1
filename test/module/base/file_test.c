/* Whole files, on a real disk. */
#include "base/file.h"

#include "temp_dir.h"
#include "test.h"

#include <errno.h>
#include <unistd.h>

static void path_in(const struct temp_dir *dir, const char *name, char ret[128]) {
    (void)snprintf(ret, 128, "%s/%s", dir->path, name);
}

TEST(what_was_written_is_read) {
    AUTO(temp_dir) struct temp_dir dir = temp_dir_make();
    char path[128], beside[128];
    path_in(&dir, "f", path);
    path_in(&dir, "f.new", beside);
    static char large[3 * 4096 + 5];
    memset(large, 'x', sizeof large);
    const struct span contents[] = {SPAN("one"), SPAN_NONE, span_of(large, sizeof large)};
    for (size_t i = 0; i < ARRAY_LEN(contents); i++) {
        AUTO(buf) struct buf text = BUF_INIT(1 << 20);
        CHECK_INT(file_replace(path, contents[i], 0600, i == 1), 0);
        CHECK_INT(file_read(path, &text), 0);
        CHECK(span_eq(buf_span(&text), contents[i]));
        CHECK(access(beside, F_OK) < 0);
    }
    struct stat st;
    CHECK_INT(stat(path, &st), 0);
    CHECK_INT(st.st_mode & 0777, 0600);
}

TEST(no_more_is_read_than_there_is_room_for) {
    AUTO(temp_dir) struct temp_dir dir = temp_dir_make();
    char path[128];
    path_in(&dir, "f", path);
    CHECK_INT(file_replace(path, SPAN("12345"), 0600, false), 0);
    AUTO(buf) struct buf exact = BUF_INIT(5), small = BUF_INIT(4);
    CHECK_INT(file_read(path, &exact), 0);
    CHECK_SPAN(buf_span(&exact), "12345");
    CHECK_INT(file_read(path, &small), -EFBIG);
}

TEST(what_cannot_be_written_leaves_the_old_one) {
    AUTO(temp_dir) struct temp_dir dir = temp_dir_make();
    AUTO(buf) struct buf text = BUF_INIT(100);
    char path[128], beside[128], lost[128];
    path_in(&dir, "f", path);
    path_in(&dir, "f.new", beside);
    path_in(&dir, "none/f", lost);
    CHECK_INT(file_read(path, &text), -ENOENT);
    CHECK_INT(file_replace(path, SPAN("old"), 0600, false), 0);
    CHECK_INT(file_replace(lost, SPAN("new"), 0600, false), -ENOENT);
    CHECK_INT(mkdir(beside, 0700), 0);
    CHECK_INT(file_replace(path, SPAN("new"), 0600, false), -EEXIST);
    CHECK_INT(file_read(path, &text), 0);
    CHECK_SPAN(buf_span(&text), "old");
}

TEST(nobody_leads_us_elsewhere) {
    AUTO(temp_dir) struct temp_dir dir = temp_dir_make();
    AUTO(buf) struct buf text = BUF_INIT(100), kept = BUF_INIT(100);
    char path[128], beside[128], other[128];
    path_in(&dir, "f", path);
    path_in(&dir, "f.new", beside);
    path_in(&dir, "other", other);
    CHECK_INT(file_replace(other, SPAN("kept"), 0600, false), 0);
    CHECK_INT(symlink(other, beside), 0);
    CHECK_INT(symlink(other, path), 0);
    CHECK_INT(file_read(path, &text), -ELOOP);
    CHECK_INT(file_replace(path, SPAN("new"), 0600, true), 0);
    CHECK_INT(file_read(path, &text), 0);
    CHECK_SPAN(buf_span(&text), "new");
    CHECK_INT(file_read(other, &kept), 0);
    CHECK_SPAN(buf_span(&kept), "kept");
}

TEST(what_is_no_plain_file_is_not_waited_for) {
    AUTO(temp_dir) struct temp_dir dir = temp_dir_make();
    AUTO(buf) struct buf text = BUF_INIT(100);
    struct stat st;
    char path[128];
    path_in(&dir, "f", path);
    CHECK_INT(mkfifo(path, 0600), 0);
    CHECK_INT(file_read(path, &text), -EINVAL);
    CHECK_INT(file_open_plain(path, &st), -EINVAL);
    CHECK_INT(file_open_plain("/dev/zero", &st), -EINVAL);
    CHECK_INT(file_open_plain(dir.path, &st), -EISDIR);
}

TESTS(RUN(what_was_written_is_read), RUN(no_more_is_read_than_there_is_room_for),
      RUN(what_cannot_be_written_leaves_the_old_one), RUN(nobody_leads_us_elsewhere),
      RUN(what_is_no_plain_file_is_not_waited_for))
