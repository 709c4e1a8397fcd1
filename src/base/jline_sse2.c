/* The engine for every x86 CPU of 64 bits. */
#include "base/jline_engine.h"

#if JBLOCK_X86

#    include <emmintrin.h>

struct vec {
    __m128i v[4];
};

JBLOCK_INLINE struct vec load(const char *p) {
    struct vec v;
    for (int i = 0; i < 4; i++)
        v.v[i] = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
    return v;
}

JBLOCK_INLINE uint64_t bits(__m128i a, __m128i b, __m128i c, __m128i d) {
    uint32_t low = (uint32_t)_mm_movemask_epi8(a) | (uint32_t)_mm_movemask_epi8(b) << 16;
    uint32_t high = (uint32_t)_mm_movemask_epi8(c) | (uint32_t)_mm_movemask_epi8(d) << 16;
    return low | (uint64_t)high << 32;
}

JBLOCK_INLINE uint64_t equal(const struct vec *v, char byte) {
    const __m128i w = _mm_set1_epi8(byte);
    return bits(_mm_cmpeq_epi8(v->v[0], w), _mm_cmpeq_epi8(v->v[1], w), _mm_cmpeq_epi8(v->v[2], w),
                _mm_cmpeq_epi8(v->v[3], w));
}

/* Bytes that are at most `limit` above `from`, as unsigned numbers. */
JBLOCK_INLINE uint64_t within(const struct vec *v, char from, char limit) {
    struct vec above;
    for (int i = 0; i < 4; i++) {
        __m128i x = _mm_sub_epi8(v->v[i], _mm_set1_epi8(from));
        above.v[i] = _mm_cmpeq_epi8(_mm_min_epu8(x, _mm_set1_epi8(limit)), x);
    }
    return bits(above.v[0], above.v[1], above.v[2], above.v[3]);
}

JBLOCK_INLINE struct jline_text jline_text(const char *p) {
    struct vec v = load(p);
    return (struct jline_text){
        .backslash = equal(&v, '\\'), .quote = equal(&v, '"'), .control = within(&v, 0, 0x1F)};
}

JBLOCK_INLINE struct jline_marks jline_marks(const char *p) {
    struct vec v = load(p), folded = v;
    for (int i = 0; i < 4; i++)
        folded.v[i] = _mm_or_si128(v.v[i], _mm_set1_epi8(JBLOCK_FOLD));
    return (struct jline_marks){.open = equal(&folded, '{'),
                                .close = equal(&folded, '}'),
                                .colon = equal(&v, ':'),
                                .comma = equal(&v, ',')};
}

JBLOCK_INLINE uint64_t jline_equal(const char *p, char byte) {
    struct vec v = load(p);
    return equal(&v, byte);
}

JBLOCK_INLINE uint64_t jline_digits(const char *p) {
    struct vec v = load(p);
    return within(&v, '0', 9);
}

JBLOCK_INLINE uint64_t jline_hex(const char *p) {
    struct vec v = load(p), folded = v;
    for (int i = 0; i < 4; i++)
        folded.v[i] = _mm_or_si128(v.v[i], _mm_set1_epi8(JBLOCK_FOLD));
    return within(&v, '0', 9) | within(&folded, 'a', 5);
}

JBLOCK_INLINE uint64_t jline_escapable(const char *p) {
    struct vec v = load(p);
    return equal(&v, 'n') | equal(&v, 't');
}

JBLOCK_INLINE uint64_t jline_prefix_xor(uint64_t mask) {
    return jblock_prefix_xor(mask);
}

#    define JLINE_ENGINE
#    include "base/jline_walk.h"

bool jline_sse2(const struct jline_names *names, const char *p, size_t n, struct jline *ret) {
    return jline_walk(names, p, n, ret);
}

#endif
