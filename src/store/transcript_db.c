#include "store/transcript_int.h"

#include "base/mem.h"
#include "base/str.h"
#include "repair/claude.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { PENDING_MAX_MS = 100 };

/* Is it about the content, so that it holds for as long as the content does? A file that could not be read may become
 * readable without a trace in its mark. */
static bool lasts(const struct scan_verdict *v) {
    return v->status == TRANSCRIPT_HEALTHY || v->status == TRANSCRIPT_CORRUPTED;
}

static int write_verdict(struct db *db, const char *path, const struct scan_verdict *v, struct err *err) {
    struct query q = db_query(db, lasts(v) ? TSQL_VERDICT_PUT : TSQL_VERDICT_FORGET);
    query_u64(&q, map_hash(span_str(path)));
    if (lasts(v)) {
        query_u64(&q, v->mark.device);
        query_u64(&q, v->mark.inode);
        query_u64(&q, v->mark.size);
        query_i64(&q, v->mark.mtime_ns);
        query_i64(&q, v->status);
        query_i64(&q, v->stop_hook_inline);
        query_u64(&q, v->depth);
        query_u64(&q, v->orphans);
        query_u64(&q, v->cycles);
        query_u64(&q, v->messages);
        query_i64(&q, v->left_alone);
        query_u64(&q, v->glued);
    }
    return query_run(&q, err);
}

/* The session of "…/<session id>.jsonl"; nothing for another name, and for a relative path, which says nothing to
 * another process. */
static struct span session_of(const char *path) {
    struct span whole = span_str(path);
    bool known = span_starts(whole, SPAN("/")) && span_ends(whole, SPAN(".jsonl"));
    return known ? claude_session_of(whole) : SPAN_NONE;
}

static int write_path(struct db *db, const char *path, const struct scan_verdict *v, struct err *err) {
    struct span session_id = session_of(path);
    if (!session_id.p || v->status == TRANSCRIPT_MISSING) return 0;
    struct query q = db_query(db, TSQL_PATH_PUT);
    query_u64(&q, map_hash(session_id));
    query_cstr(&q, path);
    return query_run(&q, err);
}

static int write_pending(struct transcript_db *t, struct err *err) {
    int r = db_begin(t->db, err);
    for (size_t i = 0; r == 0 && i < t->pending_count; i++) {
        const struct pending *p = &t->pending[i];
        r = write_verdict(t->db, p->path, &p->verdict, err);
        if (r == 0) r = write_path(t->db, p->path, &p->verdict, err);
    }
    if (r == 0) r = db_commit(t->db, err);
    if (r < 0) db_rollback(t->db);
    return r;
}

/* What cannot be written is dropped: it is only a cache, and whoever needs the verdict finds it again. */
static int commit_pending(struct transcript_db *t, struct err *err) {
    if (t->pending_count == 0) return 0;
    int r = write_pending(t, err);
    for (size_t i = 0; i < t->pending_count; i++)
        free(t->pending[i].path);
    t->pending_count = 0;
    map_fini(&t->pending_by_path);
    t->pending_by_path = MAP_INIT;
    return r;
}

static void lock(struct transcript_db *t) {
    (void)pthread_mutex_lock(&t->lock);
}

void transcript_db_leave(struct transcript_db *t) {
    (void)pthread_mutex_unlock(&t->lock);
}

static bool overdue(const struct transcript_db *t) {
    return t->pending_count && clock_mono(t->clock) - t->pending_since >= PENDING_MAX_MS * USEC_PER_MSEC;
}

void transcript_db_enter(struct transcript_db *t) {
    lock(t);
    if (overdue(t)) (void)commit_pending(t, NULL);
}

int transcript_db_open(const char *file, struct transcript_db **ret, struct err *err) {
    struct db *db;
    int r = db_open(file, &transcript_schema, &db, err);
    if (r < 0) return r;
    struct transcript_db *t = xcalloc(1, sizeof *t);
    t->db = db;
    t->clock = &clock_system;
    (void)pthread_mutex_init(&t->lock, NULL);
    *ret = t;
    return 0;
}

void transcript_db_close(struct transcript_db *t) {
    if (!t) return;
    (void)commit_pending(t, NULL);
    db_close(t->db);
    (void)pthread_mutex_destroy(&t->lock);
    free(t);
}

static int read_verdict(struct db *db, const char *path, struct scan_verdict *ret) {
    AUTO(query) struct query q = db_query(db, TSQL_VERDICT_GET);
    query_u64(&q, map_hash(span_str(path)));
    if (query_next(&q, NULL) <= 0) return 0;
    *ret = (struct scan_verdict){
        .mark = {.device = column_u64(&q, 0),
                 .inode = column_u64(&q, 1),
                 .size = column_u64(&q, 2),
                 .mtime_ns = column_i64(&q, 3)},
        .status = (enum transcript_status)column_i64(&q, 4),
        .stop_hook_inline = column_i64(&q, 5) != 0,
        .depth = column_u64(&q, 6),
        .orphans = column_u64(&q, 7),
        .cycles = column_u64(&q, 8),
        .messages = column_u64(&q, 9),
        .left_alone = column_i64(&q, 10) != 0,
        .glued = column_u64(&q, 11),
    };
    return 1;
}

int transcript_db_get(struct transcript_db *t, const char *path, const struct file_mark *mark,
                      struct scan_verdict *ret) {
    struct scan_verdict v;
    transcript_db_enter(t);
    const struct pending *p = map_get(&t->pending_by_path, span_str(path));
    if (p) v = p->verdict;
    int r = p ? 1 : read_verdict(t->db, path, &v);
    transcript_db_leave(t);
    if (r == 0 || !lasts(&v) || !file_mark_eq(&v.mark, mark)) return 0;
    *ret = v;
    return 1;
}

