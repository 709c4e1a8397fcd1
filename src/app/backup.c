/* What goes into a backup, and in which order it is taken. */
#include "app/backup.h"

#include "app/backup_stream.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/own.h"
#include "base/own_linked.h"
#include "base/strv.h"
#include "config/config.h"
#include "config/file.h"
#include "spool/survey.h"
#include "store/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { SMALL_BYTES_MAX = 1 << 20, LIST_TRIES = 20, NAME_BYTES = 256 };

/* An open file that is to become a part. */
struct piece {
    char name[NAME_BYTES];
    int fd;
    struct stat st;
};

struct pieces {
    struct piece *v;
    size_t n, room;
};

static void pieces_fini(struct pieces *p) {
    for (size_t i = 0; i < p->n; i++)
        (void)close(p->v[i].fd);
    free(p->v);
    *p = (struct pieces){0};
}

static inline void cleanup_pieces(struct pieces *p) {
    pieces_fini(p);
}

/* Opens a file of a directory of ours. `st.st_size` is what of it will be taken. */
static int pieces_add(struct pieces *p, int dir, const char *file, const char *prefix) {
    struct piece piece;
    if ((size_t)snprintf(piece.name, sizeof piece.name, "%s/%s", prefix, file) >= sizeof piece.name)
        return -ENAMETOOLONG;
    AUTO(fd) int fd = own_open_at(dir, file, O_RDONLY, 0);
    if (fd < 0) return fd;
    if (fstat(fd, &piece.st) < 0) return -errno;
    if (p->n == p->room) {
        p->room = p->room ? p->room * 2 : 16;
        p->v = xreallocarray(p->v, p->room, sizeof *p->v);
    }
    piece.fd = TAKE_FD(fd);
    p->v[p->n++] = piece;
    return 0;
}

static int put_pieces(struct backup_stream *out, const struct pieces *p, struct err *err) {
    int r = 0;
    for (size_t i = 0; r == 0 && i < p->n; i++)
        r = backup_stream_file(out, p->v[i].name, p->v[i].fd, (uint64_t)p->v[i].st.st_size,
                               p->v[i].st.st_mtim.tv_sec, err);
    return r;
}

/* A directory's entries that may be parts; none when there is no such directory. */
static int list_names(const char *dir, const char *prefix, char ***ret) {
    AUTO(fd) int fd = own_dir(dir);
    if (fd < 0) return fd == -ENOENT ? 0 : fd;
    AUTO(dir) DIR *d = fdopendir(fd);
    if (!d) return -errno;
    (void)TAKE_FD(fd); /* the stream's, from here on */
    for (const struct dirent *e; (e = readdir(d));) {
        char name[NAME_BYTES];
        if ((size_t)snprintf(name, sizeof name, "%s/%s", prefix, e->d_name) < sizeof name &&
            backup_is_part(name))
            strv_push(ret, span_str(e->d_name));
    }
    return 0;
}

/* All files of a directory, as they are together: one that is renamed or deleted meanwhile makes it begin anew. */
static int add_dir(struct pieces *p, const char *dir, const char *prefix) {
    int r = -ENOENT;
    for (int i = 0; r == -ENOENT && i < LIST_TRIES; i++) {
        AUTO(strv) char **names = NULL;
        AUTO(pieces) struct pieces some = {0};
        r = list_names(dir, prefix, &names);
        if (r < 0 || !names) return r;
        AUTO(fd) int fd = own_dir(dir);
        r = MIN(fd, 0);
        for (size_t k = 0; r == 0 && names[k]; k++)
            r = pieces_add(&some, fd, names[k], prefix);
        if (r < 0) continue;
        p->v = xreallocarray(p->v, p->n + some.n + 1, sizeof *p->v);
        if (some.n) memcpy(p->v + p->n, some.v, some.n * sizeof *some.v);
        p->n += some.n;
        p->room = p->n + 1;
        some.n = 0;
    }
    return r;
}

/* ---- the spool ------------------------------------------------------------------------------------------------- */

static void note_number(void *user, const struct survey_segment *s) {
    uint64_t *newest = user;
    *newest = MAX(*newest, s->number);
}

