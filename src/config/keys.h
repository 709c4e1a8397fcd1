/* The keys of config.json: a row each, and what may be their values. Pure. */
#pragma once

#include "config/config.h"

enum key_kind { KEY_NUMBER, KEY_FLAG, KEY_DENSITY, KEY_TEXT, KEY_TEXTS, KEY_CLIS, KEY_HASH, KEY_COMMAND };

struct key {
    const char *name;
    enum key_kind kind;
    unsigned min, max; /* numbers */
    bool is_short;     /* the number is a uint16_t, not an unsigned */
    size_t at;         /* in struct config */
    const char *initial, *about;
};

extern const struct key keys[];
extern const size_t keys_count;

const struct key *key_find(struct span name); /* NULL: there is none */

/* Takes a raw JSON value over into `ret`. -EINVAL with what the key takes. */
int key_read(const struct key *key, struct span json, struct config *ret, struct err *err);

/* What somebody typed as compact JSON, which key_read() takes. */
int key_from_text(const struct key *key, struct span text, struct buf *ret_json, struct err *err);
