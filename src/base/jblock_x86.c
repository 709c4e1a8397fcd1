/*
 * The vector engines. Both find four kinds of bytes by comparison; the rest is arithmetic on the masks:
 * - { and [, } and ] differ by 0x20 only, so each pair is one comparison after setting that bit;
 * - quotes after an odd run of backslashes are escaped. Runs that start at an odd bit, added to the mask of all
 *   backslashes, carry out behind their end: that tells even from odd runs without a loop;
 * - a byte is inside a string when an odd number of quotes stands before it: the prefix xor of the quote mask,
 *   which is one carry-less multiplication by all ones.
 */
#include "base/jblock.h"

#if JBLOCK_X86

#    include <immintrin.h>

#    define AVX2 __attribute__((target("avx2,pclmul,bmi,popcnt")))
#    define INLINE static inline __attribute__((always_inline))

struct masks {
    uint64_t backslash, quote, open, close;
};

INLINE uint64_t find_escaped(struct jblock_carry *carry, uint64_t backslash) {
    const uint64_t even_bits = UINT64_C(0x5555555555555555);
    uint64_t from_before = carry->escaped;
    if (backslash == 0) {
        carry->escaped = 0;
        return from_before;
    }
    backslash &= ~from_before;
    uint64_t follows = backslash << 1 | from_before;
    uint64_t odd_starts = backslash & ~even_bits & ~follows;
    unsigned long long ends;
    carry->escaped = __builtin_uaddll_overflow(odd_starts, backslash, &ends);
    return (even_bits ^ (uint64_t)ends << 1) & follows;
}

/* Turns the raw masks and the prefix xor of the real quotes into a block. */
INLINE struct jblock finish(struct jblock_carry *carry, struct masks m, uint64_t escaped, uint64_t string) {
    string ^= carry->string;
    carry->string = (uint64_t)((int64_t)string >> 63);
    uint64_t dead = string | escaped;
    return (struct jblock){.quote = m.quote, .open = m.open & ~dead, .close = m.close & ~dead};
}

INLINE uint64_t prefix_xor(uint64_t bits) {
    for (int shift = 1; shift < 64; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

/* The builtin would be a library call where the instruction cannot be assumed. */
INLINE uint8_t count_bits(uint64_t bits) {
    uint8_t count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

INLINE uint64_t sse2_mask(const __m128i v[4], char byte) {
    const __m128i wanted = _mm_set1_epi8(byte);
    uint64_t mask = 0;
    for (int i = 0; i < 4; i++)
        mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v[i], wanted)) << (16 * i);
    return mask;
}

void jblock_sse2(struct jblock_carry *carry, const char *p, size_t count, struct jblock *ret_blocks) {
    for (size_t n = 0; n < count; n++, p += JBLOCK_BYTES) {
        __m128i v[4], folded[4];
        for (int i = 0; i < 4; i++) {
            v[i] = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
            folded[i] = _mm_or_si128(v[i], _mm_set1_epi8(0x20));
        }
        struct masks m = {.backslash = sse2_mask(v, '\\'),
                          .quote = sse2_mask(v, '"'),
                          .open = sse2_mask(folded, '{'),
                          .close = sse2_mask(folded, '}')};
        uint64_t escaped = find_escaped(carry, m.backslash);
        m.quote &= ~escaped;
        struct jblock b = finish(carry, m, escaped, prefix_xor(m.quote));
        b.opens = count_bits(b.open);
        b.closes = count_bits(b.close);
        ret_blocks[n] = b;
    }
}

AVX2 INLINE uint64_t avx2_mask(__m256i low, __m256i high, char byte) {
    const __m256i wanted = _mm256_set1_epi8(byte);
    uint32_t a = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted));
    uint32_t b = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted));
    return a | (uint64_t)b << 32;
}

AVX2 void jblock_avx2(struct jblock_carry *carry, const char *p, size_t count, struct jblock *ret_blocks) {
    const __m256i bit = _mm256_set1_epi8(0x20);
    for (size_t n = 0; n < count; n++, p += JBLOCK_BYTES) {
        __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)p);
        __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
        struct masks m = {.backslash = avx2_mask(low, high, '\\'), .quote = avx2_mask(low, high, '"')};
        low = _mm256_or_si256(low, bit);
        high = _mm256_or_si256(high, bit);
        m.open = avx2_mask(low, high, '{');
        m.close = avx2_mask(low, high, '}');

        uint64_t escaped = find_escaped(carry, m.backslash);
        m.quote &= ~escaped;
        __m128i quotes = _mm_set_epi64x(0, (int64_t)m.quote);
        uint64_t string = (uint64_t)_mm_cvtsi128_si64(_mm_clmulepi64_si128(quotes, _mm_set1_epi8(-1), 0));
        struct jblock b = finish(carry, m, escaped, string);
        b.opens = (uint8_t)__builtin_popcountll(b.open);
        b.closes = (uint8_t)__builtin_popcountll(b.close);
        ret_blocks[n] = b;
    }
}

#endif
