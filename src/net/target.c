#include "net/target.h"

#include <ctype.h>

enum { PORT_HTTP = 80, PORT_HTTPS = 443, V4_AT = 12 };

static bool is_host(struct span host) {
    struct addr a;
    if (host.n == 0 || host.n > TARGET_HOST_MAX) return false;
    if (addr_parse(host, &a)) return true;
    for (size_t i = 0; i < host.n; i++)
        if (!isalnum((unsigned char)host.p[i]) && !strchr("-._", host.p[i])) return false;
    return host.p[0] != '.' && host.p[0] != '-';
}

/* The characters that may stand in the path of a request line. */
static bool is_path(struct span path) {
    for (size_t i = 0; i < path.n; i++)
        if (path.p[i] <= ' ' || path.p[i] >= 0x7f || strchr("\"<>\\^`{|}#", path.p[i])) return false;
    return true;
}

static bool read_port(struct span text, uint16_t *ret) {
    uint64_t port;
    if (!span_u64(text, &port) || port == 0 || port > UINT16_MAX) return false;
    *ret = (uint16_t)port;
    return true;
}

/* "name", "name:port", "[::1]:port" */
static bool read_authority(struct span text, struct target *ret) {
    struct span rest = text;
    struct addr a;
    if (text.n && text.p[0] == '[') {
        ret->host = span_skip(span_split(&rest, ']'), 1);
        bool closed =
            ret->host.n + 1 < text.n && addr_parse(ret->host, &a) && memchr(ret->host.p, ':', ret->host.n);
        return closed && (rest.n == 0 || (rest.p[0] == ':' && read_port(span_skip(rest, 1), &ret->port)));
    }
    ret->host = span_split(&rest, ':');
    return is_host(ret->host) && (ret->host.n == text.n || read_port(rest, &ret->port));
}

bool target_parse(struct span url, struct target *ret) {
    struct target t = {.secure = span_istarts(url, SPAN("https://"))};
    if (url.n > TARGET_URL_MAX || (!t.secure && !span_istarts(url, SPAN("http://")))) return false;
    struct span rest = span_skip(url, t.secure ? 8 : 7);
    size_t n = 0;
    while (n < rest.n && !strchr("/?#", rest.p[n]) && rest.p[n])
        n++;
    t.port = t.secure ? PORT_HTTPS : PORT_HTTP;
    t.origin = span_take(url, url.n - rest.n + n);
    t.path = span_skip(rest, n);
    if (t.path.n == 0) t.path = SPAN("/");
    if (t.path.p[0] != '/' || !is_path(t.path) || !read_authority(span_take(rest, n), &t)) return false;
    *ret = t;
    return true;
}

/* ---- addresses --------------------------------------------------------------------------------------------------- */

static bool is_public_v4(const uint8_t a[4]) {
    static const struct {
        uint8_t base[4];
        unsigned bits;
    } others[] = {
        {{0}, 8},
        {{10}, 8},
        {{100, 64}, 10},
        {{127}, 8},
        {{169, 254}, 16},
        {{172, 16}, 12},
        {{192, 0, 0}, 24},
        {{192, 0, 2}, 24},
        {{192, 88, 99}, 24},
        {{192, 168}, 16},
        {{198, 18}, 15},
        {{198, 51, 100}, 24},
        {{203, 0, 113}, 24},
        {{224}, 4},
        {{240}, 4},
    };
    uint32_t number = (uint32_t)a[0] << 24 | (uint32_t)a[1] << 16 | (uint32_t)a[2] << 8 | a[3];
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        const uint8_t *b = others[i].base;
        uint32_t base = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
        if ((number ^ base) >> (32 - others[i].bits) == 0) return false;
    }
    return true;
}

bool addr_is_public(const struct addr *a) {
    static const uint8_t nat64[] = {0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0};
    if (addr_is_v4(a) || memcmp(a->bytes, nat64, sizeof nat64) == 0) return is_public_v4(a->bytes + V4_AT);
    if ((a->bytes[0] & 0xe0) != 0x20) return false; /* all that is given out is in 2000::/3 */
    bool is_6to4 = a->bytes[0] == 0x20 && a->bytes[1] == 0x02;
    bool is_special =
        a->bytes[0] == 0x20 && a->bytes[1] == 0x01 && a->bytes[2] < 0x02; /* Teredo and the like */
    bool is_example =
        a->bytes[0] == 0x20 && a->bytes[1] == 0x01 && a->bytes[2] == 0x0d && a->bytes[3] == 0xb8;
    return !is_6to4 && !is_special && !is_example;
}

bool target_may(const struct target *t, const struct addr *a, const struct addr_range *allowed,
                size_t count) {
    bool named = addr_in(a, allowed, count);
    return t->secure ? named || addr_is_public(a) : named && addr_is_loopback(a);
}