/* The segments, held open: what is deleted from now on can still be read. */
static int hold_spool(const char *dir, struct pieces *ret) {
    AUTO(fd) int fd = own_dir(dir);
    if (fd < 0) return fd == -ENOENT ? 0 : fd;
    for (int i = 0; i < LIST_TRIES; i++) {
        uint64_t before = 0, after = 0;
        int r = survey_sealed(fd, note_number, &before);
        if (r == 0) r = add_dir(ret, dir, "state/spool");
        if (r == 0) r = survey_sealed(fd, note_number, &after);
        if (r < 0 || before == after) return r;
        pieces_fini(ret); /* a segment was sealed while we looked: its name is another one now */
    }
    return -EAGAIN;
}

static bool holds(const struct pieces *p, const struct piece *one) {
    for (size_t i = 0; i < p->n; i++)
        if (p->v[i].st.st_dev == one->st.st_dev && p->v[i].st.st_ino == one->st.st_ino) return true;
    return false;
}

static uint64_t newest_of(const struct pieces *p) {
    uint64_t newest = 0, number;
    for (size_t i = 0; i < p->n; i++)
        if (segment_number(strrchr(p->v[i].name, '/') + 1, &number)) newest = MAX(newest, number);
    return newest;
}

/* What was there before the database's moment and is no more: it may hold what is not in that database yet. The one that was written
 * to then was sealed after all others of that time. */
static void keep_deleted(struct pieces *now, struct pieces *before) {
    uint64_t number = newest_of(before) + 1, ignored;
    for (size_t i = 0; i < before->n; i++) {
        struct piece *one = &before->v[i];
        if (holds(now, one)) continue;
        (void)fstat(one->fd, &one->st); /* it may have grown before it was sealed */
        if (!segment_number(strrchr(one->name, '/') + 1, &ignored)) {
            char name[SPOOL_SEALED_NAME_BYTES];
            segment_name(name, number);
            (void)snprintf(one->name, sizeof one->name, "state/spool/%s", name);
        }
        now->v = xreallocarray(now->v, now->n + 1, sizeof *now->v);
        now->v[now->n++] = *one;
        now->room = now->n;
        *one = before->v[--before->n];
        i--;
    }
}

/* ---- databases ------------------------------------------------------------------------------------------------- */

struct counting {
    struct backup_stream *out;
    uint64_t done;
    int result;
};

static bool on_copied(void *user, uint64_t done) {
    struct counting *c = user;
    c->result = backup_stream_advance(c->out, done - MIN(done, c->done));
    c->done = MAX(done, c->done);
    return c->result == 0;
}

static int put_database(struct backup_stream *out, struct snapshot *s, const char *dir, const char *name,
                        struct err *err) {
    AUTO(fd) int fd = -1;
    struct counting c = {.out = out};
    struct stat st;
    int r = snapshot_copy(s, dir, on_copied, &c, &fd, err);
    if (r < 0) return r;
    if (fstat(fd, &st) < 0) return err_sys(err, -errno, "%s cannot be copied", name);
    return backup_stream_file(out, name, fd, (uint64_t)st.st_size, st.st_mtim.tv_sec, err);
}

/* One that is not there is no failure. */
static int open_database(const struct paths *paths, const char *name, struct snapshot **ret,
                         struct err *err) {
    char file[PATH_BYTES];
    int r = path_join(file, paths->state, name);
    if (r < 0) return err_set(err, r, "the path of the state directory is too long");
    r = snapshot_open(file, ret, err);
    return r == -ENOENT ? 0 : r;
}

/* ---- the rest -------------------------------------------------------------------------------------------------- */

/* A small file of ours; one that is not there is left out. */
static int put_small(struct backup_stream *out, const char *dir, const char *file, const char *name,
                     struct err *err) {
    AUTO(buf) struct buf text = BUF_INIT(SMALL_BYTES_MAX);
    char path[PATH_BYTES];
    int r = path_join(path, dir, file);
    if (r == 0) r = file_read(path, &text);
    if (r == -ENOENT) return 0;
    if (r < 0) return err_set(err, r, "cannot read %s: %s", path, own_why(r));
    return backup_stream_bytes(out, name, buf_span(&text), err);
}

/* Takes the password's hash out of a configuration's text, however often it is in there. */
static int leave_out_password(const char *file, struct buf *text, struct err *err) {
    const struct config_change change = {.key = "passwordHash"};
    for (;;) {
        AUTO(buf) struct buf without = BUF_INIT(CONFIG_FILE_BYTES_MAX);
        int r = config_edit(buf_span(text), file, &change, &without, err);
        if (r < 0) return r;
        if (span_eq(buf_span(text), buf_span(&without))) return 0;
        struct buf with = *text;
        *text = without;
        without = with;
    }
}

