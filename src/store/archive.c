/*
 * The compressed file says itself what it holds: the size is in its head, the transcript's modification time is its own.
 * The row says the same, and the two change together, one after the other. When somebody pulls the plug in between, the
 * file is the newer of the two, and is believed.
 */
#include "store/archive.h"

#include "base/mem.h"
#include "base/own.h"
#include "base/own_linked.h"
#include "store/pack.h"
#include "store/temp.h"
#include "store/transcript_int.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sys/stat.h>

/* Below the archive: there is nothing else in it to look through for leftovers. */
#define UNFINISHED ".unfinished"
#define SUFFIX ".jsonl.zst"

static const int64_t ns_per_sec = 1000000000;

/* It becomes a file's name. */
static bool is_session_id(struct span id) {
    if (id.n == 0 || id.n >= sizeof(((struct archived *)0)->session_id) || id.p[0] == '.') return false;
    for (size_t i = 0; i < id.n; i++) {
        char c = id.p[i], lower = (char)(c | 0x20);
        bool ok =
            (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
        if (!ok) return false;
    }
    return true;
}

/* What the file says, next to what the row says. */
enum file_state { FILE_GONE, FILE_DIFFERS, FILE_AS_SAID };

/* Corrects `a` by its file. */
static enum file_state look_at_file(struct archived *a) {
    AUTO(fd) int fd = own_open(a->file, O_RDONLY, 0);
    struct stat st;
    uint64_t size;
    if (fd < 0 || fstat(fd, &st) < 0 || pack_size(fd, &size) < 0) return FILE_GONE;
    if (size == a->size && (uint64_t)st.st_size == a->packed) return FILE_AS_SAID;
    a->size = size;
    a->packed = (uint64_t)st.st_size;
    a->mtime_ns = st.st_mtim.tv_sec * ns_per_sec + st.st_mtim.tv_nsec;
    return FILE_DIFFERS;
}

/* The directory that relative names in `file` start from. */
static char *base_dir(const struct transcript_db *t) {
    AUTO(free) char *copy = xstrdup(t->db->file);
    return xstrdup(dirname(copy));
}

static void read_row(const struct transcript_db *t, const struct query *q, struct archived *ret) {
    *ret = (struct archived){
        .size = column_u64(q, 3),
        .packed = column_u64(q, 4),
        .at_ms = column_i64(q, 5),
        .mtime_ns = column_i64(q, 6),
    };
    struct span file = column_span(q, 2);
    (void)snprintf(ret->session_id, sizeof ret->session_id, "%.*s", SPAN_ARG(column_span(q, 0)));
    (void)snprintf(ret->path, sizeof ret->path, "%.*s", SPAN_ARG(column_span(q, 1)));
    AUTO(free) char *base = base_dir(t);
    bool whole = span_starts(file, SPAN("/"));
    (void)snprintf(ret->file, sizeof ret->file, "%s%s%.*s", whole ? "" : base, whole ? "" : "/",
                   SPAN_ARG(file));
}

/* Those that begin with `id`, at most two of them, an exact match first. Returns how many. */
static int find_rows(struct transcript_db *t, struct span id, struct archived found[2], struct err *err) {
    AUTO(query) struct query q = db_query(t->db, TSQL_ARCHIVE_FIND);
    query_text(&q, id);
    int n = 0, r;
    while ((r = query_next(&q, err)) > 0)
        read_row(t, &q, &found[n++]);
    return r < 0 ? r : n;
}

static bool is_exact(const struct archived *a, struct span id) {
    return span_eq_str(id, a->session_id);
}

/* 1 when this version is kept already, or a longer one. */
static int is_kept(struct transcript_db *t, const struct archived *want, struct err *err) {
    struct archived found[2];
    struct span id = span_str(want->session_id);
    int r = find_rows(t, id, found, err);
    if (r <= 0 || !is_exact(&found[0], id)) return MIN(r, 0);
    switch (look_at_file(&found[0])) {
    case FILE_GONE: return 0;
    case FILE_DIFFERS: return want->size < found[0].size;
    case FILE_AS_SAID: break;
    }
    return want->size < found[0].size || (want->size == found[0].size && want->mtime_ns <= found[0].mtime_ns);
}

static int write_row(struct transcript_db *t, const struct archived *a, const char *file, struct err *err) {
    struct query q = db_query(t->db, TSQL_ARCHIVE_PUT);
    query_cstr(&q, a->session_id);
    query_cstr(&q, a->path);
    query_cstr(&q, file);
    query_u64(&q, a->size);
    query_u64(&q, a->packed);
    query_i64(&q, a->at_ms);
    query_i64(&q, a->mtime_ns);
    return query_run(&q, err);
}

/* The file as the row names it: relative when it is below the database's directory. */
static const char *stored_name(const struct transcript_db *t, const char *file) {
    AUTO(free) char *base = base_dir(t);
    AUTO(free) char *real = realpath(base, NULL);
    size_t n = real ? strlen(real) : 0;
    return n > 1 && strncmp(file, real, n) == 0 && file[n] == '/' ? file + n + 1 : file;
}

static int replace(struct transcript_db *t, struct archived *a, struct temp *temp, struct err *err) {
    int r = is_kept(t, a, err);
    if (r != 0) return r < 0 ? r : 0;
    r = temp_replace(temp, a->file, err);
    if (r == 0) r = write_row(t, a, stored_name(t, a->file), err);
    return r < 0 ? r : 1;
}

/* The look at what is there, the new name and the row are one, because another process may keep the same session. */
static int settle(struct transcript_db *t, struct archived *a, struct temp *temp, struct err *err) {
    transcript_db_enter(t);
    int r = db_begin(t->db, err);
    if (r == 0) r = replace(t, a, temp, err);
    int kept = r;
    if (r >= 0) r = db_commit(t->db, err);
    if (r < 0) db_rollback(t->db);
    transcript_db_leave(t);
    return r < 0 ? r : kept;
}

static int open_source(const char *path, const struct file_mark *mark, int *ret, struct err *err) {
    AUTO(fd) int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) < 0) return err_sys(err, -errno, "%s cannot be read", path);
    if (!S_ISREG(st.st_mode)) return err_set(err, -EINVAL, "%s is not a regular file.", path);
    if (st.st_dev != mark->device || st.st_ino != mark->inode)
        return err_set(err, -ESTALE, "%s was replaced by another file meanwhile.", path);
    *ret = TAKE_FD(fd);
    return 0;
}

