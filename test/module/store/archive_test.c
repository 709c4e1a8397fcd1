/* What is kept, under which name, found how, and put back. */
#include "transcript_fixture.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { MB = 1 << 20 };

static const int64_t mtime = 1700000000123456789;

/* Writes a transcript of session `id` and keeps it. */
static int keep(struct fixture *f, const char *id, const void *bytes, size_t n, int64_t mtime_ns) {
    char path[PATH_BYTES], name[80];
    (void)snprintf(name, sizeof name, "%s.jsonl", id);
    write_file(fixture_path(f, name, path), bytes, n);
    set_mtime(path, mtime_ns);
    struct file_mark mark = mark_of(path);
    f->err = (struct err){0};
    return archive_keep(f->db, f->archive, span_str(id), path, &mark, 5000, &f->err);
}

static struct archived get(struct fixture *f, const char *id) {
    struct archived a;
    if (archive_get(f->db, span_str(id), &a, &f->err) < 0) fail_msg("%s", f->err.msg);
    return a;
}

/* The archived copy of a session is exactly this. */
static void check_restores(struct fixture *f, const char *id, const void *bytes, size_t n) {
    char to[PATH_BYTES];
    struct archived a = get(f, id);
    if (archive_restore(&a, fixture_path(f, "restored", to), &f->err) < 0) fail_msg("%s", f->err.msg);
    CHECK(file_is(to, bytes, n));
    CHECK_INT(mark_of(to).mtime_ns, a.mtime_ns);
    CHECK_INT(unlink(to), 0);
}

TEST(a_transcript_comes_back_as_it_was) {
    struct fixture f;
    fixture_open(&f);
    const char text[] = "{\"uuid\":\"1\"}\n{\"uuid\":\"2\",\"parentUuid\":\"1\"}\n";
    CHECK_INT(keep(&f, "0a-B_c.9", text, sizeof text - 1, mtime), 1);
    fixture_reopen(&f);
    struct archived a = get(&f, "0a-B_c.9");
    char path[PATH_BYTES], file[PATH_BYTES];
    CHECK_STR(a.session_id, "0a-B_c.9");
    CHECK_STR(a.path, fixture_path(&f, "0a-B_c.9.jsonl", path));
    CHECK_STR(a.file, fixture_path(&f, "archive/0a-B_c.9.jsonl.zst", file));
    CHECK_INT(a.size, sizeof text - 1);
    CHECK_INT(a.packed, mark_of(file).size);
    CHECK_INT(a.at_ms, 5000);
    CHECK_INT(a.mtime_ns, mtime);
    struct stat st;
    CHECK_INT(stat(file, &st), 0);
    CHECK_INT(st.st_mode & 0777, 0600);

    CHECK_INT(unlink(path), 0);
    CHECK_INT(archive_restore(&a, a.path, &f.err), 0);
    CHECK(file_is(path, text, sizeof text - 1));
    CHECK_INT(mark_of(path).mtime_ns, mtime);
    CHECK_INT(stat(path, &st), 0);
    CHECK_INT(st.st_mode & 0777, 0600);
    fixture_close(&f);
}

TEST(an_empty_one_and_a_large_one_come_back) {
    struct fixture f;
    fixture_open(&f);
    CHECK_INT(keep(&f, "empty", "", 0, -1), 1); /* and a time before 1970 */
    check_restores(&f, "empty", "", 0);

    size_t n = 20 * MB + 17;
    AUTO(free) char *bytes = xmalloc(n);
    uint64_t random = 88172645463325252;
    for (size_t i = 0; i < n; i++) { /* half noise, half the same again and again */
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        bytes[i] = i / MB % 2 ? (char)random : "0123456789\n"[i % 11];
    }
    CHECK_INT(keep(&f, "large", bytes, n, mtime), 1);
    CHECK(get(&f, "large").packed < n * 6 / 10);
    check_restores(&f, "large", bytes, n);
    fixture_close(&f);
}

TEST(only_a_newer_version_takes_the_place_of_another) {
    struct fixture f;
    fixture_open(&f);
    CHECK_INT(keep(&f, "s", "one two", 7, mtime), 1);
    CHECK_INT(keep(&f, "s", "one two", 7, mtime), 0);
    CHECK_INT(keep(&f, "s", "ONE TWO", 7, mtime - 1), 0);
    CHECK_INT(keep(&f, "s", "one", 3, mtime + 5), 0);
    check_restores(&f, "s", "one two", 7);
    CHECK_INT(keep(&f, "s", "one/two", 7, mtime + 1), 1); /* mended in place */
    check_restores(&f, "s", "one/two", 7);
    CHECK_INT(keep(&f, "s", "one two three", 13, mtime - 9), 1);
    check_restores(&f, "s", "one two three", 13);
    CHECK_INT(count_files(f.archive), 2); /* it, and the directory of unfinished ones */
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM archive"), 1);
    fixture_close(&f);
}

