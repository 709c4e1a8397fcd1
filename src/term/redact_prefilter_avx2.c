/* With AVX2: four bytes at each of 64 places; the buckets of literals that agree with both halves of all of them. */
#include "term/redact_prefilter.h"

#if defined(__x86_64__)

#    include <immintrin.h>

#    define AVX2 __attribute__((target("avx2")))

AVX2 static inline __m256i load(const char *p) {
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

/* A table of 16 bytes, twice, as the shuffles want it. */
AVX2 static inline __m256i table(const uint8_t t[16]) {
    return _mm256_broadcastsi128_si256(_mm_load_si128((const __m128i *)(const void *)t));
}

/* Here and now: otherwise gcc puts off what is to be combined until the end, and has not the registers for it. */
AVX2 static inline __m256i at_once(__m256i v) {
    __asm__("" : "+x"(v));
    return v;
}

/* Of two times 32 places: the buckets of each set that agree with all bytes so far. */
struct agreement {
    __m256i left[PREFILTER_SETS], right[PREFILTER_SETS];
};

/* The bytes that are `depth` behind the places. */
AVX2 static inline void look(const struct redact_prefilter *f, unsigned depth, const char *p,
                             struct agreement *a) {
    const __m256i half = _mm256_set1_epi8(15);
    __m256i left = load(p + depth), right = load(p + 32 + depth);
    __m256i left_low = _mm256_and_si256(left, half), right_low = _mm256_and_si256(right, half);
    __m256i left_high = _mm256_and_si256(_mm256_srli_epi16(left, 4), half);
    __m256i right_high = _mm256_and_si256(_mm256_srli_epi16(right, 4), half);
    for (unsigned i = 0; i < PREFILTER_SETS; i++) {
        __m256i low = table(f->halves[i][depth].low), high = table(f->halves[i][depth].high);
        __m256i x =
            _mm256_and_si256(_mm256_shuffle_epi8(low, left_low), _mm256_shuffle_epi8(high, left_high));
        __m256i y =
            _mm256_and_si256(_mm256_shuffle_epi8(low, right_low), _mm256_shuffle_epi8(high, right_high));
        a->left[i] = at_once(depth ? _mm256_and_si256(a->left[i], x) : x);
        a->right[i] = at_once(depth ? _mm256_and_si256(a->right[i], y) : y);
    }
}

/* Control characters other than white space, and DEL. */
AVX2 static inline __m256i odd(__m256i bytes) {
    __m256i low = _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(0x1f)), bytes);
    __m256i above = _mm256_sub_epi8(bytes, _mm256_set1_epi8('\t'));
    __m256i blank = _mm256_cmpeq_epi8(_mm256_min_epu8(above, _mm256_set1_epi8('\r' - '\t')), above);
    return _mm256_or_si256(_mm256_andnot_si256(blank, low), _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(0x7f)));
}

/* Which of 32 places are odd, or agree with a bucket. */
AVX2 static inline uint32_t some(const __m256i sets[PREFILTER_SETS], const char *p) {
    __m256i any = _mm256_or_si256(_mm256_or_si256(sets[0], sets[1]), sets[2]);
    __m256i none = _mm256_cmpeq_epi8(any, _mm256_setzero_si256());
    return ~(uint32_t)_mm256_movemask_epi8(_mm256_andnot_si256(odd(load(p)), none));
}

/* Likewise of 64. */
AVX2 static inline uint64_t agreeing(const struct redact_prefilter *f, const char *p) {
    struct agreement a;
    look(f, 0, p, &a);
    look(f, 1, p, &a);
    look(f, 2, p, &a);
    look(f, 3, p, &a);
    return some(a.left, p) | (uint64_t)some(a.right, p + 32) << 32;
}

AVX2 static void agree(const struct redact_prefilter *f, const char *p, size_t steps, uint64_t *ret) {
    static_assert(PREFILTER_SETS == 3 && PREFILTER_DEPTH == 4, "as it is written here");
    for (size_t i = 0; i < steps; i++)
        ret[i] = agreeing(f, p + i * PREFILTER_STEP);
}

prefilter_agree *redact_prefilter_avx2(void) {
    return __builtin_cpu_supports("avx2") ? agree : NULL;
}

#else

prefilter_agree *redact_prefilter_avx2(void) {
    return NULL;
}

#endif