static int pack_file(struct archived *a, const struct file_mark *mark, struct temp *temp, struct err *err) {
    AUTO(fd) int in = -1;
    int r = open_source(a->path, mark, &in, err);
    if (r == 0)
        r = pack(
            &(struct pack_job){.in = in, .out = temp->fd, .size = a->size, .from = a->path, .to = a->file},
            err);
    if (r == 0) r = temp_finish(temp, a->mtime_ns, err);
    struct stat st;
    if (r == 0 && fstat(temp->fd, &st) < 0) r = err_sys(err, -errno, "%s cannot be written", a->file);
    if (r == 0) a->packed = (uint64_t)st.st_size;
    return r;
}

/* Makes the directories and finds the file's place in them. */
static int make_place(const char *dir, struct archived *a, char unfinished[PATH_BYTES], struct err *err) {
    char name[sizeof a->session_id + sizeof SUFFIX];
    (void)snprintf(name, sizeof name, "%s" SUFFIX, a->session_id);
    int r = path_join(unfinished, dir, UNFINISHED);
    if (r == 0) r = path_make_dirs(unfinished);
    if (r < 0) return err_sys(err, r, "The archive's directory %s cannot be made", dir);
    AUTO(free) char *real = realpath(dir, NULL);
    r = real ? path_join(a->file, real, name) : -errno;
    return r < 0 ? err_sys(err, r, "The archive's directory %s cannot be used", dir) : 0;
}

