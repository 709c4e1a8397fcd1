/*
 * The ids of messages as small numbers. An id is any JSON value, compared as JavaScript compares: strings by what they
 * spell, numbers by what they are worth, objects and arrays never. Nearly all are UUIDs and take 16 bytes.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"

/* What an id value may be. */
enum id_kind { ID_UUID, ID_STRING, ID_NUMBER, ID_TRUE, ID_UNIQUE };

enum { ID_FALSY = 0, ID_VALUE_MAX = 64 << 10 };

/* The hash stands beside the number, so that a look at a cell nearly always says all. */
struct id_cell {
    uint32_t hash, number; /* number 0: free */
};

struct ids {
    struct buf entries; /* struct id_entry; number n is the n-th, from 1 */
    struct buf cells;   /* struct id_cell, open addressing */
    uint32_t count, hashed;
    uint64_t seed; /* so that nobody can write a file whose ids all collide */
    struct arena text;
};

struct id_entry {
    union {
        uint64_t uuid[2];
        struct span text;
        double number;
    };
    uint32_t last;     /* newest message with this id, from 1; 0: none */
    uint32_t kind : 7; /* enum id_kind */
    uint32_t
        is_anchor : 1; /* messages that a compaction kept are put behind it, and who follows it behind those */
    uint32_t awaited : 24; /* messages that follow it, as long as it has not come itself */
};

void ids_init(struct ids *ids, uint64_t seed);
void ids_fini(struct ids *ids);

/* The number of a raw JSON value (valid text): the same for values that are the same. ID_FALSY for what JavaScript takes for
 * false. `cut`: the text is not complete, so that it equals nothing. -ENOMEM, -EFBIG. */
int ids_intern(struct ids *ids, struct span raw, bool cut, uint32_t *ret);

struct id_entry *ids_at(const struct ids *ids, uint32_t number);

/* Whether a link to it could be written. */
static inline bool ids_can_refer(const struct ids *ids, uint32_t number) {
    return ids_at(ids, number)->kind != ID_UNIQUE;
}

/* A JSON text of the id; "null" for ID_FALSY. */
int ids_write(const struct ids *ids, uint32_t number, struct buf *out);
