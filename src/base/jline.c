/* The choice of the engine; that in plain C is here. */
#include "base/jline.h"

#include "base/jline_walk.h"

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
        assert(names[i].n && names[i].n <= JLINE_NAME_MAX);
        ret.v[i] = names[i];
        ret.slots[jline_slot(names[i].p[0], names[i].n)] |= (uint8_t)(1U << i);
        memcpy(&ret.heads[i], names[i].p, MIN(names[i].n, sizeof ret.heads[i]));
        memset(&ret.masks[i], 0xFF, MIN(names[i].n, sizeof ret.masks[i]));
    }
    return ret;
}
