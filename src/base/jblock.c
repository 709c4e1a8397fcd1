/* Choice of the engine, the padded last block, and the engine in plain C, eight bytes at a time. */
#include "base/jblock.h"

#include "base/jblock_mask.h"

#include <stdatomic.h>

enum { ENGINE_UNKNOWN = -1 };

/* Any thread may be the first to scan; they all come to the same choice. */
static atomic_int chosen = ENGINE_UNKNOWN;

static bool supported(enum jscan_engine engine) {
#if JBLOCK_X86
    if (engine == JSCAN_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("pclmul") &&
               __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
    if (engine == JSCAN_SSE2) return true;
#endif
    return engine == JSCAN_SCALAR;
}

bool jscan_use(enum jscan_engine engine) {
    if (!supported(engine)) return false;
    atomic_store_explicit(&chosen, (int)engine, memory_order_relaxed);
    return true;
}

enum jscan_engine jscan_engine(void) {
    int engine = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (LIKELY(engine != ENGINE_UNKNOWN)) return (enum jscan_engine)engine;
    if (!jscan_use(JSCAN_AVX2) && !jscan_use(JSCAN_SSE2)) (void)jscan_use(JSCAN_SCALAR);
    return (enum jscan_engine)atomic_load_explicit(&chosen, memory_order_relaxed);
}

static void classify_whole(struct jblock_carry *carry, const char *p, size_t count,
                           struct jblock *ret_blocks) {
    switch (jscan_engine()) {
#if JBLOCK_X86
    case JSCAN_AVX2: jblock_avx2(carry, p, count, ret_blocks); return;
    case JSCAN_SSE2: jblock_sse2(carry, p, count, ret_blocks); return;
#else
    case JSCAN_AVX2:
    case JSCAN_SSE2:
#endif
    case JSCAN_SCALAR: jblock_scalar(carry, p, count, ret_blocks); return;
    }
}

size_t jblock_classify(struct jblock_carry *carry, struct span text, size_t max, struct jblock *ret_blocks) {
    assert(max <= JBLOCK_BATCH);
    size_t whole = MIN(text.n / JBLOCK_BYTES, max);
    if (whole) classify_whole(carry, text.p, whole, ret_blocks);

    size_t left = text.n - whole * JBLOCK_BYTES;
    if (whole == max || left == 0) return whole;
    char last[JBLOCK_BYTES];
    memset(last, ' ', sizeof last);
    memcpy(last, text.p + whole * JBLOCK_BYTES, left);
    classify_whole(carry, last, 1, ret_blocks + whole);
    return whole + 1;
}

void jblock_scalar(struct jblock_carry *carry, const char *p, size_t count, struct jblock *ret_blocks) {
    struct jblock_carry c = *carry;
    for (size_t n = 0; n < count; n++, p += JBLOCK_BYTES) {
        struct jblock_masks m = {0};
        for (int at = 0; at < JBLOCK_BYTES; at += 8) {
            uint64_t v = jblock_swar_load(p + at);
            uint64_t folded = v | JBLOCK_SWAR_ONES * JBLOCK_FOLD;
            m.backslash |= jblock_swar_equal(v, '\\') << at;
            m.quote |= jblock_swar_equal(v, '"') << at;
            m.open |= jblock_swar_equal(folded, '{') << at;
            m.close |= jblock_swar_equal(folded, '}') << at;
        }
        uint64_t escaped = jblock_unescape(&c, &m);
        jblock_unquote(&c, &m, escaped, jblock_prefix_xor(m.quote));
        ret_blocks[n] =
            (struct jblock){m.quote, m.open, m.close, jblock_count(m.open), jblock_count(m.close)};
    }
    *carry = c;
}