int archive_keep(struct transcript_db *t, const char *dir, struct span session_id, const char *path,
                 const struct file_mark *mark, int64_t now_ms, struct err *err) {
    if (!is_session_id(session_id))
        return err_set(err, -EINVAL, "\"%.*s\" is not a session's id; it cannot be archived under that name.",
                       SPAN_ARG(session_id));
    struct archived a = {.size = mark->size, .mtime_ns = mark->mtime_ns, .at_ms = now_ms};
    (void)snprintf(a.session_id, sizeof a.session_id, "%.*s", SPAN_ARG(session_id));
    int r = transcript_db_absolute(path, a.path);
    if (r < 0) return err_sys(err, r, "%s cannot be archived", path);

    transcript_db_enter(t);
    r = is_kept(t, &a, err);
    transcript_db_leave(t);
    if (r != 0) return MIN(r, 0);

    char unfinished[PATH_BYTES];
    AUTO(temp) struct temp temp = TEMP_NONE;
    r = make_place(dir, &a, unfinished, err);
    if (r < 0) return r;
    temp_sweep(unfinished);
    r = temp_make(unfinished, &temp, err);
    if (r == 0) r = pack_file(&a, mark, &temp, err);
    return r < 0 ? r : settle(t, &a, &temp, err);
}

/* The next one older than (`at_ms`, `id`): 1 and `*ret`, 0 when there is none. */
static int next_row(struct transcript_db *t, int64_t at_ms, const char *id, struct archived *ret,
                    struct err *err) {
    transcript_db_enter(t);
    struct query q = db_query(t->db, TSQL_ARCHIVE_NEXT);
    query_i64(&q, at_ms);
    query_cstr(&q, id);
    int r = query_next(&q, err);
    if (r > 0) read_row(t, &q, ret);
    query_end(&q);
    transcript_db_leave(t);
    return r;
}

int archive_each(struct transcript_db *t, archive_each_fn *fn, void *user, struct err *err) {
    struct archived a = {.at_ms = INT64_MAX, .session_id = "~"};
    for (;;) {
        struct archived next;
        int r = next_row(t, a.at_ms, a.session_id, &next, err);
        if (r <= 0) return r;
        a = next;
        (void)look_at_file(&next);
        r = fn(user, &next);
        if (r != 0) return r;
    }
}

int archive_get(struct transcript_db *t, struct span session_id, struct archived *ret, struct err *err) {
    struct archived found[2];
    int r = 0;
    if (is_session_id(session_id)) {
        transcript_db_enter(t);
        r = find_rows(t, session_id, found, err);
        transcript_db_leave(t);
    }
    if (r < 0) return r;
    if (r == 0)
        return err_set(err, -ENOENT,
                       "No archived transcript is of session \"%.*s\"; `ostler archive ls` lists them.",
                       SPAN_ARG(span_take(session_id, sizeof ret->session_id)));
    if (r > 1 && !is_exact(&found[0], session_id))
        return err_set(err, -EEXIST,
                       "Several archived transcripts begin with \"%.*s\"; give more of the session's id.",
                       SPAN_ARG(session_id));
    (void)look_at_file(&found[0]);
    *ret = found[0];
    return 0;
}

int archive_restore(const struct archived *a, const char *to, struct err *err) {
    struct stat st;
    if (lstat(to, &st) == 0)
        return err_set(err, -EEXIST, "There is a file at %s already; it was left as it is.", to);
    AUTO(fd) int in = own_open(a->file, O_RDONLY, 0);
    if (in < 0) return err_set(err, in, "The archived copy %s cannot be read: %s", a->file, own_why(in));

    AUTO(free) char *copy = xstrdup(to);
    const char *dir = dirname(copy);
    int r = path_make_dirs(dir); /* it may have been deleted with its last transcript */
    if (r < 0) return err_sys(err, r, "The directory %s cannot be made", dir);
    temp_sweep(dir);
    AUTO(temp) struct temp temp = TEMP_NONE;
    r = temp_make(dir, &temp, err);
    if (r == 0)
        r = unpack(&(struct pack_job){.in = in, .out = temp.fd, .size = a->size, .from = a->file, .to = to},
                   err);
    if (r == 0) r = temp_finish(&temp, a->mtime_ns, err);
    return r < 0 ? r : temp_place(&temp, to, err);
}
