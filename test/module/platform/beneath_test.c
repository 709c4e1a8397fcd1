/* Files beneath a directory, by the kernel's walk and by our own. */
#include "platform/beneath.h"

#include "base/path.h"
#include "temp_dir.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

struct tree {
    struct temp_dir dir;
    int root;
};

static void put(int dir, const char *name, const char *text) {
    AUTO(fd) int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CHECK_INT(write(fd, text, strlen(text)), strlen(text));
}

static struct tree tree_make(void) {
    struct tree t = {.dir = temp_dir_make()};
    t.root = beneath_root(t.dir.path);
    CHECK(t.root >= 0);
    CHECK_INT(mkdirat(t.root, "a", 0700), 0);
    CHECK_INT(mkdirat(t.root, "a/b", 0700), 0);
    put(t.root, "a/b/f", "inside");
    put(t.root, "top", "inside");
    return t;
}

static void cleanup_tree(struct tree *t) {
    (void)close(t->root);
    cleanup_temp_dir(&t->dir);
}

static int tried(const struct tree *t, const char *path) {
    struct stat st;
    AUTO(fd) int fd = beneath_open(t->root, path, O_RDONLY, &st);
    return MIN(fd, 0);
}

static int tried_dir(const struct tree *t, const char *path) {
    AUTO(fd) int fd = beneath_open_dir(t->root, path);
    return MIN(fd, 0);
}

static void check_paths(void) {
    AUTO(tree) struct tree t = tree_make();
    CHECK_INT(tried(&t, "a/b/f"), 0);
    CHECK_INT(tried(&t, "top"), 0);
    CHECK_INT(tried(&t, "a/none"), -ENOENT);
    CHECK_INT(tried(&t, "none/f"), -ENOENT);
    CHECK_INT(tried(&t, "top/f"), -ENOTDIR);
    static const char *const elsewhere[] = {"/etc/passwd", "../x", "a/../top", "a//b",
                                            "a/./b/f",     "",     "a/b/",     ".."};
    for (size_t i = 0; i < ARRAY_LEN(elsewhere); i++)
        CHECK_INT(tried(&t, elsewhere[i]), -EXDEV);
    CHECK_INT(tried(&t, "a"), -EISDIR);
    CHECK_INT(tried_dir(&t, ""), 0);
    CHECK_INT(tried_dir(&t, "a/b"), 0);
    CHECK_INT(tried_dir(&t, "top"), -ENOTDIR);
}

static void check_odd_files(void) {
    AUTO(tree) struct tree t = tree_make();
    CHECK_INT(mkfifoat(t.root, "a/fifo", 0600), 0);
    CHECK_INT(symlinkat("b", t.root, "a/dirlink"), 0);
    CHECK_INT(symlinkat("b/f", t.root, "a/link"), 0);
    CHECK_INT(symlinkat("nowhere", t.root, "a/dangling"), 0);
    CHECK_INT(symlinkat("/dev/zero", t.root, "a/zero"), 0);
    CHECK_INT(symlinkat("/proc/self/root", t.root, "a/magic"), 0);
    CHECK_INT(tried(&t, "a/fifo"), -EINVAL);
    CHECK_INT(tried(&t, "a/dirlink/f"), -ELOOP);
    CHECK_INT(tried(&t, "a/magic/etc/passwd"), -ELOOP);
    static const char *const links[] = {"a/link", "a/dangling", "a/zero"};
    for (size_t i = 0; i < ARRAY_LEN(links); i++)
        CHECK_INT(tried(&t, links[i]), -ELOOP);
    CHECK(tried_dir(&t, "a/dirlink") < 0);
    if (geteuid() == 0) {
        enum { SOMEBODY = 65534 };
        put(t.root, "theirs", "");
        CHECK_INT(fchownat(t.root, "theirs", SOMEBODY, SOMEBODY, 0), 0);
        CHECK_INT(tried(&t, "theirs"), -EPERM);
        CHECK_INT(fchownat(t.root, "a/b", SOMEBODY, SOMEBODY, 0), 0);
        CHECK_INT(tried_dir(&t, "a/b"), -EPERM);
    }
}

/* Somebody exchanges the directory for a link to another one, all the time. */
struct swapper {
    int root;
    atomic_bool over;
};

static void *swap(void *user) {
    struct swapper *s = user;
    while (!atomic_load(&s->over))
        (void)renameat2(s->root, "a", s->root, "away", RENAME_EXCHANGE);
    return NULL;
}

static void check_race(int tries) {
    AUTO(tree) struct tree t = tree_make();
    CHECK_INT(mkdirat(t.root, "outside", 0700), 0);
    CHECK_INT(mkdirat(t.root, "outside/b", 0700), 0);
    put(t.root, "outside/b/f", "outside!");
    CHECK_INT(symlinkat("outside", t.root, "away"), 0);
    struct swapper s = {.root = t.root};
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, swap, &s), 0);
    int opened = 0, refused = 0;
    for (int i = 0; i < tries || !opened || !refused; i++) {
        struct stat st;
        AUTO(fd) int fd = beneath_open(t.root, "a/b/f", O_RDWR, &st);
        if (fd >= 0) CHECK_INT(st.st_size, strlen("inside"));
        opened += fd >= 0;
        refused += fd < 0;
    }
    atomic_store(&s.over, true);
    (void)pthread_join(thread, NULL);
}

TEST(only_what_lies_beneath_is_opened) {
    check_paths();
    beneath_walk_only(true);
    check_paths();
    beneath_walk_only(false);
}

TEST(what_is_no_plain_file_of_ours_is_refused_at_once) {
    check_odd_files();
    beneath_walk_only(true);
    check_odd_files();
    beneath_walk_only(false);
}

TEST(a_directory_that_becomes_a_link_leads_nowhere) {
    check_race(20000);
    beneath_walk_only(true);
    check_race(20000);
    beneath_walk_only(false);
}

TEST(the_root_may_be_reached_through_a_link_but_must_be_ours) {
    AUTO(tree) struct tree t = tree_make();
    char link[PATH_BYTES];
    CHECK_INT(path_join(link, t.dir.path, "link"), 0);
    CHECK_INT(symlink("a", link), 0);
    AUTO(fd) int fd = beneath_root(link);
    CHECK(fd >= 0);
    if (geteuid() == 0) {
        CHECK_INT(fchownat(t.root, "a", 65534, 65534, 0), 0);
        CHECK_INT(MIN(beneath_root(link), 0), -EPERM);
    }
    CHECK_INT(MIN(beneath_root("/dev/null"), 0), -ENOTDIR);
}

TEST(parts_of_paths) {
    CHECK_STR(beneath_part("/a/b", "/a/b/c/d"), "c/d");
    CHECK_STR(beneath_part("/a/b/", "/a/b/c"), "c");
    CHECK_STR(beneath_part("/", "/a"), "a");
    CHECK(!beneath_part("/a/b", "/a/bc"));
    CHECK(!beneath_part("/a/b", "/a/b"));
    CHECK(!beneath_part("/a/b", "/x"));
    CHECK(!beneath_part("", "/x"));
}

TESTS(RUN(only_what_lies_beneath_is_opened), RUN(what_is_no_plain_file_of_ours_is_refused_at_once),
      RUN(a_directory_that_becomes_a_link_leads_nowhere),
      RUN(the_root_may_be_reached_through_a_link_but_must_be_ours), RUN(parts_of_paths))