int transcript_db_put(struct transcript_db *t, const char *path, const struct scan_verdict *v,
                      struct err *err) {
    if (strlen(path) >= PATH_BYTES)
        return err_set(err, -ENAMETOOLONG, "The path of a transcript is too long: %s", path);
    lock(t);
    struct pending *p = map_get(&t->pending_by_path, span_str(path));
    if (!p) {
        if (t->pending_count == 0) t->pending_since = clock_mono(t->clock);
        p = &t->pending[t->pending_count++];
        p->path = xstrdup(path);
        (void)map_put(&t->pending_by_path, span_str(path), p);
    }
    p->verdict = *v;
    int r = t->pending_count == TRANSCRIPT_DB_BATCH || overdue(t) ? commit_pending(t, err) : 0;
    transcript_db_leave(t);
    return r;
}

int transcript_db_flush(struct transcript_db *t, struct err *err) {
    lock(t);
    int r = commit_pending(t, err);
    transcript_db_leave(t);
    return r;
}

static int read_path(struct db *db, struct span session_id, char out[PATH_BYTES]) {
    AUTO(query) struct query q = db_query(db, TSQL_PATH_GET);
    query_u64(&q, map_hash(session_id));
    if (query_next(&q, NULL) <= 0) return 0;
    char path[PATH_BYTES];
    struct span found = column_span(&q, 0);
    if (found.n >= sizeof path) return 0;
    (void)snprintf(path, sizeof path, "%.*s", SPAN_ARG(found));
    if (!span_eq(session_of(path), session_id)) return 0;
    memcpy(out, path, found.n + 1);
    return 1;
}

int transcript_db_path(struct transcript_db *t, struct span session_id, char out[PATH_BYTES]) {
    lock(t);
    (void)commit_pending(t, NULL);
    int r = read_path(t->db, session_id, out);
    transcript_db_leave(t);
    return r;
}

static int write_number(struct db *db, enum transcript_sql statement, const char *name, int64_t value,
                        struct err *err) {
    struct query q = db_query(db, statement);
    query_cstr(&q, name);
    query_i64(&q, value);
    return query_run(&q, err);
}

int transcript_db_absolute(const char *path, char out[PATH_BYTES]) {
    AUTO(free) char *real = path[0] == '/' ? NULL : realpath(path, NULL);
    int n = snprintf(out, PATH_BYTES, "%s", real ? real : path);
    return n < PATH_BYTES ? 0 : -ENAMETOOLONG;
}

int transcript_db_backup(struct transcript_db *t, const char *backup, int64_t made_ms, struct err *err) {
    char absolute[PATH_BYTES];
    int r = transcript_db_absolute(backup, absolute);
    if (r < 0) return err_sys(err, r, "The backup %s cannot be noted", backup);
    transcript_db_enter(t);
    r = write_number(t->db, TSQL_BACKUP_PUT, absolute, made_ms, err);
    transcript_db_leave(t);
    return r;
}

/* "….jsonl.backup-<digits>": nothing else is ever deleted, whatever the database says. */
static bool is_backup_name(struct span path) {
    size_t digits = 0;
    while (digits < path.n && path.p[path.n - 1 - digits] >= '0' && path.p[path.n - 1 - digits] <= '9')
        digits++;
    return digits > 0 && span_ends(span_take(path, path.n - digits), SPAN(".jsonl.backup-"));
}

/* 1 deleted, 0 not there (or something else is there by now), negative errno when it could not be deleted. */
static int delete_backup(const char *path) {
    struct stat st;
    if (!is_backup_name(span_str(path))) return 0;
    if (lstat(path, &st) < 0) return errno == ENOENT || errno == ENOTDIR ? 0 : -errno;
    if (!S_ISREG(st.st_mode)) return 0;
    if (unlink(path) < 0) return errno == ENOENT ? 0 : -errno;
    return 1;
}

/* The first of them behind `after`, in the order of their names. */
static int next_backup(struct transcript_db *t, int64_t before_ms, const char *after, char **ret,
                       struct err *err) {
    AUTO(query) struct query q = db_query(t->db, TSQL_BACKUP_NEXT);
    query_i64(&q, before_ms);
    query_cstr(&q, after);
    int r = query_next(&q, err);
    if (r > 0) *ret = str_dup(column_span(&q, 0));
    return r;
}

int transcript_db_prune(struct transcript_db *t, int64_t before_ms, struct err *err) {
    AUTO(free) char *path = xstrdup("");
    int deleted = 0, r;
    transcript_db_enter(t);
    for (;;) {
        char *next;
        r = next_backup(t, before_ms, path, &next, err);
        if (r <= 0) break;
        free(path);
        path = next;
        int done = delete_backup(path);
        if (done < 0) continue;
        deleted += done;
        struct query q = db_query(t->db, TSQL_BACKUP_FORGET);
        query_cstr(&q, path);
        r = query_run(&q, err);
        if (r < 0) break;
    }
    transcript_db_leave(t);
    return r < 0 ? r : deleted;
}

int transcript_db_setting(struct transcript_db *t, const char *name, int64_t *ret) {
    transcript_db_enter(t);
    struct query q = db_query(t->db, TSQL_SETTING_GET);
    query_cstr(&q, name);
    int r = query_next(&q, NULL);
    if (r > 0) *ret = column_i64(&q, 0);
    query_end(&q);
    transcript_db_leave(t);
    return r > 0;
}

int transcript_db_set(struct transcript_db *t, const char *name, int64_t value, struct err *err) {
    transcript_db_enter(t);
    int r = write_number(t->db, TSQL_SETTING_PUT, name, value, err);
    transcript_db_leave(t);
    return r;
}
