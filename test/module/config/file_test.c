#include "config/file.h"

#include "config/config.h"
#include "temp_dir.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>

struct fixture {
    struct temp_dir dir;
    char file[PATH_BYTES], other[PATH_BYTES];
};

static struct fixture fixture_make(void) {
    struct fixture x = {.dir = temp_dir_make()};
    CHECK_INT(path_join(x.file, x.dir.path, "config.json"), 0);
    CHECK_INT(path_join(x.other, x.dir.path, "other.json"), 0);
    return x;
}

static void cleanup_fixture(struct fixture *x) {
    temp_dir_remove(x->dir.path);
}

static void write_text(const char *path, const char *text) {
    AUTO(file) FILE *f = fopen(path, "w");
    CHECK(f && fputs(text, f) >= 0);
}

static void check_text(const char *path, const char *expected) {
    AUTO(buf) struct buf text = BUF_INIT(CONFIG_FILE_BYTES_MAX);
    CHECK_INT(config_file_read(path, &text, NULL), 0);
    CHECK_SPAN(buf_span(&text), expected);
}

static void set(const char *file, const char *key, const char *value) {
    struct err err = {0};
    if (config_set(file, key, value, &err) < 0) fail_msg("%s", err.msg);
}

/* How many entries a directory has: nothing is left lying about. */
static size_t count_entries(const char *path) {
    AUTO(dir) DIR *dir = opendir(path);
    size_t n = 0;
    for (const struct dirent *e; (e = readdir(dir));)
        n += e->d_name[0] != '.';
    return n;
}

TEST(a_file_is_made_for_its_owner_only) {
    AUTO(fixture) struct fixture x = fixture_make();
    AUTO(config) struct config c = {0};
    char file[PATH_BYTES];
    struct stat st;
    (void)snprintf(file, sizeof file, "%s/a/b/config.json", x.dir.path);
    CHECK_INT(config_load(file, &c, NULL), 0);
    CHECK(!c.exists && c.port == 3333);
    config_fini(&c);
    (void)umask(0);
    set(file, "port", "4000");
    CHECK_INT(stat(file, &st), 0);
    CHECK_INT(st.st_mode & 0777, 0600);
    check_text(file, "{\n  \"port\": 4000\n}\n");
    CHECK_INT(config_load(file, &c, NULL), 0);
    CHECK(c.exists && c.port == 4000);
}

TEST(nothing_to_change_makes_no_file) {
    AUTO(fixture) struct fixture x = fixture_make();
    set(x.file, "port", "");
    CHECK_INT(access(x.file, F_OK), -1);
}

TEST(symbolic_links_are_followed_and_stay) {
    AUTO(fixture) struct fixture x = fixture_make();
    char link[PATH_BYTES], to[PATH_BYTES];
    struct stat st;
    write_text(x.other, "{\"mine\": 1}");
    CHECK_INT(chmod(x.other, 0644), 0);
    CHECK_INT(path_join(link, x.dir.path, "link"), 0);
    CHECK_INT(symlink(x.other, link), 0);  /* absolute */
    CHECK_INT(symlink("link", x.file), 0); /* relative, to another one */
    set(x.file, "debug", "on");
    CHECK(lstat(x.file, &st) == 0 && S_ISLNK(st.st_mode));
    CHECK(lstat(link, &st) == 0 && S_ISLNK(st.st_mode));
    CHECK(lstat(x.other, &st) == 0 && S_ISREG(st.st_mode));
    CHECK_INT(st.st_mode & 0777, 0600);
    check_text(x.other, "{\"mine\": 1, \"debug\": true}");
    CHECK_INT(count_entries(x.dir.path), 3);

    /* Where it leads to may not be there yet. */
    CHECK_INT(unlink(x.other), 0);
    set(x.file, "debug", "on");
    check_text(x.other, "{\n  \"debug\": true\n}\n");
    CHECK(readlink(x.file, to, sizeof to) == 4);

    CHECK_INT(unlink(link), 0);
    CHECK_INT(symlink("config.json", link), 0);
    CHECK(config_set(x.file, "debug", "on", NULL) < 0); /* in a circle */
}

