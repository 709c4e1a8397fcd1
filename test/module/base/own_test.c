/* Files that are what they seem, and others. */
#include "base/own.h"

#include "temp_dir.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

struct place {
    struct temp_dir dir;
    int fd;
};

static struct place place_make(void) {
    struct place p = {.dir = temp_dir_make()};
    p.fd = own_dir(p.dir.path);
    CHECK(p.fd >= 0);
    return p;
}

static void cleanup_place(struct place *p) {
    (void)close(p->fd);
    cleanup_temp_dir(&p->dir);
}

/* What opening it gives: 0, or the error. */
static int tried(const struct place *p, const char *name, int flags) {
    AUTO(fd) int fd = own_open_at(p->fd, name, flags, 0600);
    return MIN(fd, 0);
}

static void put(const struct place *p, const char *name, const char *text) {
    AUTO(fd) int fd = own_open_at(p->fd, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CHECK(fd >= 0);
    CHECK_INT(write(fd, text, strlen(text)), strlen(text));
}

static off_t size_of(const struct place *p, const char *name) {
    struct stat st;
    CHECK_INT(fstatat(p->fd, name, &st, AT_SYMLINK_NOFOLLOW), 0);
    return st.st_size;
}

TEST(a_plain_file_is_made_written_and_cut) {
    AUTO(place) struct place p = place_make();
    put(&p, "f", "12345");
    CHECK_INT(size_of(&p, "f"), 5);
    put(&p, "f", "12");
    CHECK_INT(size_of(&p, "f"), 2);
    CHECK_INT(tried(&p, "absent", O_RDONLY), -ENOENT);
}

TEST(what_is_no_plain_file_is_refused_at_once) {
    AUTO(place) struct place p = place_make();
    CHECK_INT(mkfifoat(p.fd, "fifo", 0600), 0);
    CHECK_INT(mkdirat(p.fd, "dir", 0700), 0);
    put(&p, "target", "kept");
    CHECK_INT(symlinkat("target", p.fd, "link"), 0);
    CHECK_INT(symlinkat("nowhere", p.fd, "dangling"), 0);
    const int ways[] = {O_RDONLY, O_WRONLY | O_APPEND | O_CREAT, O_RDWR | O_CREAT | O_TRUNC};
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        CHECK_INT(tried(&p, "fifo", ways[i]), -EINVAL);
        CHECK_INT(tried(&p, "dir", ways[i]), -EINVAL);
        CHECK_INT(tried(&p, "link", ways[i]), -ELOOP);
        CHECK_INT(tried(&p, "dangling", ways[i]), -ELOOP);
    }
    CHECK_INT(size_of(&p, "target"), 4);
    CHECK(faccessat(p.fd, "nowhere", F_OK, 0) < 0);
    CHECK_INT(MIN(own_open("/dev/zero", O_RDONLY, 0), 0), geteuid() == 0 ? -EINVAL : -EPERM);
}

TEST(another_users_file_and_directory_are_refused_and_left_alone) {
    if (geteuid() != 0) skip();
    enum { SOMEBODY = 65534 };
    AUTO(place) struct place p = place_make();
    put(&p, "theirs", "kept");
    CHECK_INT(fchownat(p.fd, "theirs", SOMEBODY, SOMEBODY, 0), 0);
    CHECK_INT(tried(&p, "theirs", O_RDONLY), -EPERM);
    CHECK_INT(tried(&p, "theirs", O_WRONLY | O_TRUNC), -EPERM);
    CHECK_INT(size_of(&p, "theirs"), 4);
    CHECK_INT(fchown(p.fd, SOMEBODY, SOMEBODY), 0);
    CHECK_INT(MIN(own_dir(p.dir.path), 0), -EPERM);
}

TEST(a_directory_that_others_could_write_becomes_ours_alone) {
    AUTO(place) struct place p = place_make();
    CHECK_INT(fchmod(p.fd, 0777), 0);
    AUTO(fd) int again = own_dir(p.dir.path);
    struct stat st;
    CHECK(again >= 0);
    CHECK_INT(fstat(again, &st), 0);
    CHECK_INT(st.st_mode & 07777, 0755);
}

TEST(what_is_no_directory_is_refused) {
    AUTO(place) struct place p = place_make();
    put(&p, "f", "");
    char path[128];
    (void)snprintf(path, sizeof path, "%s/f", p.dir.path);
    CHECK_INT(MIN(own_dir(path), 0), -ENOTDIR);
}

TEST(refusals_are_told_in_words) {
    CHECK_STR(own_refusal(-ELOOP), "it is a symbolic link");
    CHECK(own_refusal(-EINVAL) && own_refusal(-EPERM));
    CHECK(!own_refusal(-ENOSPC));
}

TESTS(RUN(a_plain_file_is_made_written_and_cut), RUN(what_is_no_plain_file_is_refused_at_once),
      RUN(another_users_file_and_directory_are_refused_and_left_alone),
      RUN(a_directory_that_others_could_write_becomes_ours_alone), RUN(what_is_no_directory_is_refused),
      RUN(refusals_are_told_in_words))
