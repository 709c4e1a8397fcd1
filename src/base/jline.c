/* Choice of the engine, and the engine in plain C. */
#include "base/jline.h"

#include "base/jline_walk.h"

JBLOCK_INLINE uint64_t jline_equal(const char *p, char byte) {
    uint64_t mask = 0;
    for (int at = 0; at < JBLOCK_BYTES; at += 8)
        mask |= jblock_swar_equal(jblock_swar_load(p + at), (unsigned char)byte) << at;
    return mask;
}

JBLOCK_INLINE struct jline_text jline_text(const char *p) {
    struct jline_text m = {0};
    for (int at = 0; at < JBLOCK_BYTES; at += 8) {
        uint64_t v = jblock_swar_load(p + at);
        m.backslash |= jblock_swar_equal(v, '\\') << at;
        m.quote |= jblock_swar_equal(v, '"') << at;
        m.control |= jblock_swar_equal(v & JBLOCK_SWAR_ONES * 0xE0, 0) << at;
    }
    return m;
}

JBLOCK_INLINE bool jline_is_plain(const char *p) {
    struct jline_text m = jline_text(p);
    return !(m.backslash | m.quote | m.control);
}

JBLOCK_INLINE struct jline_marks jline_marks(const char *p) {
    struct jline_marks m = {0};
    for (int at = 0; at < JBLOCK_BYTES; at += 8) {
        uint64_t v = jblock_swar_load(p + at), folded = v | JBLOCK_SWAR_ONES * JBLOCK_FOLD;
        m.open |= jblock_swar_equal(folded, '{') << at;
        m.close |= jblock_swar_equal(folded, '}') << at;
        m.colon |= jblock_swar_equal(v, ':') << at;
        m.comma |= jblock_swar_equal(v, ',') << at;
    }
    return m;
}

JBLOCK_INLINE uint64_t jline_not_escapable(const char *p, uint64_t escaped) {
    return jline_not_escapable_each(p, escaped);
}

JBLOCK_INLINE uint64_t jline_digits(const char *p) {
    uint64_t mask = 0;
    for (int i = 0; i < JBLOCK_BYTES; i++)
        mask |= (uint64_t)(p[i] >= '0' && p[i] <= '9') << i;
    return mask;
}

JBLOCK_INLINE uint64_t jline_prefix_xor(uint64_t bits) {
    return jblock_prefix_xor(bits);
}

bool jline_scalar(const struct jline_names *names, const char *p, size_t n, struct jline *ret) {
    return jline_walk(names, p, n, ret);
}

static bool scan(const struct jline_names *names, const char *p, size_t n, struct jline *ret) {
    switch (jscan_engine()) {
#if JBLOCK_X86
    case JSCAN_AVX2: return jline_avx2(names, p, n, ret);
    case JSCAN_SSE2: return jline_sse2(names, p, n, ret);
#else
    case JSCAN_AVX2:
    case JSCAN_SSE2:
#endif
    case JSCAN_SCALAR: break;
    }
    return jline_scalar(names, p, n, ret);
}

bool jline_scan(const struct jline_names *names, const char *p, size_t n, struct jline *ret) {
    if (LIKELY(scan(names, p, n, ret))) return true;
    const char *end = memchr(p, '\n', n);
    assert(end);
    *ret = (struct jline){.n = (size_t)(end - p)};
    return false;
}

struct jline_names jline_names_of(const struct span *names, size_t n) {
    struct jline_names ret = {.n = n};
    assert(n <= JLINE_WANTED_MAX);
    for (size_t i = 0; i < n; i++) {
        assert(names[i].n < 64);
        ret.v[i] = names[i];
        ret.lengths |= UINT64_C(1) << names[i].n;
    }
    return ret;
}