static int put_config(struct backup_stream *out, const struct paths *paths, bool secrets, struct err *err) {
    static const char *const names[] = {"config.json", "redact.patterns"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        AUTO(buf) struct buf text = BUF_INIT(CONFIG_FILE_BYTES_MAX);
        char path[PATH_BYTES], name[NAME_BYTES];
        if (path_join(path, paths->config, names[i]) < 0)
            return err_set(err, -ENAMETOOLONG, "the path of the configuration directory is too long");
        int r = config_file_read(path, &text, err);
        if (r == -ENOENT) continue;
        if (r == 0 && i == 0 && !secrets) r = leave_out_password(path, &text, err);
        (void)snprintf(name, sizeof name, "config/%s", names[i]);
        if (r == 0) r = backup_stream_bytes(out, name, buf_span(&text), err);
        if (r < 0) return r;
    }
    return 0;
}

static int put_secrets(struct backup_stream *out, const struct paths *paths, struct err *err) {
    int r = put_small(out, paths->state, "tokens", "state/tokens", err);
    if (r == 0) r = put_small(out, paths->state, "tls.pem", "state/tls.pem", err);
    if (r == 0) r = put_small(out, paths->state, "push.key", "state/push.key", err);
    if (r == 0) r = put_small(out, paths->state, "push", "state/push", err);
    return r < 0 ? r : put_small(out, paths->config, "hook.token", "config/hook.token", err);
}

/* The files beside the journal come last: a terminal says that it began anew before its journal does. One without meta.json is
 * being deleted. */
static int put_terminal(struct backup_stream *out, const char *terminals, const char *id, uint64_t *count,
                        struct err *err) {
    char dir[PATH_BYTES], journal[PATH_BYTES], prefix[NAME_BYTES], inner[NAME_BYTES];
    AUTO(pieces) struct pieces p = {0};
    (void)snprintf(prefix, sizeof prefix, "state/terminals/%.64s", id);
    (void)snprintf(inner, sizeof inner, "%.100s/journal", prefix);
    int r = path_join(dir, terminals, id);
    if (r == 0) r = path_join(journal, dir, "journal");
    if (r == 0) r = add_dir(&p, journal, inner);
    if (r == 0) r = add_dir(&p, dir, prefix);
    bool has_meta = false;
    for (size_t i = 0; i < p.n; i++)
        has_meta |= span_ends(span_str(p.v[i].name), SPAN("/meta.json"));
    if (r == -ENOENT || (r == 0 && !has_meta)) return 0;
    if (r < 0) return err_set(err, r, "the terminal in %s cannot be read: %s", dir, own_why(r));
    ++*count;
    return put_pieces(out, &p, err);
}

static int put_terminals(struct backup_stream *out, const struct paths *paths, uint64_t *count,
                         struct err *err) {
    char dir[PATH_BYTES];
    if (path_join(dir, paths->state, "terminals") < 0)
        return err_set(err, -ENAMETOOLONG, "the path of the state directory is too long");
    AUTO(fd) int fd = own_dir(dir);
    if (fd < 0) return fd == -ENOENT ? 0 : err_set(err, fd, "%s cannot be read: %s", dir, own_why(fd));
    AUTO(dir) DIR *d = fdopendir(fd);
    if (!d) return err_sys(err, -errno, "%s cannot be read", dir);
    (void)TAKE_FD(fd); /* the stream's, from here on */
    int r = 0;
    for (const struct dirent *e; r == 0 && (e = readdir(d));)
        if (span_starts(span_str(e->d_name), SPAN("term-")))
            r = put_terminal(out, dir, e->d_name, count, err);
    return r;
}

static int put_archive(struct backup_stream *out, const struct paths *paths, struct err *err) {
    char dir[PATH_BYTES];
    AUTO(strv) char **names = NULL;
    int r = path_join(dir, paths->state, "archive");
    if (r == 0) r = list_names(dir, "state/archive", &names);
    for (size_t i = 0; r == 0 && names && names[i]; i++) {
        AUTO(pieces) struct pieces one = {0};
        AUTO(fd) int fd = own_dir(dir);
        r = fd < 0 ? fd : pieces_add(&one, fd, names[i], "state/archive");
        if (r == 0) r = put_pieces(out, &one, err);
        if (r == -ENOENT) r = 0;
        if (r == -ECANCELED) return r;
    }
    return r < 0 ? err_set(err, r, "%s cannot be read: %s", dir, own_why(r)) : 0;
}

