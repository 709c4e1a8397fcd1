#include "net/addr.h"

#include <arpa/inet.h>

enum { MAPPED_BYTES = 12, MAPPED_BITS = 96, ALL_BITS = 128 };

static const struct addr mapped = {.bytes = {[10] = 0xff, [11] = 0xff}};

bool addr_parse(struct span text, struct addr *ret) {
    char copy[ADDR_TEXT_BYTES];
    struct addr a = mapped;
    if (text.n == 0 || text.n >= sizeof copy || memchr(text.p, '\0', text.n)) return false;
    memcpy(copy, text.p, text.n);
    copy[text.n] = '\0';
    if (inet_pton(AF_INET, copy, a.bytes + MAPPED_BYTES) != 1 && inet_pton(AF_INET6, copy, a.bytes) != 1)
        return false;
    *ret = a;
    return true;
}

bool addr_of_socket(const struct sockaddr *at, struct addr *ret) {
    struct addr a = mapped;
    if (at->sa_family == AF_INET) {
        memcpy(a.bytes + MAPPED_BYTES, &((const struct sockaddr_in *)(const void *)at)->sin_addr, 4);
    } else if (at->sa_family == AF_INET6) {
        memcpy(a.bytes, &((const struct sockaddr_in6 *)(const void *)at)->sin6_addr, sizeof a.bytes);
    } else {
        return false;
    }
    *ret = a;
    return true;
}

bool addr_is_v4(const struct addr *a) {
    return memcmp(a->bytes, mapped.bytes, MAPPED_BYTES) == 0;
}

void addr_print(const struct addr *a, char ret[ADDR_TEXT_BYTES]) {
    bool v4 = addr_is_v4(a);
    if (!inet_ntop(v4 ? AF_INET : AF_INET6, v4 ? a->bytes + MAPPED_BYTES : a->bytes, ret, ADDR_TEXT_BYTES))
        ret[0] = '\0';
}

bool addr_eq(const struct addr *a, const struct addr *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

bool addr_is_loopback(const struct addr *a) {
    static const struct addr v6 = {.bytes = {[15] = 1}};
    return addr_is_v4(a) ? a->bytes[MAPPED_BYTES] == 127 : addr_eq(a, &v6);
}

bool addr_range_parse(struct span text, struct addr_range *ret) {
    struct span rest = text, address = span_split(&rest, '/');
    struct addr_range r = {.bits = ALL_BITS};
    if (!addr_parse(address, &r.base)) return false;
    if (address.n < text.n) {
        /* As it was written: the bits of ::ffff:10.0.0.0 are those of an IPv6 address. */
        bool v4 = !memchr(address.p, ':', address.n);
        uint64_t bits;
        if (!span_u64(rest, &bits) || bits > (v4 ? ALL_BITS - MAPPED_BITS : ALL_BITS)) return false;
        r.bits = (unsigned)bits + (v4 ? MAPPED_BITS : 0);
    }
    *ret = r;
    return true;
}

static bool is_in(const struct addr *a, const struct addr_range *r) {
    unsigned bytes = r->bits / 8, rest = r->bits % 8;
    if (memcmp(a->bytes, r->base.bytes, bytes) != 0) return false;
    return rest == 0 || ((a->bytes[bytes] ^ r->base.bytes[bytes]) >> (8 - rest)) == 0;
}

bool addr_in(const struct addr *a, const struct addr_range *ranges, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (is_in(a, &ranges[i])) return true;
    return false;
}
