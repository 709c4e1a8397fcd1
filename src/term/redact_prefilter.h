/*
 * Where may a pattern begin? Looks for the literals of all patterns at once, without case, so that ordinary output needs
 * nothing more.
 */
#pragma once

#include "base/span.h"
#include "term/redact_literal.h"

struct redact_prefilter {
    struct prefilter_entry {
        struct redact_literal literal;
        uint16_t pattern;
    } * v;
    size_t n;
    size_t longest;       /* bytes of the longest literal */
    uint64_t first[256];  /* literals, one bit for several, that may have this byte first … */
    uint64_t second[256]; /* … second … */
    uint64_t third[256];  /* … third */
};

void redact_prefilter_add(struct redact_prefilter *f, const struct redact_literal *literal, uint16_t pattern);
void redact_prefilter_fini(struct redact_prefilter *f);

/* The first place at or behind `from` where a literal stands, as far as the text goes, or text.n. */
size_t redact_prefilter_find(const struct redact_prefilter *f, struct span text, size_t from);
/* Does one stand at `at`, as far as the text goes? */
bool redact_prefilter_cut(const struct redact_prefilter *f, struct span text, size_t at);
/* Does the entry's literal stand at `at`, as far as the text goes? */
bool redact_prefilter_stands(const struct prefilter_entry *e, struct span text, size_t at);

/* The number of bytes before the first that is no part of ordinary text: an escape, a control character other than white
 * space. */
size_t redact_prefilter_plain(struct span bytes);
