/*
 * Somebody else's file: read whole, and replaced in one step or not at all. Mode and owner stay; a link stays a link, and what it
 * points to is replaced. Whoever writes to it at the same moment wins.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "base/path.h"

#include <sys/types.h>

struct setup_file {
    char path[PATH_BYTES];   /* as it was asked for */
    char target[PATH_BYTES]; /* the file itself, behind all links */
    bool exists;
    mode_t mode;
    uid_t uid;
    gid_t gid;
    struct buf text;
};

static inline void cleanup_setup_file(struct setup_file *f) {
    buf_fini(&f->text);
}

/* A file that is not there is none with an empty text. -EISDIR, -EFBIG past `max` bytes, -ENOENT for a link to nothing,
 * … with a sentence that begins with the path. */
int setup_file_read(const char *path, size_t max, struct setup_file *ret, struct err *err);

/* May it be written to? -EACCES with a sentence for what is read-only or another user's. */
int setup_file_check(const struct setup_file *f, struct err *err);

/* Makes `text` its content; its directory is made when it is missing. -EAGAIN: it is no longer what was read. */
int setup_file_replace(const struct setup_file *was, struct span text, struct err *err);

/* Deletes it. -EAGAIN as above. */
int setup_file_delete(const struct setup_file *was, struct err *err);

/* A copy of what was read in the directory `dir`, under a name with `label`, its own name and the time; of those with the same beginning
 * the newest `keep` stay. The copy's path goes to `ret`. */
int setup_file_backup(const struct setup_file *f, const char *dir, const char *label, int keep,
                      char ret[PATH_BYTES], struct err *err);
