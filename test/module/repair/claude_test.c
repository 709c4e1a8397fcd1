/* Where transcripts are found, with real directories. */
#include "repair/claude.h"

#include "tree.h"

#include <errno.h>

#define ID "0f0e0d0c-1111-4222-8333-444455556666"

enum { SEEN_MAX = 32 };

struct seen {
    char path[SEEN_MAX][PATH_BYTES];
    struct file_mark mark[SEEN_MAX];
    int count, stop_after;
};

static int note(void *user, const char *path, const struct file_mark *mark) {
    struct seen *s = user;
    CHECK(s->count < SEEN_MAX);
    (void)snprintf(s->path[s->count], PATH_BYTES, "%s", path);
    s->mark[s->count++] = *mark;
    return s->count == s->stop_after ? -ECANCELED : 0;
}

static const struct file_mark *seen(const struct seen *s, const struct temp_dir *t, const char *path) {
    for (int i = 0; i < s->count; i++)
        if (strcmp(s->path[i], tree_at(t, path).p) == 0) return &s->mark[i];
    return NULL;
}

TEST(the_home_is_what_the_environment_says) {
    char dir[PATH_BYTES];
    CHECK_INT(setenv("HOME", "/home/dev", 1), 0);
    CHECK_INT(unsetenv("CLAUDE_HOME") + unsetenv("CLAUDE_CONFIG_DIR"), 0);
    CHECK_INT(claude_home(dir), 0);
    CHECK_STR(dir, "/home/dev/.claude");
    CHECK_INT(setenv("CLAUDE_HOME", "/opt/claude/", 1), 0);
    CHECK_INT(claude_projects(dir), 0);
    CHECK_STR(dir, "/opt/claude/projects");
    CHECK_INT(setenv("CLAUDE_CONFIG_DIR", "/etc/claude", 1), 0);
    CHECK_INT(claude_home(dir), 0);
    CHECK_STR(dir, "/etc/claude");
    CHECK_INT(setenv("CLAUDE_CONFIG_DIR", "", 1), 0);
    CHECK_INT(claude_home(dir), 0);
    CHECK_STR(dir, "/opt/claude");
    CHECK_INT(unsetenv("CLAUDE_HOME") + unsetenv("HOME"), 0);
    CHECK_INT(claude_home(dir), -ENOENT);
}

TEST(names) {
    CHECK(claude_is_session_id(SPAN(ID)));
    CHECK(claude_is_session_id(SPAN("0F0E0D0C-1111-7222-8333-44445555AAAA")));
    CHECK(!claude_is_session_id(SPAN("")));
    CHECK(!claude_is_session_id(SPAN("agent-a1b2")));
    CHECK(!claude_is_session_id(SPAN(ID "0")));
    CHECK(!claude_is_session_id(SPAN("0f0e0d0c-1111-4222-8333-44445555666g")));
    CHECK(!claude_is_session_id(SPAN("0f0e0d0c11111-4222-8333-444455556666")));
    CHECK(!claude_is_session_id(SPAN("../e0d0c-1111-4222-8333-444455556666")));
    CHECK_SPAN(claude_session_of(SPAN("/p/x/" ID ".jsonl")), ID);
    CHECK_SPAN(claude_session_of(SPAN(ID ".jsonl")), ID);
    CHECK_SPAN(claude_session_of(SPAN("/p/notes.txt")), "notes.txt");
    CHECK_SPAN(claude_session_of(SPAN("/p/")), "");
    CHECK_SPAN(claude_session_of(SPAN("")), "");
}

TEST(transcripts_lie_one_level_below) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    tree_dir(&t, "-p-alpha/" ID "/subagents");
    tree_dir(&t, "-p-beta/folder.jsonl");
    tree_dir(&t, "subagents");
    tree_write(&t, "-p-alpha/" ID ".jsonl", "{}\n");
    tree_write(&t, "-p-alpha/agent-1.jsonl", "");
    tree_write(&t, "-p-alpha/" ID ".jsonl.backup-1", "no");
    tree_write(&t, "-p-alpha/.jsonl", "no");
    tree_write(&t, "-p-alpha/" ID "/subagents/agent-2.jsonl", "no");
    tree_write(&t, "-p-beta/b.jsonl", "four");
    tree_write(&t, "subagents/agent-3.jsonl", "no");
    tree_write(&t, "top.jsonl", "only in the directory itself");
    struct seen s = {0};
    CHECK_INT(claude_each(t.path, note, &s), 0);
    CHECK_INT(s.count, 3);
    CHECK(seen(&s, &t, "-p-alpha/agent-1.jsonl") != NULL);
    CHECK(seen(&s, &t, "-p-alpha/" ID ".jsonl") != NULL);
    struct stat st;
    const struct file_mark *b = seen(&s, &t, "-p-beta/b.jsonl");
    CHECK(b != NULL);
    CHECK_INT(stat(tree_at(&t, "-p-beta/b.jsonl").p, &st), 0);
    CHECK_INT(b->size, 4);
    CHECK_INT(b->inode, st.st_ino);
    CHECK_INT(b->device, st.st_dev);
    CHECK_INT(b->mtime_ns, (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec);

    struct seen own = {0};
    CHECK_INT(claude_each_in(t.path, note, &own), 0);
    CHECK_INT(own.count, 1);
    CHECK(seen(&own, &t, "top.jsonl") != NULL);
}

