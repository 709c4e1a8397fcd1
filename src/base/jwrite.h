/*
 * JSON that we write: appends to a `buf`, puts the commas, escapes strings. No tree, no allocation of its own.
 * Bytes that are not UTF-8 become U+FFFD, so that what is sent is always valid. Overflow shows in buf->failed.
 */
#pragma once

#include "base/buf.h"

struct jwrite {
    struct buf *out;
    bool comma;     /* the next value needs one before it */
    bool omit_null; /* jwrite_kcstr() and jwrite_knull() write nothing instead of a key with null */
};

#define JWRITE_INIT(buf) ((struct jwrite){.out = (buf)})

void jwrite_object(struct jwrite *w);     /* { */
void jwrite_object_end(struct jwrite *w); /* } */
void jwrite_array(struct jwrite *w);
void jwrite_array_end(struct jwrite *w);

void jwrite_key(struct jwrite *w, const char *name); /* escaped like any string */
void jwrite_key_span(struct jwrite *w, struct span name);

void jwrite_str(struct jwrite *w, struct span s);
void jwrite_cstr(struct jwrite *w, const char *s); /* NULL is null */
void jwrite_i64(struct jwrite *w, int64_t v);
void jwrite_u64(struct jwrite *w, uint64_t v);
/* The shorter of %.15g and %.17g that reads back as the same number; null when it is not finite. */
void jwrite_double(struct jwrite *w, double v);
void jwrite_bool(struct jwrite *w, bool v);
void jwrite_null(struct jwrite *w);
void jwrite_raw(struct jwrite *w, struct span json); /* a value that is JSON text already */

/* key + value in one call. */
void jwrite_kstr(struct jwrite *w, const char *key, struct span s);
void jwrite_kcstr(struct jwrite *w, const char *key, const char *s);
void jwrite_ki64(struct jwrite *w, const char *key, int64_t v);
void jwrite_ku64(struct jwrite *w, const char *key, uint64_t v);
void jwrite_kbool(struct jwrite *w, const char *key, bool v);
void jwrite_knull(struct jwrite *w, const char *key);