TEST(exactly_the_bytes_of_the_mark_are_kept) {
    struct fixture f;
    fixture_open(&f);
    char path[PATH_BYTES];
    write_file(fixture_path(&f, "s.jsonl", path), "one\ntwo\nthr", 11);
    struct file_mark mark = mark_of(path);
    mark.size = 8; /* as it was before somebody went on writing */
    CHECK_INT(archive_keep(f.db, f.archive, SPAN("s"), path, &mark, 1, &f.err), 1);
    check_restores(&f, "s", "one\ntwo\n", 8);

    mark.size = 12;
    CHECK_INT(archive_keep(f.db, f.archive, SPAN("s"), path, &mark, 1, &f.err), -ESTALE);
    CHECK(strstr(f.err.msg, "became shorter") != NULL);
    mark.inode++;
    CHECK_INT(archive_keep(f.db, f.archive, SPAN("s"), path, &mark, 1, &f.err), -ESTALE);
    CHECK(strstr(f.err.msg, "was replaced") != NULL);
    CHECK_INT(unlink(path), 0);
    CHECK_INT(archive_keep(f.db, f.archive, SPAN("s"), path, &mark, 1, &f.err), -ENOENT);
    CHECK_INT(mkdir(path, 0700), 0);
    CHECK_INT(archive_keep(f.db, f.archive, SPAN("s"), path, &mark, 1, &f.err), -EINVAL);
    check_restores(&f, "s", "one\ntwo\n", 8);
    CHECK_INT(count_files(f.archive), 2);
    char unfinished[PATH_BYTES];
    CHECK_INT(count_files(fixture_path(&f, "archive/.unfinished", unfinished)), 0);
    fixture_close(&f);
}

TEST(what_is_no_session_id_becomes_no_file) {
    struct fixture f;
    fixture_open(&f);
    char path[PATH_BYTES], longest[80];
    write_file(fixture_path(&f, "t", path), "x", 1);
    struct file_mark mark = mark_of(path);
    (void)snprintf(longest, sizeof longest, "%064d", 0);
    const struct span bad[] = {SPAN_NONE,    SPAN(""),     SPAN("."),   SPAN(".."),   SPAN(".a"),
                               SPAN("a/b"),  SPAN("../a"), SPAN("a b"), SPAN("a\0b"), SPAN("\303\244"),
                               SPAN("a\nb"), SPAN("a[b"),  SPAN("a`"),  SPAN("a@b"),  span_str(longest)};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct archived a;
        CHECK_INT(archive_keep(f.db, f.archive, bad[i], path, &mark, 1, &f.err), -EINVAL);
        CHECK(strstr(f.err.msg, "not a session's id") != NULL);
        CHECK_INT(archive_get(f.db, bad[i], &a, &f.err), -ENOENT);
    }
    CHECK_INT(archive_keep(f.db, f.archive, span_str(longest + 1), path, &mark, 1, &f.err), 1);
    CHECK_STR(get(&f, longest + 1).session_id, longest + 1);
    fixture_close(&f);
}

TEST(a_session_is_found_by_the_beginning_of_its_id) {
    struct fixture f;
    fixture_open(&f);
    const char *const ids[] = {"ab12", "ab13", "abc", "abcd", "ABX"};
    for (size_t i = 0; i < ARRAY_LEN(ids); i++)
        CHECK_INT(keep(&f, ids[i], ids[i], strlen(ids[i]), mtime), 1);
    struct archived a = {0};
    CHECK_STR(get(&f, "ab12").session_id, "ab12");
    CHECK_STR(get(&f, "abcd").session_id, "abcd");
    CHECK_STR(get(&f, "abc").session_id, "abc"); /* another one begins so, but this is it */
    CHECK_STR(get(&f, "A").session_id, "ABX");
    CHECK_INT(archive_get(f.db, SPAN("ab"), &a, &f.err), -EEXIST);
    CHECK(strstr(f.err.msg, "Several") != NULL);
    CHECK_INT(archive_get(f.db, SPAN("ab1"), &a, &f.err), -EEXIST);
    CHECK_INT(archive_get(f.db, SPAN("ab14"), &a, &f.err), -ENOENT);
    CHECK_INT(archive_get(f.db, SPAN("b"), &a, &f.err), -ENOENT);
    CHECK_INT(archive_get(f.db, SPAN("%"), &a, &f.err), -ENOENT);
    CHECK_STR(a.session_id, "");
    fixture_close(&f);
}