TEST(the_root_may_be_a_link_and_beneath_it_none_is_followed) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    tree_dir(&t, "real");
    tree_dir(&t, "projects/-p");
    tree_write(&t, "real/a.jsonl", "");
    CHECK_INT(symlink("../real", tree_at(&t, "projects/linked").p), 0);
    CHECK_INT(symlink("../../real/a.jsonl", tree_at(&t, "projects/-p/b.jsonl").p), 0);
    CHECK_INT(symlink("nowhere", tree_at(&t, "projects/-p/dangling.jsonl").p), 0);
    CHECK_INT(symlink("/dev/null", tree_at(&t, "projects/-p/null.jsonl").p), 0);
    CHECK_INT(symlink("..", tree_at(&t, "projects/-p/up.jsonl").p), 0);
    CHECK_INT(mkfifo(tree_at(&t, "projects/-p/pipe.jsonl").p, 0600), 0);
    struct seen s = {0};
    CHECK_INT(claude_each(tree_at(&t, "projects").p, note, &s), 0);
    CHECK_INT(s.count, 0);
    tree_write(&t, "projects/-p/c.jsonl", "");
    CHECK_INT(symlink("projects", tree_at(&t, "dotfiles").p), 0);
    CHECK_INT(claude_each(tree_at(&t, "dotfiles").p, note, &s), 0);
    CHECK_INT(s.count, 1);
    CHECK(seen(&s, &t, "dotfiles/-p/c.jsonl") != NULL);
}

TEST(nothing_there_holds_nothing) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct seen s = {0};
    CHECK_INT(claude_each(tree_at(&t, "nowhere").p, note, &s), 0);
    CHECK_INT(claude_each(t.path, note, &s), 0);
    CHECK_INT(claude_each_in(tree_at(&t, "nowhere").p, note, &s), 0);
    CHECK_INT(s.count, 0);
}

TEST(a_walk_stops_when_told) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    tree_dir(&t, "a");
    tree_dir(&t, "b");
    tree_write(&t, "a/1.jsonl", "");
    tree_write(&t, "a/2.jsonl", "");
    tree_write(&t, "b/3.jsonl", "");
    struct seen s = {.stop_after = 2};
    CHECK_INT(claude_each(t.path, note, &s), -ECANCELED);
    CHECK_INT(s.count, 2);
}

TEST(a_path_that_is_too_long_is_passed_over) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char deep[PATH_BYTES];
    size_t n = (size_t)snprintf(deep, sizeof deep, "%s", t.path);
    for (int i = 0; n < PATH_BYTES - 60; i++) { /* room for "/p/short.jsonl", not for a long name */
        n += (size_t)snprintf(deep + n, sizeof deep - n, "/%048d", i);
        CHECK(mkdir(deep, 0700) == 0);
    }
    char name[PATH_BYTES + 256];
    (void)snprintf(name, sizeof name, "%s/p", deep);
    CHECK_INT(mkdir(name, 0700), 0);
    AUTO(fd) int dir = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    CHECK(dir >= 0);
    char file[128];
    (void)snprintf(file, sizeof file, "%0100d.jsonl", 1);
    AUTO(fd) int one = openat(dir, file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    AUTO(fd) int two = openat(dir, "s.jsonl", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    CHECK(one >= 0 && two >= 0);
    struct seen s = {0};
    CHECK_INT(claude_each(deep, note, &s), 0);
    CHECK_INT(s.count, 1);
}

static void set_age(const struct temp_dir *t, const char *path, time_t seconds) {
    struct timespec when[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
    CHECK_INT(utimensat(AT_FDCWD, tree_at(t, path).p, when, 0), 0);
}

TEST(a_session_is_found_wherever_it_is) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char path[PATH_BYTES] = "as it was";
    CHECK_INT(claude_find(t.path, SPAN(ID), path), -ENOENT);
    CHECK_INT(claude_find(tree_at(&t, "nowhere").p, SPAN(ID), path), -ENOENT);
    tree_dir(&t, "a");
    tree_dir(&t, "b");
    tree_dir(&t, "c/" ID ".jsonl");
    tree_write(&t, "a/" ID ".jsonl", "");
    set_age(&t, "a/" ID ".jsonl", 1000);
    CHECK_INT(claude_find(t.path, SPAN(ID), path), 0);
    CHECK_STR(path, tree_at(&t, "a/" ID ".jsonl").p);
    tree_write(&t, "b/" ID ".jsonl", "");
    set_age(&t, "b/" ID ".jsonl", 2000);
    CHECK_INT(claude_find(t.path, SPAN(ID), path), 0);
    CHECK_STR(path, tree_at(&t, "b/" ID ".jsonl").p);
    CHECK_INT(claude_find(t.path, SPAN("../b/x"), path), -ENOENT);
    CHECK_STR(path, tree_at(&t, "b/" ID ".jsonl").p);
}

TESTS(RUN(the_home_is_what_the_environment_says), RUN(names), RUN(transcripts_lie_one_level_below),
      RUN(the_root_may_be_a_link_and_beneath_it_none_is_followed), RUN(nothing_there_holds_nothing),
      RUN(a_walk_stops_when_told), RUN(a_path_that_is_too_long_is_passed_over),
      RUN(a_session_is_found_wherever_it_is))
