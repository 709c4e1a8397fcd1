#include "transcript_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

void fixture_make(struct fixture *f) {
    *f = (struct fixture){.dir = temp_dir_make()};
    CHECK_INT(path_join(f->file, f->dir.path, "transcripts.db"), 0);
    CHECK_INT(path_join(f->archive, f->dir.path, "archive"), 0);
}

void fixture_open(struct fixture *f) {
    fixture_make(f);
    fixture_reopen(f);
}

void fixture_reopen(struct fixture *f) {
    transcript_db_close(f->db);
    if (transcript_db_open(f->file, &f->db, &f->err) < 0) fail_msg("%s", f->err.msg);
}

void fixture_close(struct fixture *f) {
    transcript_db_close(f->db);
    cleanup_temp_dir(&f->dir);
}

const char *fixture_path(const struct fixture *f, const char *name, char out[PATH_BYTES]) {
    CHECK_INT(path_join(out, f->dir.path, name), 0);
    return out;
}

void fixture_exec(const struct fixture *f, const char *sql) {
    sqlite3 *db = NULL;
    CHECK_INT(sqlite3_open_v2(f->file, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL), SQLITE_OK);
    CHECK_INT(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    CHECK_INT(sqlite3_close(db), SQLITE_OK);
}

int64_t fixture_number(const struct fixture *f, const char *sql) {
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    CHECK_INT(sqlite3_open_v2(f->file, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    CHECK_INT(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    CHECK_INT(sqlite3_step(stmt), SQLITE_ROW);
    int64_t n = sqlite3_column_int64(stmt, 0);
    (void)sqlite3_finalize(stmt);
    CHECK_INT(sqlite3_close(db), SQLITE_OK);
    return n;
}

void write_file(const char *path, const void *bytes, size_t n) {
    AUTO(file) FILE *file = fopen(path, "we");
    CHECK(file != NULL);
    CHECK_INT(fwrite(bytes, 1, n, file), n);
}

char *read_file(const char *path, size_t *ret_bytes) {
    AUTO(file) FILE *file = fopen(path, "re");
    struct stat st;
    if (!file || fstat(fileno(file), &st) < 0) fail_msg("%s cannot be read", path);
    char *bytes = calloc(1, (size_t)st.st_size + 1);
    CHECK(bytes != NULL);
    CHECK_INT(fread(bytes, 1, (size_t)st.st_size, file), st.st_size);
    *ret_bytes = (size_t)st.st_size;
    return bytes;
}

bool file_is(const char *path, const void *bytes, size_t n) {
    size_t got;
    AUTO(free) char *content = read_file(path, &got);
    return got == n && memcmp(content, bytes, n) == 0;
}

struct file_mark mark_of(const char *path) {
    struct stat st;
    if (stat(path, &st) < 0) fail_msg("%s is not there", path);
    return (struct file_mark){.device = st.st_dev,
                              .inode = st.st_ino,
                              .size = (uint64_t)st.st_size,
                              .mtime_ns = st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec};
}

void set_mtime(const char *path, int64_t mtime_ns) {
    const int64_t second = 1000000000, part = (mtime_ns % second + second) % second;
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT},
                                {.tv_sec = (mtime_ns - part) / second, .tv_nsec = part}};
    CHECK_INT(utimensat(AT_FDCWD, path, times, 0), 0);
}

size_t count_files(const char *dir) {
    AUTO(dir) DIR *d = opendir(dir);
    if (!d) fail_msg("%s is not there", dir);
    size_t n = 0;
    for (const struct dirent *e; (e = readdir(d));)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    return n;
}

pid_t in_process(const struct fixture *f, void (*work)(const struct fixture *f, int arg), int arg) {
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        work(f, arg);
        _exit(0);
    }
    return pid;
}

void wait_success(pid_t pid) {
    int status;
    CHECK_INT(waitpid(pid, &status, 0), pid);
    CHECK_INT(status, 0);
}
