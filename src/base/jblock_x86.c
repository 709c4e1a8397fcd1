/* The engines for x86: SSE2, which every such CPU of 64 bits has, and AVX2 with carry-less multiplication, by which
 * the prefix xor is one instruction. */
#include "base/jblock.h"

#include "base/jblock_mask.h"

#if JBLOCK_X86

#    include <immintrin.h>

#    define AVX2 __attribute__((target("avx2,pclmul,bmi,popcnt")))

JBLOCK_INLINE uint64_t sse2_mask(const __m128i v[4], char byte) {
    const __m128i wanted = _mm_set1_epi8(byte);
    uint64_t mask = 0;
    for (int i = 0; i < 4; i++)
        mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v[i], wanted)) << (16 * i);
    return mask;
}

void jblock_sse2(struct jblock_carry *carry, const char *p, size_t count, struct jblock *ret_blocks) {
    struct jblock_carry c = *carry;
    for (size_t n = 0; n < count; n++, p += JBLOCK_BYTES) {
        __m128i v[4], folded[4];
        for (int i = 0; i < 4; i++) {
            v[i] = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
            folded[i] = _mm_or_si128(v[i], _mm_set1_epi8(JBLOCK_FOLD));
        }
        struct jblock_masks m = {.backslash = sse2_mask(v, '\\'),
                                 .quote = sse2_mask(v, '"'),
                                 .open = sse2_mask(folded, '{'),
                                 .close = sse2_mask(folded, '}')};
        uint64_t escaped = jblock_unescape(&c, &m);
        jblock_unquote(&c, &m, escaped, jblock_prefix_xor(m.quote));
        ret_blocks[n] =
            (struct jblock){m.quote, m.open, m.close, jblock_count(m.open), jblock_count(m.close)};
    }
    *carry = c;
}

AVX2 JBLOCK_INLINE uint64_t avx2_mask(__m256i low, __m256i high, char byte) {
    const __m256i wanted = _mm256_set1_epi8(byte);
    uint32_t a = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted));
    uint32_t b = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted));
    return a | (uint64_t)b << 32;
}

AVX2 void jblock_avx2(struct jblock_carry *carry, const char *p, size_t count, struct jblock *ret_blocks) {
    struct jblock_carry c = *carry;
    const __m256i bit = _mm256_set1_epi8(JBLOCK_FOLD);
    for (size_t n = 0; n < count; n++, p += JBLOCK_BYTES) {
        __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)p);
        __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
        struct jblock_masks m = {.backslash = avx2_mask(low, high, '\\'), .quote = avx2_mask(low, high, '"')};
        low = _mm256_or_si256(low, bit);
        high = _mm256_or_si256(high, bit);
        m.open = avx2_mask(low, high, '{');
        m.close = avx2_mask(low, high, '}');

        uint64_t escaped = jblock_unescape(&c, &m);
        __m128i quotes = _mm_set_epi64x(0, (int64_t)m.quote);
        uint64_t string = (uint64_t)_mm_cvtsi128_si64(_mm_clmulepi64_si128(quotes, _mm_set1_epi8(-1), 0));
        jblock_unquote(&c, &m, escaped, string);
        ret_blocks[n] = (struct jblock){m.quote, m.open, m.close, (uint8_t)__builtin_popcountll(m.open),
                                        (uint8_t)__builtin_popcountll(m.close)};
    }
    *carry = c;
}

#endif
