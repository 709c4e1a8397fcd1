/*
 * One JSON object, checked byte by byte exactly as JSON.parse would and fed in pieces of any size: for what
 * jline_scan() is not sure of, and for lines that are too long to be held. Malformed UTF-8 and lone surrogates are no
 * errors here; what they mean is for who decodes the values. Memory does not grow with the document, but for a
 * bit for each level of nesting and the wanted values.
 */
#pragma once

#include "base/buf.h"
#include "base/jline.h"

enum {
    JPUSH_VALUE_MAX = 64 << 10, /* bytes of a wanted value that are kept */
    JPUSH_DEPTH_MAX = 32 << 20,
    JPUSH_KEY_MAX = 6 * JLINE_NAME_MAX, /* a wanted key, each character spelled as an escape */
};

struct jpush_value {
    uint64_t at, n;  /* where its text is, counted from the object's first byte; n = 0: absent */
    struct buf text; /* the raw text, cut after JPUSH_VALUE_MAX bytes */
};

struct jpush {
    const struct jline_names *names;
    uint64_t fed;
    uint64_t end; /* behind the object's last byte; 0: it goes on */
    size_t depth;
    struct buf levels; /* a bit a level: it is an object */
    uint8_t state;
    uint8_t literal, matched; /* which of them, and how much of it was read */
    uint8_t hex;              /* digits read behind \u */
    bool is_key;              /* the string being read is a key */
    bool keeps_key;           /* and one at depth 1 */
    int wanted;               /* index of the member being read, -1: none of ours */
    bool keeps_value;
    struct buf key; /* raw */
    struct jpush_value values[JLINE_WANTED_MAX];
};

void jpush_init(struct jpush *p, const struct jline_names *names);
void jpush_fini(struct jpush *p);

/* Makes ready for a document. */
void jpush_begin(struct jpush *p);
/* The next bytes. 0, or -EINVAL: no JSON object can come of it, and nothing more need be fed. The byte before `fed` is the one
 * that cannot be there; when `end` is set it stands behind a whole object, whose values are good. */
int jpush_feed(struct jpush *p, struct span bytes);
/* That was all: 0 and the values, or -EINVAL. */
int jpush_end(struct jpush *p);
