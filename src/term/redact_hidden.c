#include "term/redact_prefilter.h"

#include "base/utf8.h"
#include "term/vt_width.h"

size_t redact_hidden(struct span text, size_t at) {
    unsigned char lead = (unsigned char)text.p[at];
    if (lead < 0xc2 || (lead > 0xcd && lead < 0xe2) || (lead > 0xe2 && lead != 0xef)) return 0;
    /* Most of what begins so is none: signs, lines, blocks. */
    if (lead == 0xe2 && at + 1 < text.n && (unsigned char)text.p[at + 1] > 0x83) return 0;
    struct span here = span_skip(text, at);
    size_t n = utf8_sequence(here);
    if (n != 2 && n != 3) return 0;
    const unsigned char *p = (const unsigned char *)here.p;
    uint32_t code = n == 2 ? (p[0] & 0x1fU) << 6 | (p[1] & 0x3fU)
                           : (p[0] & 0x0fU) << 12 | (p[1] & 0x3fU) << 6 | (p[2] & 0x3fU);
    bool hidden = code >= 0xa0 && (vt_width(code) == 0 || code == 0xad || code == 0xfeff ||
                                   (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
                                   (code >= 0x2060 && code <= 0x206f));
    return hidden ? n : 0;
}
