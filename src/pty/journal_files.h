/*
 * A journal's directory. Segment N is "<N>.seg" while it is written and for a moment after, then "<N>.seg.zst"; "<N>.screen" is
 * the screen at its beginning. Blocking; for the pool and for whoever reads.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "base/path.h"
#include "term/tape.h"

enum {
    JOURNAL_FILES_SEGMENT_MAX = 32 << 20, /* no segment is larger, unpacked */
    JOURNAL_FILES_SCREEN_MAX = 128 << 20,
};

struct journal_file {
    uint64_t number;
    bool plain, packed, screen;
};

struct journal_files {
    struct journal_file *v; /* by number */
    size_t n;
};

/* A journal that cannot be read is put aside, as "DIR.damaged", so that another can begin. */
void journal_files_put_aside(const char *dir);

/* Is that no damage, but a system that has no descriptor or no memory just now? Then it is tried again. */
bool journal_files_busy(int error);

/* -ENOENT when there is no such directory. */
int journal_files_list(const char *dir, struct journal_files *ret);
void cleanup_journal_files(struct journal_files *files);

int journal_files_path(char out[PATH_BYTES], const char *dir, uint64_t number, const char *suffix);

/* A segment's bytes, whether packed or not, into `out`. */
int journal_files_read(const char *dir, uint64_t number, struct buf *out);
/* Where it begins. */
int journal_files_place(const char *dir, uint64_t number, struct tape_place *ret);
/* How many bytes it has, unpacked; 0 when nobody knows. */
uint64_t journal_files_size(const char *dir, uint64_t number);
/* The screen at its beginning, unpacked; -EBADMSG when it is damaged. */
int journal_files_read_screen(const char *dir, uint64_t number, struct tape_place *ret, struct buf *out);

/* A file of that content under its name, whole or not at all. */
int journal_files_write(const char *dir, uint64_t number, const char *suffix, struct span content,
                        struct err *err);
int journal_files_write_screen(const char *dir, uint64_t number, struct tape_place place, struct span packed,
                               struct err *err);
int journal_files_pack(struct span bytes, int level, struct buf *out);
