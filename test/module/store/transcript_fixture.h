/* transcripts.db and an archive in a directory of a test's own. */
#pragma once

#include "store/archive.h"
#include "temp_dir.h"
#include "test.h"

struct fixture {
    struct temp_dir dir;
    char file[PATH_BYTES];    /* transcripts.db */
    char archive[PATH_BYTES]; /* its directory; made by the first keep */
    struct transcript_db *db;
    struct err err; /* of the last call that filled it */
};

void fixture_make(struct fixture *f); /* the directory only */
void fixture_open(struct fixture *f);
void fixture_reopen(struct fixture *f);
void fixture_close(struct fixture *f);

/* "<directory>/name". */
const char *fixture_path(const struct fixture *f, const char *name, char out[PATH_BYTES]);

/* A second connection: runs statements; the number that one gives. */
void fixture_exec(const struct fixture *f, const char *sql);
int64_t fixture_number(const struct fixture *f, const char *sql);

void write_file(const char *path, const void *bytes, size_t n);
/* All of it, for free(). */
char *read_file(const char *path, size_t *ret_bytes);
bool file_is(const char *path, const void *bytes, size_t n);
struct file_mark mark_of(const char *path);
void set_mtime(const char *path, int64_t mtime_ns);
size_t count_files(const char *dir); /* hidden ones too */

/* Runs it in a process of its own, which ends with 0 when it returns. */
pid_t in_process(const struct fixture *f, void (*work)(const struct fixture *f, int arg), int arg);
void wait_success(pid_t pid);