TEST(all_changes_or_none) {
    AUTO(fixture) struct fixture x = fixture_make();
    const struct config_change good[] = {{"port", "1"}, {"debug", "on"}, {"port", "2"}, {"mine", NULL}},
                               bad[] = {{"port", "3"}, {"debug", "perhaps"}};
    write_text(x.file, "{\"mine\": 1}");
    CHECK_INT(config_change(x.file, good, ARRAY_LEN(good), NULL), 0);
    check_text(x.file, "{\"port\": 2, \"debug\": true}");
    CHECK_INT(config_change(x.file, bad, ARRAY_LEN(bad), NULL), -EINVAL);
    check_text(x.file, "{\"port\": 2, \"debug\": true}");
    CHECK_INT(count_entries(x.dir.path), 1);
}

TEST(a_broken_file_is_never_overwritten) {
    static const char *const broken[] = {"{\"port\": 1,}", "{", "[]", "port = 3333\n", "{\"a\": \"\x01\"}"};
    AUTO(fixture) struct fixture x = fixture_make();
    for (size_t i = 0; i < ARRAY_LEN(broken); i++) {
        struct config c;
        struct err err = {0};
        struct stat before, after;
        write_text(x.file, broken[i]);
        CHECK_INT(stat(x.file, &before), 0);
        CHECK_INT(config_load(x.file, &c, &err), -EINVAL);
        CHECK(strstr(err.msg, x.file) && strstr(err.msg, "line 1, column "));
        CHECK_INT(config_set(x.file, "port", "4000", &err), -EINVAL);
        CHECK(strstr(err.msg, x.file) && strstr(err.msg, "line 1, column "));
        CHECK_INT(config_set(x.file, "port", "", NULL), -EINVAL);
        check_text(x.file, broken[i]);
        CHECK(stat(x.file, &after) == 0 && after.st_ino == before.st_ino);
    }
}

TEST(what_is_no_file_is_no_configuration) {
    AUTO(fixture) struct fixture x = fixture_make();
    struct config c;
    struct err err = {0};
    CHECK_INT(mkfifo(x.file, 0600), 0); /* and nobody is waited for who might write into it */
    CHECK_INT(config_load(x.file, &c, &err), -EINVAL);
    CHECK(strstr(err.msg, "it is no plain file"));
    CHECK_INT(config_set(x.file, "port", "1", NULL), -EINVAL);
    CHECK_INT(unlink(x.file), 0);
    CHECK_INT(mkdir(x.file, 0700), 0);
    CHECK_INT(config_load(x.file, &c, &err), -EINVAL);
    CHECK_INT(config_load("/dev/null/config.json", &c, &err), -ENOTDIR);
}

TEST(a_link_leads_only_where_nobody_else_could_have_put_something) {
    AUTO(fixture) struct fixture x = fixture_make();
    struct config c;
    struct err err = {0};
    char dir[PATH_BYTES], target[PATH_BYTES];
    CHECK_INT(path_join(dir, x.dir.path, "dotfiles"), 0);
    CHECK_INT(path_join(target, dir, "ostler.json"), 0);
    CHECK_INT(mkdir(dir, 0700), 0);
    write_text(target, "{\"port\": 7}");
    CHECK_INT(symlink("dotfiles/ostler.json", x.file), 0);
    CHECK_INT(config_load(x.file, &c, &err), 0);
    config_fini(&c);
    CHECK_INT(chmod(dir, 0777), 0); /* anybody could exchange it */
    CHECK_INT(config_load(x.file, &c, &err), -EPERM);
    CHECK(strstr(err.msg, x.file));
    CHECK_INT(config_set(x.file, "port", "8", NULL), -EPERM);
    CHECK_INT(chmod(dir, 0700), 0);
    CHECK_INT(unlink(target), 0);
    CHECK_INT(mkfifo(target, 0600), 0);
    CHECK_INT(config_load(x.file, &c, &err), -EINVAL);
    CHECK_INT(config_set(x.file, "port", "8", NULL), -EINVAL);
    CHECK_INT(unlink(x.file), 0);
    CHECK_INT(symlink("/dev/zero", x.file), 0);
    CHECK_INT(config_load(x.file, &c, &err), -EINVAL);
}