struct list_of_ids {
    struct transcript_db *db;
    char text[64];
    int stop_after;
};

static int note_id(void *user, const struct archived *a) {
    struct list_of_ids *list = user;
    struct archived same;
    CHECK_INT(archive_get(list->db, span_str(a->session_id), &same, NULL), 0); /* it may ask back */
    size_t n = strlen(list->text);
    (void)snprintf(list->text + n, sizeof list->text - n, "%s ", a->session_id);
    return --list->stop_after == 0 ? 42 : 0;
}

TEST(the_newest_is_listed_first) {
    struct fixture f;
    fixture_open(&f);
    struct list_of_ids list = {.db = f.db};
    CHECK_INT(archive_each(f.db, note_id, &list, &f.err), 0);
    CHECK_STR(list.text, "");
    char path[PATH_BYTES];
    write_file(fixture_path(&f, "t", path), "x", 1);
    struct file_mark mark = mark_of(path);
    const struct {
        const char *id;
        int64_t at;
    } kept[] = {{"a", 20}, {"b", 30}, {"c", 10}, {"d", 20}};
    for (size_t i = 0; i < ARRAY_LEN(kept); i++)
        CHECK_INT(archive_keep(f.db, f.archive, span_str(kept[i].id), path, &mark, kept[i].at, &f.err), 1);
    CHECK_INT(archive_each(f.db, note_id, &list, &f.err), 0);
    CHECK_STR(list.text, "b d a c ");
    list = (struct list_of_ids){.db = f.db, .stop_after = 2};
    CHECK_INT(archive_each(f.db, note_id, &list, &f.err), 42);
    CHECK_STR(list.text, "b d ");
    fixture_close(&f);
}

TEST(nothing_is_ever_overwritten) {
    struct fixture f;
    fixture_open(&f);
    CHECK_INT(keep(&f, "s", "kept", 4, mtime), 1);
    struct archived a = get(&f, "s");
    char path[PATH_BYTES];
    write_file(fixture_path(&f, "there", path), "precious", 8);
    CHECK_INT(archive_restore(&a, path, &f.err), -EEXIST);
    CHECK(strstr(f.err.msg, "left as it is") != NULL);
    CHECK(file_is(path, "precious", 8));
    CHECK_INT(symlink("nowhere", fixture_path(&f, "link", path)), 0);
    CHECK_INT(archive_restore(&a, path, &f.err), -EEXIST);
    CHECK_INT(archive_restore(&a, f.dir.path, &f.err), -EEXIST);

    CHECK_INT(archive_restore(&a, fixture_path(&f, "gone/project/s.jsonl", path), &f.err), 0);
    CHECK(file_is(path, "kept", 4));
    CHECK_INT(count_files(fixture_path(&f, "gone/project", path)), 1);
    fixture_close(&f);
}

TEST(the_state_directory_can_be_moved) {
    struct fixture f;
    fixture_make(&f);
    char state[PATH_BYTES], moved[PATH_BYTES];
    CHECK_INT(mkdir(fixture_path(&f, "state", state), 0700), 0);
    CHECK_INT(path_join(f.file, state, "transcripts.db"), 0);
    CHECK_INT(path_join(f.archive, state, "archive"), 0);
    fixture_reopen(&f);
    CHECK_INT(keep(&f, "inside", "1", 1, mtime), 1);
    fixture_path(&f, "elsewhere", f.archive);
    CHECK_INT(keep(&f, "outside", "2", 1, mtime), 1);
    transcript_db_close(f.db);
    f.db = NULL;
    CHECK_INT(rename(state, fixture_path(&f, "moved", moved)), 0);
    CHECK_INT(path_join(f.file, moved, "transcripts.db"), 0);
    fixture_reopen(&f);
    check_restores(&f, "inside", "1", 1);
    check_restores(&f, "outside", "2", 1);
    fixture_close(&f);
}

TESTS(RUN(a_transcript_comes_back_as_it_was), RUN(an_empty_one_and_a_large_one_come_back),
      RUN(only_a_newer_version_takes_the_place_of_another), RUN(exactly_the_bytes_of_the_mark_are_kept),
      RUN(what_is_no_session_id_becomes_no_file), RUN(a_session_is_found_by_the_beginning_of_its_id),
      RUN(the_newest_is_listed_first), RUN(nothing_is_ever_overwritten),
      RUN(the_state_directory_can_be_moved))
