#include "term/redact_int.h"
#include "term/vt_width.h"

static uint32_t decode(struct span c) {
    const unsigned char *p = (const unsigned char *)c.p;
    switch (c.n) {
    case 1: return p[0];
    case 2: return (p[0] & 0x1fU) << 6 | (p[1] & 0x3fU);
    case 3: return (p[0] & 0x0fU) << 12 | (p[1] & 0x3fU) << 6 | (p[2] & 0x3fU);
    default: return (p[0] & 0x07U) << 18 | (p[1] & 0x3fU) << 12 | (p[2] & 0x3fU) << 6 | (p[3] & 0x3fU);
    }
}

void redact_mask(struct span c, char *to) {
    /* By bytes, then by cells. No character of one or two bytes is wide, none of one byte has no width. */
    static const char *const masks[4][3] = {
        {"", "*", ""},
        {"\xCC\x81", "\xC2\xB7", ""},                                 /* acute accent, middle dot */
        {"\xE2\x83\x90", "\xE2\x80\xA2", "\xEF\xBC\x8A"},             /* harpoon, bullet, wide asterisk */
        {"\xF3\xA0\x84\x80", "\xF0\x9F\x9E\x84", "\xF0\x9F\x94\x92"}, /* variation selector, circle, lock */
    };
    assert(c.n >= 1 && c.n <= 4);
    uint32_t code = decode(c);
    /* What does something stays, and so do blanks and the borders of boxes. */
    bool control = code <= 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x2500 && code < 0x2580);
    const char *mask = control ? "" : masks[c.n - 1][vt_width(code) % 3];
    memcpy(to, *mask ? mask : c.p, c.n);
}
