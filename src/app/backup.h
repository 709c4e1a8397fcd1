/*
 * All of ostler's own data in one file, written while a daemon runs and read back whole or not at all.
 *
 * The file is a tar archive, packed with zstd. Its parts are named "state/…" and "config/…"; the last one, "manifest.json", names all
 * others with their sizes and SHA-256. What is not named there, or has another name than those that ostler writes, makes the whole
 * file worthless to a reader.
 */
#pragma once

#include "base/err.h"
#include "base/path.h"
#include "base/span.h"

enum { BACKUP_FORMAT = 1, BACKUP_VERSION_BYTES = 64 };

/* What a manifest says of its file. */
struct backup_info {
    char version[BACKUP_VERSION_BYTES]; /* of the ostler that made it */
    int64_t created_ms;
    bool secrets;                        /* password, logins, hook token and TLS key are in it */
    uint64_t sessions, terminals, parts; /* how many */
    uint64_t bytes;                      /* of all parts, unpacked */
};

/* Hears how far the work has come, in bytes; false stops it with -ECANCELED. `total` is 0 where nobody knows. */
struct backup_watch {
    bool (*tell)(void *user, uint64_t done, uint64_t total);
    void *user;
};

/* Writes the data of these paths to a descriptor. The moment that it shows is that of the database's copy: what the spool had by then
 * and got since is in it as well, so that no event is missing. */
int backup_write(const struct paths *paths, bool secrets, int out, const struct backup_watch *watch,
                 struct backup_info *ret, struct err *err);

/* Gets the parts of a file that is read; each may be NULL. */
struct backup_sink {
    int (*begin)(void *user, const char *name, uint64_t size, int64_t mtime, struct err *err);
    int (*bytes)(void *user, struct span bytes, struct err *err);
    int (*end)(void *user, struct err *err);
    void *user;
};

/* Reads a file to its end and checks everything that can be checked; only when that returns 0 are the parts what they should be. */
int backup_read(int in, const char *file, const struct backup_sink *sink, const struct backup_watch *watch,
                struct backup_info *ret, struct err *err);

/* So many parts at most: what their names take in a manifest is bounded, too. */
enum { BACKUP_PARTS_MAX = 1 << 19 };

/* Would so many bytes, out of a file of so many, be more than any backup unpacks to? What is written is held to it like what is read.
 * Pure. */
bool backup_is_swollen(uint64_t packed, uint64_t unpacked);

/* Is this the name of a part that ostler writes? "state/ostler.db" and such; "manifest.json" is none. Pure. */
bool backup_is_part(const char *name);