/* How many bytes lie below a directory, roughly: for who watches. */
static uint64_t weigh(int parent, const char *name, int depth) {
    AUTO(fd) int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    AUTO(dir) DIR *d = fd < 0 ? NULL : fdopendir(fd);
    uint64_t bytes = 0;
    struct stat st;
    if (d) (void)TAKE_FD(fd);
    for (const struct dirent *e; d && (e = readdir(d));) {
        if (e->d_name[0] == '.' || fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0) continue;
        if (S_ISREG(st.st_mode)) bytes += (uint64_t)st.st_size;
        if (S_ISDIR(st.st_mode) && depth) bytes += weigh(dirfd(d), e->d_name, depth - 1);
    }
    return bytes;
}

static uint64_t weigh_all(const struct paths *paths, const struct snapshot *a, const struct snapshot *b) {
    AUTO(fd) int fd = own_dir(paths->state);
    uint64_t databases = (a ? snapshot_size(a) : 0) + (b ? snapshot_size(b) : 0);
    if (fd < 0) return 2 * databases;
    return 2 * databases + weigh(fd, "spool", 0) + weigh(fd, "terminals", 2) + weigh(fd, "archive", 0);
}

/* ---- all of it ------------------------------------------------------------------------------------------------- */

struct source {
    struct pieces spool;
    struct snapshot *sessions, *transcripts;
};

/* The moment: the spool before it, the databases, the spool after it. */
static int hold_moment(const struct paths *paths, struct source *s, struct err *err) {
    AUTO(pieces) struct pieces before = {0};
    int r = hold_spool(paths->spool, &before);
    if (r < 0) return err_set(err, r, "the spool %s cannot be read: %s", paths->spool, own_why(r));
    r = open_database(paths, "ostler.db", &s->sessions, err);
    if (r == 0) r = open_database(paths, "transcripts.db", &s->transcripts, err);
    if (r < 0) return r;
    r = hold_spool(paths->spool, &s->spool);
    if (r < 0) return err_set(err, r, "the spool %s cannot be read: %s", paths->spool, own_why(r));
    keep_deleted(&s->spool, &before);
    if (s->sessions || s->spool.n) return 0;
    return err_set(err, -ENOENT, "there is nothing to back up in %s", paths->state);
}

static int put_all(struct backup_stream *out, const struct paths *paths, struct source *s,
                   struct backup_info *info, struct err *err) {
    int64_t sessions = 0;
    int r = 0;
    if (s->sessions) r = snapshot_number(s->sessions, "SELECT count(*) FROM sessions", &sessions, err);
    if (r == 0 && s->sessions) r = put_database(out, s->sessions, paths->state, "state/ostler.db", err);
    if (r == 0 && s->transcripts)
        r = put_database(out, s->transcripts, paths->state, "state/transcripts.db", err);
    if (r == 0) r = put_pieces(out, &s->spool, err);
    if (r == 0) r = put_terminals(out, paths, &info->terminals, err);
    if (r == 0) r = put_archive(out, paths, err);
    if (r == 0) r = put_config(out, paths, info->secrets, err);
    if (r == 0 && info->secrets) r = put_secrets(out, paths, err);
    info->sessions = (uint64_t)sessions;
    return r < 0 ? r : backup_stream_end(out, info, err);
}

int backup_write(const struct paths *paths, bool secrets, int out, const struct backup_watch *watch,
                 struct backup_info *ret, struct err *err) {
    struct backup_info info = {.created_ms = usec_to_msec(clock_wall(&clock_system)), .secrets = secrets};
    struct backup_stream *stream = NULL;
    struct source s = {0};
    int r = hold_moment(paths, &s, err);
    if (r == 0) {
        r = backup_stream_open(out, watch, weigh_all(paths, s.sessions, s.transcripts), &stream);
        if (r < 0) (void)err_sys(err, r, "the backup cannot be begun");
    }
    if (r == 0) r = put_all(stream, paths, &s, &info, err);
    backup_stream_free(stream);
    snapshot_close(s.sessions);
    snapshot_close(s.transcripts);
    pieces_fini(&s.spool);
    if (r == 0) *ret = info;
    return r;
}
