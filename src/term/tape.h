/*
 * The bytes of a journal's files. A segment is a head and records, one behind the other, each with its offset and a checksum:
 * output, resizes, gaps, the exit. A screen is a head and one compressed screen. Little-endian, versioned. Any bytes may be
 * read: what is whole before the first damage is given, and how far that goes.
 */
#pragma once

#include "base/buf.h"
#include "base/span.h"

enum {
    TAPE_VERSION = 1,
    TAPE_HEAD_BYTES = 40,
    TAPE_RECORD_BYTES = 24,          /* before its payload */
    TAPE_OUTPUT_BYTES_MAX = 1 << 20, /* in one record */
};

enum tape_kind {
    TAPE_OUTPUT = 1, /* bytes */
    TAPE_RESIZED = 2,
    TAPE_GAP = 3, /* [offset, to) is lost */
    TAPE_EXITED = 4,
};

struct tape_record {
    enum tape_kind kind;
    uint64_t offset;
    struct span bytes; /* TAPE_OUTPUT; borrowed when read */
    unsigned cols, rows;
    uint64_t to;
    int code, signal; /* TAPE_EXITED */
    int64_t at_ms;
};

/* Where a segment begins, or what a screen stands for. */
struct tape_place {
    uint64_t epoch, offset;
};

/* Appends a segment's head; records follow. */
int tape_begin(struct buf *out, struct tape_place place);
/* Appends a record; longer output in several. */
int tape_put(struct buf *out, const struct tape_record *record);

struct tape_reader {
    struct tape_place place; /* the epoch, and the offset behind what was read */
    struct span left;
    size_t whole; /* bytes of the file that were read and are whole */
    bool torn;    /* it ends with something that is not */
};

/* -EBADMSG when it does not begin as a segment. */
int tape_open(struct tape_reader *r, struct span file);
/* The next record; false at the end, or where it is damaged. Records of a kind that is not known are passed over. */
bool tape_next(struct tape_reader *r, struct tape_record *ret);
/* The bytes of a record that was read have been changed, in the memory of its file: makes its checksum right again. `bytes`: all of
 * them, as tape_next() gave them. */
void tape_seal(char *bytes);

int tape_put_screen(struct buf *out, struct tape_place place, struct span packed);
/* -EBADMSG when it is not one, or damaged. */
int tape_get_screen(struct span file, struct tape_place *ret_place, struct span *ret_packed);
