/* The engine for CPUs with AVX2 and carry-less multiplication. Compiled with those switched on, so nothing here may be
 * called before jscan_engine() has found them. */
#include "base/jline_engine.h"

#if JBLOCK_X86

#    include <immintrin.h>

struct vec {
    __m256i low, high;
};

JBLOCK_INLINE struct vec load(const char *p) {
    return (struct vec){_mm256_loadu_si256((const __m256i *)(const void *)p),
                        _mm256_loadu_si256((const __m256i *)(const void *)(p + 32))};
}

JBLOCK_INLINE uint64_t bits(__m256i low, __m256i high) {
    return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

JBLOCK_INLINE uint64_t equal(struct vec v, char byte) {
    const __m256i wanted = _mm256_set1_epi8(byte);
    return bits(_mm256_cmpeq_epi8(v.low, wanted), _mm256_cmpeq_epi8(v.high, wanted));
}

/* Bytes that are at most `limit` above `from`, as unsigned numbers. */
JBLOCK_INLINE uint64_t within(struct vec v, char from, char limit) {
    const __m256i base = _mm256_set1_epi8(from), top = _mm256_set1_epi8(limit);
    __m256i low = _mm256_sub_epi8(v.low, base), high = _mm256_sub_epi8(v.high, base);
    return bits(_mm256_cmpeq_epi8(_mm256_min_epu8(low, top), low),
                _mm256_cmpeq_epi8(_mm256_min_epu8(high, top), high));
}

JBLOCK_INLINE __m256i control(__m256i v) {
    return _mm256_cmpeq_epi8(_mm256_min_epu8(v, _mm256_set1_epi8(0x1F)), v);
}

JBLOCK_INLINE struct jline_text jline_text(const char *p) {
    struct vec v = load(p);
    return (struct jline_text){.backslash = equal(v, '\\'),
                               .quote = equal(v, '"'),
                               .control = bits(control(v.low), control(v.high))};
}

JBLOCK_INLINE struct jline_marks jline_marks(const char *p) {
    struct vec v = load(p);
    const __m256i fold = _mm256_set1_epi8(JBLOCK_FOLD);
    struct vec folded = {_mm256_or_si256(v.low, fold), _mm256_or_si256(v.high, fold)};
    return (struct jline_marks){.open = equal(folded, '{'),
                                .close = equal(folded, '}'),
                                .colon = equal(v, ':'),
                                .comma = equal(v, ',')};
}

JBLOCK_INLINE uint64_t jline_equal(const char *p, char byte) {
    return equal(load(p), byte);
}

JBLOCK_INLINE uint64_t jline_digits(const char *p) {
    return within(load(p), '0', 9);
}

JBLOCK_INLINE uint64_t jline_hex(const char *p) {
    struct vec v = load(p);
    const __m256i fold = _mm256_set1_epi8(JBLOCK_FOLD);
    struct vec folded = {_mm256_or_si256(v.low, fold), _mm256_or_si256(v.high, fold)};
    return within(v, '0', 9) | within(folded, 'a', 5);
}

/* A byte is one of "\\/bfnrt when the tables for its two digits have a bit in common: one for each upper digit 2, 5, 6, 7. */
JBLOCK_INLINE __m256i not_escapable(__m256i v) {
    const __m256i low = _mm256_setr_epi8(0, 0, 13, 0, 8, 0, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1, 0, 0, 13, 0, 8, 0,
                                         4, 0, 0, 0, 0, 0, 2, 0, 4, 1);
    const __m256i high = _mm256_setr_epi8(0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 4,
                                          8, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m256i digit = _mm256_set1_epi8(0xF);
    __m256i a = _mm256_shuffle_epi8(low, _mm256_and_si256(v, digit));
    __m256i b = _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(v, 4), digit));
    return _mm256_cmpeq_epi8(_mm256_and_si256(a, b), _mm256_setzero_si256());
}

JBLOCK_INLINE uint64_t jline_escapable(const char *p) {
    struct vec v = load(p);
    return ~bits(not_escapable(v.low), not_escapable(v.high));
}

JBLOCK_INLINE uint64_t jline_prefix_xor(uint64_t mask) {
    __m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, (int64_t)mask), _mm_set1_epi8(-1), 0);
    return (uint64_t)_mm_cvtsi128_si64(product);
}

#    define JLINE_ENGINE
#    include "base/jline_walk.h"

bool jline_avx2(const struct jline_names *names, const char *p, size_t n, struct jline *ret) {
    return jline_walk(names, p, n, ret);
}

#endif
