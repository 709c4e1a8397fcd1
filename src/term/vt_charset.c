/* National and drawing character sets, as xterm.js has them. Number 0 is ASCII. */
#include "term/vt_int.h"

struct charset {
    char final, other;   /* what selects it */
    const uint16_t *map; /* pairs of a character and what it becomes; 0 ends them */
};

#define MAP(...) ((const uint16_t[]){__VA_ARGS__, 0})

static const struct charset charsets[] = {
    {'B', 0, MAP(0)},
    {'0', 0,
     MAP('`', 0x25c6, 'a', 0x2592, 'b', 0x2409, 'c', 0x240c, 'd', 0x240d, 'e', 0x240a, 'f', 0xb0, 'g', 0xb1,
         'h', 0x2424, 'i', 0x240b, 'j', 0x2518, 'k', 0x2510, 'l', 0x250c, 'm', 0x2514, 'n', 0x253c, 'o',
         0x23ba, 'p', 0x23bb, 'q', 0x2500, 'r', 0x23bc, 's', 0x23bd, 't', 0x251c, 'u', 0x2524, 'v', 0x2534,
         'w', 0x252c, 'x', 0x2502, 'y', 0x2264, 'z', 0x2265, '{', 0x3c0, '|', 0x2260, '}', 0xa3, '~', 0xb7)},
    {'A', 0, MAP('#', 0xa3)},
    {'4', 0,
     MAP('#', 0xa3, '@', 0xbe, '[', 'i', '\\', 0xbd, ']', '|', '{', 0xa8, '|', 'f', '}', 0xbc, '~', 0xb4)},
    {'C', '5',
     MAP('[', 0xc4, '\\', 0xd6, ']', 0xc5, '^', 0xdc, '`', 0xe9, '{', 0xe4, '|', 0xf6, '}', 0xe5, '~', 0xfc)},
    {'R', 0,
     MAP('#', 0xa3, '@', 0xe0, '[', 0xb0, '\\', 0xe7, ']', 0xa7, '{', 0xe9, '|', 0xf9, '}', 0xe8, '~', 0xa8)},
    {'Q', 0,
     MAP('@', 0xe0, '[', 0xe2, '\\', 0xe7, ']', 0xea, '^', 0xee, '`', 0xf4, '{', 0xe9, '|', 0xf9, '}', 0xe8,
         '~', 0xfb)},
    {'K', 0, MAP('@', 0xa7, '[', 0xc4, '\\', 0xd6, ']', 0xdc, '{', 0xe4, '|', 0xf6, '}', 0xfc, '~', 0xdf)},
    {'Y', 0,
     MAP('#', 0xa3, '@', 0xa7, '[', 0xb0, '\\', 0xe7, ']', 0xe9, '`', 0xf9, '{', 0xe0, '|', 0xf2, '}', 0xe8,
         '~', 0xec)},
    {'E', '6',
     MAP('@', 0xc4, '[', 0xc6, '\\', 0xd8, ']', 0xc5, '^', 0xdc, '`', 0xe4, '{', 0xe6, '|', 0xf8, '}', 0xe5,
         '~', 0xfc)},
    {'Z', 0, MAP('#', 0xa3, '@', 0xa7, '[', 0xa1, '\\', 0xd1, ']', 0xbf, '{', 0xb0, '|', 0xf1, '}', 0xe7)},
    {'H', '7',
     MAP('@', 0xc9, '[', 0xc4, '\\', 0xd6, ']', 0xc5, '^', 0xdc, '`', 0xe9, '{', 0xe4, '|', 0xf6, '}', 0xe5,
         '~', 0xfc)},
    {'=', 0,
     MAP('#', 0xf9, '@', 0xe0, '[', 0xe9, '\\', 0xe7, ']', 0xea, '^', 0xee, '_', 0xe8, '`', 0xf4, '{', 0xe4,
         '|', 0xf6, '}', 0xfc, '~', 0xfb)},
};

uint32_t vt_charset_map(uint8_t charset, uint32_t code) {
    for (const uint16_t *pair = charsets[charset].map; *pair; pair += 2)
        if (*pair == code) return pair[1];
    return code;
}

bool vt_charset_find(char final, uint8_t *ret) {
    for (size_t i = 0; i < ARRAY_LEN(charsets); i++) {
        if (final != charsets[i].final && (!charsets[i].other || final != charsets[i].other)) continue;
        *ret = (uint8_t)i;
        return true;
    }
    return false;
}

char vt_charset_final(uint8_t charset) {
    return charset < ARRAY_LEN(charsets) ? charsets[charset].final : 0;
}
