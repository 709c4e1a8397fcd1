/*
 * The structure of JSON text, 64 bytes at a time, as bit masks: bit i belongs to byte i. This is the whole of the
 * work that touches every byte; whoever walks a document looks at the masks and visits only the bytes that matter.
 *
 * Internal to the scanners: jscan.h is the interface for everybody else.
 */
#pragma once

#include "base/jscan.h"

#if defined(__x86_64__)
#    define JBLOCK_X86 1
#else
#    define JBLOCK_X86 0
#endif

enum { JBLOCK_BYTES = 64, JBLOCK_BATCH = 16 };

struct jblock {
    uint64_t quote;        /* quotes that open or close a string */
    uint64_t open;         /* { and [ outside of strings */
    uint64_t close;        /* } and ] outside of strings */
    uint8_t opens, closes; /* how many of them */
};

/* What one block leaves behind for the next. All zero where a document starts. */
struct jblock_carry {
    uint64_t string;  /* all ones inside a string */
    uint64_t escaped; /* 1 when the next byte follows an odd run of backslashes */
};

/* Classifies the first blocks of `text`, at most `max` (no more than JBLOCK_BATCH) of them, and returns how many.
 * Text that ends within a block counts as filled up with spaces; nothing past its end is read. */
size_t jblock_classify(struct jblock_carry *carry, struct span text, size_t max, struct jblock *ret_blocks);

/* One engine: classifies `count` whole blocks. */
void jblock_scalar(struct jblock_carry *carry, const char *p, size_t count, struct jblock *ret_blocks);
#if JBLOCK_X86
void jblock_sse2(struct jblock_carry *carry, const char *p, size_t count, struct jblock *ret_blocks);
void jblock_avx2(struct jblock_carry *carry, const char *p, size_t count, struct jblock *ret_blocks);
#endif
