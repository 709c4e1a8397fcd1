/*
 * TOML, as far as somebody must know it who adds a block to a file: where its tables begin and what its keys are. Values are passed
 * over, not understood. Pure.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"

enum { TOML_DEPTH_MAX = 64 };

enum toml_kind {
    TOML_COMMENT, /* on a line of its own */
    TOML_KEY,     /* name = value */
    TOML_TABLE,   /* [name] */
    TOML_ELEMENT, /* [[name]] */
};

struct toml_item {
    enum toml_kind kind;
    struct span text;  /* all of it, from the line's beginning, without the line's end */
    struct span name;  /* dotted, as it is written */
    struct span value; /* of a key, as it is written */
};

/* One step through a text: `*at` is 0 before the first. 1 with the item, 0 at the end, -EINVAL with line and column. */
int toml_next(struct span text, size_t *at, struct toml_item *ret, struct err *err);

/* Cuts the first part off a dotted name, without its quotes; false at the end. */
bool toml_name_next(struct span *name, struct arena *arena, struct span *ret);

/* A string value; false when it is none, or one of several lines. */
bool toml_string(struct span value, struct arena *arena, struct span *ret);

/* What a list or an inline table holds, one after the other: `*at` is 0 before the first. A list's elements have no name. False at the
 * end, and for other values. */
bool toml_child_next(struct span value, size_t *at, struct span *ret_name, struct span *ret_value);

/* The sentence for something that is wrong at a place of the text. */
int toml_refuse(struct span text, const char *at, struct err *err, const char *wrong);
