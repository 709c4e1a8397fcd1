/*
 * With AVX-512 VBMI: four bytes at each of 64 places; the buckets of literals that agree with all of them. A table of 128 bytes is one
 * look, so that a bucket agrees with the very bytes of its literals, and all tables stay in registers.
 */
#include "term/redact_prefilter.h"

#if defined(__x86_64__)

#    include <immintrin.h>

/* Without the address sanitizer: gcc 12 does not align its stand-in for the stack to the 64 bytes that these registers need. */
#    define VBMI __attribute__((target("avx512f,avx512bw,avx512vbmi"), no_sanitize_address))

struct table {
    __m512i low, high; /* of bytes below 64, and of those from there to 127 */
};

VBMI static inline __m512i load(const void *p) {
    return _mm512_loadu_si512(p);
}

/* The buckets of a set that agree with the four bytes at each place. A byte of 128 or more is taken for one that is 128 less: no
 * literal has any, and the closer look knows. */
VBMI static inline __m512i buckets(const struct table t[PREFILTER_DEPTH],
                                   const __m512i bytes[PREFILTER_DEPTH]) {
    __m512i agree = _mm512_permutex2var_epi8(t[0].low, bytes[0], t[0].high);
    for (unsigned i = 1; i < PREFILTER_DEPTH; i++)
        agree = _mm512_and_si512(agree, _mm512_permutex2var_epi8(t[i].low, bytes[i], t[i].high));
    return agree;
}

/* Control characters other than white space, and DEL. */
VBMI static inline __mmask64 odd(__m512i bytes) {
    __m512i above = _mm512_sub_epi8(bytes, _mm512_set1_epi8('\t'));
    __mmask64 low = _mm512_cmplt_epu8_mask(bytes, _mm512_set1_epi8(' '));
    __mmask64 blank = _mm512_cmple_epu8_mask(above, _mm512_set1_epi8('\r' - '\t'));
    return (low & ~blank) | _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(0x7f));
}

/* What may begin a character that takes no room: U+0300 and those behind it, U+00AD, U+2000 to U+207F, U+20D0, U+FE00, U+FEFF. */
VBMI static inline __mmask64 hidden(__m512i first, __m512i second) {
    __mmask64 lead = _mm512_cmpge_epu8_mask(first, _mm512_set1_epi8((char)0xc2));
    if (!lead) return 0;
    __mmask64 e2 = _mm512_cmpeq_epi8_mask(first, _mm512_set1_epi8((char)0xe2)) &
                   _mm512_cmple_epu8_mask(second, _mm512_set1_epi8((char)0x83));
    __mmask64 ef = _mm512_cmpeq_epi8_mask(first, _mm512_set1_epi8((char)0xef));
    return e2 | ef | (lead & _mm512_cmple_epu8_mask(first, _mm512_set1_epi8((char)0xcd)));
}

VBMI static void agree(const struct redact_prefilter *f, const char *p, size_t steps, uint64_t *ret) {
    struct table t[PREFILTER_SETS][PREFILTER_DEPTH];
    for (unsigned i = 0; i < PREFILTER_SETS; i++)
        for (unsigned k = 0; k < PREFILTER_DEPTH; k++)
            t[i][k] = (struct table){load(f->bytes[i][k]), load(f->bytes[i][k] + 64)};
    for (size_t i = 0; i < steps; i++, p += PREFILTER_STEP) {
        const __m512i bytes[PREFILTER_DEPTH] = {load(p), load(p + 1), load(p + 2), load(p + 3)};
        __m512i any = _mm512_setzero_si512();
        for (unsigned k = 0; k < PREFILTER_SETS; k++)
            any = _mm512_or_si512(any, buckets(t[k], bytes));
        ret[i] = _mm512_test_epi8_mask(any, any) | odd(bytes[0]) | hidden(bytes[0], bytes[1]);
    }
}

prefilter_agree *redact_prefilter_vbmi(void) {
    bool there = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                 __builtin_cpu_supports("avx512vbmi");
    return there ? agree : NULL;
}

#else

prefilter_agree *redact_prefilter_vbmi(void) {
    return NULL;
}

#endif
