/* How far ordinary text goes: 16 bytes at a time where the CPU can. */
#pragma once

#include "term/redact_prefilter.h"

#if defined(__SSE2__)
#    include <emmintrin.h>

/* Bits of those of 16 bytes that may end the text: controls other than white space, DEL, and what begins a longer character. */
static inline unsigned redact_text_suspicious(const char *p) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
    __m128i above = _mm_sub_epi8(bytes, _mm_set1_epi8('\t'));
    __m128i blank = _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8('\r' - '\t')), above);
    __m128i high = _mm_cmpeq_epi8(_mm_max_epu8(bytes, _mm_set1_epi8((char)0xc2)), bytes);
    __m128i odd = _mm_or_si128(_mm_andnot_si128(blank, low), _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7f)));
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(odd, high));
}
#endif

static inline bool redact_text_ends(struct span text, size_t at) {
    unsigned char c = (unsigned char)text.p[at];
    return redact_is_odd(c) || (c >= 0xc2 && redact_hidden(text, at));
}

/* Bytes of ordinary text, from `at` on and before `end`: up to a control, or a character that takes no room. */
static inline size_t redact_text_run(struct span text, size_t at, size_t end) {
    size_t n = at;
#if defined(__SSE2__)
    for (; n + 16 <= end; n += 16)
        for (unsigned found = redact_text_suspicious(text.p + n); found; found &= found - 1) {
            size_t place = n + (unsigned)__builtin_ctz(found);
            if (redact_text_ends(text, place)) return place - at;
        }
#endif
    while (n < end && !redact_text_ends(text, n))
        n++;
    return n - at;
}
