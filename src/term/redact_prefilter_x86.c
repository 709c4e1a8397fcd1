/* Three bytes at each of 32 places: the buckets of literals that agree with both halves of all of them. */
#include "term/redact_prefilter.h"

#if defined(__x86_64__)

#    include <immintrin.h>

#    define AVX2 __attribute__((target("avx2")))

struct tables {
    __m256i low, high;
};

AVX2 static inline struct tables load_tables(const struct redact_prefilter *f, unsigned at) {
    return (struct tables){
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)f->low[at])),
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)f->high[at]))};
}

AVX2 static inline __m256i load(const char *p) {
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

AVX2 static inline __m256i buckets(struct tables t, __m256i bytes) {
    const __m256i half = _mm256_set1_epi8(15);
    return _mm256_and_si256(_mm256_shuffle_epi8(t.low, _mm256_and_si256(bytes, half)),
                            _mm256_shuffle_epi8(t.high, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), half)));
}

/* Control characters, white space among them, and DEL. */
AVX2 static inline __m256i controls(__m256i bytes) {
    __m256i low = _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(0x1f)), bytes);
    return _mm256_or_si256(low, _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(0x7f)));
}

AVX2 size_t redact_prefilter_avx2(const struct redact_prefilter *f, const char *p, size_t n, size_t from) {
    const struct tables first = load_tables(f, 0), second = load_tables(f, 1), third = load_tables(f, 2);
    const __m256i none = _mm256_setzero_si256();
    size_t i = from;
    for (; i + 34 <= n; i += 32) {
        __m256i bytes = load(p + i);
        __m256i agree = _mm256_and_si256(buckets(first, bytes), buckets(second, load(p + i + 1)));
        agree = _mm256_and_si256(agree, buckets(third, load(p + i + 2)));
        __m256i nothing = _mm256_andnot_si256(controls(bytes), _mm256_cmpeq_epi8(agree, none));
        uint32_t found = ~(uint32_t)_mm256_movemask_epi8(nothing);
        if (found) return i + (size_t)__builtin_ctz(found);
    }
    return i;
}

#else

size_t redact_prefilter_avx2(const struct redact_prefilter *f, const char *p, size_t n, size_t from) {
    (void)f, (void)p, (void)n;
    return from;
}

#endif
