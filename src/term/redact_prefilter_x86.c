/* Four bytes at each of 32 places: the buckets of literals that agree with both halves of all of them. */
#include "term/redact_prefilter.h"

#if defined(__x86_64__)

#    include <immintrin.h>

#    define AVX2 __attribute__((target("avx2")))

AVX2 static inline __m256i load(const void *p) {
    return _mm256_loadu_si256((const __m256i *)p);
}

/* The buckets that agree with both halves of these bytes. */
AVX2 static inline __m256i buckets(const struct prefilter_halves *t, __m256i low, __m256i high) {
    return _mm256_and_si256(_mm256_shuffle_epi8(load(t->low), low), _mm256_shuffle_epi8(load(t->high), high));
}

/* Those of all sets that agree with the byte `at` behind each place. */
#    define LOOK(at)                                                                  \
        do {                                                                          \
            __m256i bytes = load(p + i + (at)), low = _mm256_and_si256(bytes, half);  \
            __m256i high = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), half);       \
            first = _mm256_and_si256(first, buckets(&f->halves[0][at], low, high));   \
            second = _mm256_and_si256(second, buckets(&f->halves[1][at], low, high)); \
            third = _mm256_and_si256(third, buckets(&f->halves[2][at], low, high));   \
        } while (0)

/* Control characters other than white space, and DEL. */
AVX2 static inline __m256i odd(__m256i bytes) {
    __m256i low = _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(0x1f)), bytes);
    __m256i above = _mm256_sub_epi8(bytes, _mm256_set1_epi8('\t'));
    __m256i blank = _mm256_cmpeq_epi8(_mm256_min_epu8(above, _mm256_set1_epi8('\r' - '\t')), above);
    return _mm256_or_si256(_mm256_andnot_si256(blank, low), _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(0x7f)));
}

AVX2 size_t redact_prefilter_avx2(const struct redact_prefilter *f, const char *p, size_t n, size_t from,
                                  uint32_t *ret) {
    const __m256i half = _mm256_set1_epi8(15);
    size_t i = from;
    for (; i + 35 <= n; i += 32) {
        __m256i first = _mm256_set1_epi8(-1), second = first, third = first;
        LOOK(0);
        LOOK(1);
        LOOK(2);
        LOOK(3);
        __m256i any = _mm256_or_si256(_mm256_or_si256(first, second), third);
        __m256i none = _mm256_cmpeq_epi8(any, _mm256_setzero_si256());
        __m256i nothing = _mm256_andnot_si256(odd(load(p + i)), none);
        uint32_t found = ~(uint32_t)_mm256_movemask_epi8(nothing);
        for (uint32_t left = found; left; left &= left - 1) {
            unsigned at = (unsigned)__builtin_ctz(left);
            if (!redact_prefilter_suspects(f, p + i + at)) found &= ~(1U << at);
        }
        *ret = found;
        if (found) return i;
    }
    *ret = 0;
    return i;
}

#else

size_t redact_prefilter_avx2(const struct redact_prefilter *f, const char *p, size_t n, size_t from,
                             uint32_t *ret) {
    (void)f, (void)p, (void)n;
    *ret = 0;
    return from;
}

#endif