TEST(a_huge_file_is_refused) {
    AUTO(fixture) struct fixture x = fixture_make();
    struct config c;
    struct err err = {0};
    write_text(x.file, "{}");
    CHECK_INT(truncate(x.file, 100 << 20), 0);
    CHECK_INT(config_load(x.file, &c, &err), -EFBIG);
    CHECK(strstr(err.msg, "larger than 1 MiB"));
}

TEST(others_keys_are_listed_and_had) {
    AUTO(fixture) struct fixture x = fixture_make();
    AUTO(buf) struct buf json = BUF_INIT(1000);
    write_text(x.file, "{\"mine\": [1, 2], \"port\": 7}");
    CHECK_INT(config_get(x.file, "mine", &json, NULL), 0);
    CHECK_SPAN(buf_span(&json), "[1, 2]");
    buf_clear(&json);
    CHECK_INT(config_get(x.file, "port", &json, NULL), 0);
    CHECK_SPAN(buf_span(&json), "7");
    buf_clear(&json);
    CHECK_INT(config_get(x.file, "hookDensity", &json, NULL), 0);
    CHECK_SPAN(buf_span(&json), "\"medium\"");
    CHECK_INT(config_get(x.file, "thine", &json, NULL), -ENOENT);
}

/* Several at once: no change is lost, and whoever reads meanwhile sees a whole file. */

enum { WRITERS = 4, ROUNDS = 25 };

struct writer {
    const char *file;
    const char *key;
};

static void *write_often(void *user) {
    const struct writer *w = user;
    char value[16];
    for (int i = 1; i <= ROUNDS; i++) {
        AUTO(config) struct config c = {0};
        (void)snprintf(value, sizeof value, "%d", i + 100);
        if (config_set(w->file, w->key, value, NULL) < 0 || config_load(w->file, &c, NULL) < 0) return NULL;
    }
    return user;
}

TEST(writers_wait_for_each_other) {
    static const char *const keys[WRITERS] = {"port", "processCheckInterval", "sessionHistoryHours",
                                              "maxTerminals"};
    AUTO(fixture) struct fixture x = fixture_make();
    pthread_t threads[WRITERS];
    struct writer writers[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        writers[i] = (struct writer){x.file, keys[i]};
        CHECK_INT(pthread_create(&threads[i], NULL, write_often, &writers[i]), 0);
    }
    for (int i = 0; i < WRITERS; i++) {
        void *result;
        CHECK_INT(pthread_join(threads[i], &result), 0);
        CHECK(result);
    }
    AUTO(config) struct config c = {0};
    CHECK_INT(config_load(x.file, &c, NULL), 0);
    CHECK(c.port == 125 && c.process_check_ms == 125 && c.history_hours == 125 && c.max_terminals == 125);
    CHECK_INT(count_entries(x.dir.path), 1);
}

/* An editor that saves at the wrong moment does not know of our lock. */
static int save_meanwhile(void *user, struct span text, struct buf *out, struct err *err UNUSED) {
    const char **path = user;
    if (*path) write_text(*path, "{\"saved\": 1}");
    *path = NULL;
    (void)buf_append_span(out, text);
    return buf_append_span(out, SPAN("\n"));
}

TEST(what_an_editor_saves_meanwhile_is_kept) {
    AUTO(fixture) struct fixture x = fixture_make();
    write_text(x.file, "{}");
    const char *path = x.file;
    CHECK_INT(config_file_edit(x.file, save_meanwhile, &path, NULL), 0);
    check_text(x.file, "{\"saved\": 1}\n");
    CHECK_INT(count_entries(x.dir.path), 1);
}

TESTS(RUN(a_file_is_made_for_its_owner_only), RUN(nothing_to_change_makes_no_file),
      RUN(symbolic_links_are_followed_and_stay), RUN(all_changes_or_none),
      RUN(a_broken_file_is_never_overwritten), RUN(what_is_no_file_is_no_configuration),
      RUN(a_link_leads_only_where_nobody_else_could_have_put_something), RUN(a_huge_file_is_refused),
      RUN(others_keys_are_listed_and_had), RUN(writers_wait_for_each_other),
      RUN(what_an_editor_saves_meanwhile_is_kept))
