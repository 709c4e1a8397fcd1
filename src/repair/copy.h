/* Bytes from file to file, and the backup of a transcript. Internal to the files of this folder that do I/O. */
#pragma once

#include "repair/place.h"

#include <sys/stat.h>

/* Tells of work done; false when the caller wants it to stop. */
bool progress_tell(const struct progress *p, uint64_t done, uint64_t total);

/* Copies `n` bytes from one place to the end of another file, by the kernel where it can. -ENODATA: the source is shorter.
 * `done` and `total` go to the progress. */
int copy_bytes(int from, uint64_t at, uint64_t n, int to, const struct progress *p, uint64_t done,
               uint64_t total);

/* Reads or writes all of it. -ENODATA: the file is shorter. */
int read_at(int fd, void *to, size_t n, uint64_t at);
int write_at(int fd, const void *from, size_t n, uint64_t at);

/* "<name>.<suffix>", the name of a file beside the transcript. */
int beside_name(const struct place *p, const char *suffix, char ret_name[PATH_BYTES]);

/* Such a file, which does not count yet, with the group and mode of `like`; one that a crash left there is replaced. Its name is left in
 * `ret_name`. */
int beside_create(const struct place *p, const char *suffix, const struct stat *like,
                  char ret_name[PATH_BYTES]);

/* Makes a new name durable: fsyncs the directory. */
int sync_directory(const struct place *p);

/* A backup before it has its name. */
struct beside {
    char name[PATH_BYTES];
    bool is_there;
};

/* Fills it with the first `n` bytes of `fd`, fsynced; or not, then it is to be dropped. */
int beside_fill(struct beside *b, const struct place *place, int fd, uint64_t n, const struct progress *p,
                uint64_t done, uint64_t total);
void beside_drop(struct beside *b, const struct place *p);
/* Gives it its name if it was filled (0), else drops it; see backup_make(). */
int backup_name(struct beside *b, const struct place *p, int filled, int64_t now_ms,
                char ret_path[PATH_BYTES], struct err *err);

/* "<name>.backup-<ms>" with the first `n` bytes of `fd`: complete and fsynced under that name or not there at all. Takes the next free
 * number and leaves the whole path in `ret_path`. `done` and `total` as above. */
int backup_make(const struct place *place, int fd, uint64_t n, int64_t now_ms, const struct progress *p,
                uint64_t done, uint64_t total, char ret_path[PATH_BYTES], struct err *err);

/* The name of the backup with the highest number. -ENOENT. */
int backup_newest(const struct place *p, char ret_name[PATH_BYTES]);
