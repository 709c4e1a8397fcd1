#include "spool/segment.h"

enum { DIGITS = 20 }; /* of the largest 64-bit number: names sort like numbers */

void segment_name(char out[SPOOL_SEALED_NAME_BYTES], uint64_t n) {
    for (size_t i = DIGITS; i-- > 0; n /= 10)
        out[i] = (char)('0' + n % 10);
    memcpy(out + DIGITS, SPOOL_SEALED_SUFFIX, sizeof SPOOL_SEALED_SUFFIX);
}

bool segment_number(const char *name, uint64_t *ret) {
    struct span s = span_str(name);
    return s.n == DIGITS + sizeof SPOOL_SEALED_SUFFIX - 1 && span_ends(s, SPAN(SPOOL_SEALED_SUFFIX)) &&
           span_u64(span_take(s, DIGITS), ret);
}

uint64_t segment_next_number(uint64_t newest, uint64_t now_us) {
    return now_us > newest ? now_us : newest + 1;
}
