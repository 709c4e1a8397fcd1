/*
 * What all engines have in common: they find four kinds of bytes, each in its own way; the rest is arithmetic on the
 * masks, written here once.
 * - { and [, } and ] differ by 0x20 only, so each pair is one comparison after setting that bit.
 * - Quotes after an odd run of backslashes are escaped. Runs that start at an odd bit, added to the mask of all
 *   backslashes, carry out behind their end: that tells even from odd runs without a loop.
 * - A byte is inside a string when an odd number of quotes stands before it: the prefix xor of the quote mask.
 */
#pragma once

#include "base/jblock.h"

#define JBLOCK_INLINE static inline __attribute__((always_inline))

enum { JBLOCK_FOLD = 0x20 };

struct jblock_masks {
    uint64_t backslash, quote, open, close;
};

/* Takes the escaped quotes out of the masks and returns which bytes are escaped. */
JBLOCK_INLINE uint64_t jblock_unescape(struct jblock_carry *carry, struct jblock_masks *m) {
    const uint64_t even_bits = UINT64_C(0x5555555555555555);
    uint64_t backslash = m->backslash & ~carry->escaped;
    uint64_t follows = backslash << 1 | carry->escaped;
    uint64_t odd_starts = backslash & ~even_bits & ~follows;
    unsigned long long ends;
    carry->escaped = __builtin_uaddll_overflow(odd_starts, backslash, &ends);
    uint64_t escaped = (even_bits ^ (uint64_t)ends << 1) & follows;
    m->quote &= ~escaped;
    return escaped;
}

JBLOCK_INLINE uint64_t jblock_prefix_xor(uint64_t bits) {
    for (int shift = 1; shift < 64; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

/* Given the prefix xor of the real quotes, leaves only the brackets that count. */
JBLOCK_INLINE void jblock_unquote(struct jblock_carry *carry, struct jblock_masks *m, uint64_t escaped,
                                  uint64_t string) {
    string ^= carry->string;
    carry->string = 0 - (string >> 63);
    m->open &= ~(string | escaped);
    m->close &= ~(string | escaped);
}

/* The builtin would be a call into the compiler's library where the instruction cannot be assumed. */
JBLOCK_INLINE uint8_t jblock_count(uint64_t bits) {
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (uint8_t)(bits * UINT64_C(0x0101010101010101) >> 56);
}

/* Without vector instructions: eight bytes in a word. */
#define JBLOCK_SWAR_ONES UINT64_C(0x0101010101010101)

/* Which bytes of `v` equal `byte`, as eight bits. */
JBLOCK_INLINE uint64_t jblock_swar_equal(uint64_t v, unsigned char byte) {
    const uint64_t low7 = JBLOCK_SWAR_ONES * 0x7F;
    uint64_t x = v ^ JBLOCK_SWAR_ONES * byte;
    uint64_t zero = ~(((x & low7) + low7) | x | low7); /* top bit of each byte of x that is zero */
    return (zero >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

JBLOCK_INLINE uint64_t jblock_swar_load(const char *p) {
    uint64_t v;
    memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}
