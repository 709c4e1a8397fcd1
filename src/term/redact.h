/*
 * Secrets on their way to the disk. A match is masked with as many bytes, and as many cells, so that offsets and
 * screens stay true; escape sequences are kept. Patterns run over the text without escapes, with partial matching: only bytes
 * from a possible start are held back. Ordinary output is told by a search for the patterns' literals and costs next to
 * nothing.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "base/span.h"

enum {
    REDACT_HOLD_BYTES =
        8 << 10, /* more than this is not held back: a secret is masked as far as it is known to be one */
    REDACT_PATTERNS_MAX = 256,
    REDACT_PATTERN_BYTES_MAX = 1024,
};

/* Compiled patterns; may be used by several threads at once. */
struct redact_set;

/* `patterns`: one a line, '#' begins a comment; a group named "secret" masks only that part. SPAN_NONE: the built-in ones,
 * which REDACT_DEFAULTS also lists. -EINVAL names the line and what is wrong with it. */
extern const char REDACT_DEFAULTS[];
int redact_compile(struct span patterns, struct redact_set **ret, struct err *err);
void redact_set_free(struct redact_set *set);

/* One stream's passage through them. */
struct redact;
struct redact *redact_new(const struct redact_set *set);
void redact_free(struct redact *r);

/* Takes bytes, and appends to `out` those that are decided, in order: in all, `out` gets exactly as many bytes as came. */
int redact_feed(struct redact *r, struct span bytes, struct buf *out);
/* Nothing more comes: decides what is held back. */
int redact_flush(struct redact *r, struct buf *out);
size_t redact_held(const struct redact *r);
/* First of all: what was let through in front of what comes, by another one whose work this one goes on with. */
void redact_resume(struct redact *r, struct span past);
/* Was anything let out, or held back, that draws other than one line below the other? From then on, until nothing is held back
 * and it was asked. */
bool redact_moved(struct redact *r);
/* Gives memory back when it has been quiet. */
void redact_rest(struct redact *r);
/* How many times a pattern took too many steps; each counts as no match. */
uint64_t redact_refused(const struct redact *r);

/* A whole text at once, in place. */
void redact_text(const struct redact_set *set, char *text, size_t n);

/* The version of the library that matches patterns. */
enum { REDACT_LIBRARY_BYTES = 64 };
void redact_library(char ret[REDACT_LIBRARY_BYTES]);
