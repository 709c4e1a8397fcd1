/* The engine in plain C, eight bytes at a time: see jline_engine.h. */
#pragma once

#include "base/jline_engine.h"

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

JBLOCK_INLINE uint64_t jline_digits(const char *p) {
    uint64_t mask = 0;
    for (int i = 0; i < JBLOCK_BYTES; i++)
        mask |= (uint64_t)(p[i] >= '0' && p[i] <= '9') << i;
    return mask;
}

JBLOCK_INLINE uint64_t jline_hex(const char *p) {
    uint64_t mask = jline_digits(p);
    for (int i = 0; i < JBLOCK_BYTES; i++)
        mask |= (uint64_t)((p[i] | 0x20) >= 'a' && (p[i] | 0x20) <= 'f') << i;
    return mask;
}

JBLOCK_INLINE uint64_t jline_escapable(const char *p) {
    return jline_equal(p, 'n') | jline_equal(p, 't');
}

JBLOCK_INLINE uint64_t jline_prefix_xor(uint64_t bits) {
    return jblock_prefix_xor(bits);
}
