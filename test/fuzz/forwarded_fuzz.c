/* Addresses, ranges of them, and what proxies write. The first line is the header, the second a range. */
#include "net/forwarded.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition) abort();
}

/* What was read prints as something that reads the same. */
static void check_round(const struct addr *a) {
    char text[ADDR_TEXT_BYTES];
    struct addr again;
    addr_print(a, text);
    require(text[0] && addr_parse(span_str(text), &again) && addr_eq(a, &again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span rest = span_of((const char *)data, size), header = span_split(&rest, '\n');
    struct addr_range trusted[2] = {{.bits = 128}, {.bits = 128}};
    struct addr a, peer;
    if (addr_parse(header, &a)) check_round(&a);
    require(addr_range_parse(SPAN("10.0.0.0/8"), &trusted[0]) && addr_parse(SPAN("10.0.0.1"), &peer));
    bool is_range = addr_range_parse(rest, &trusted[1]);
    require(trusted[1].bits <= 128 && (!is_range || addr_in(&trusted[1].base, &trusted[1], 1)));
    const struct forwarded_headers h = {.from = header, .proto = header, .host = header};
    struct forwarded f = forwarded_read(&h, &peer, trusted, is_range ? 2 : 1);
    check_round(&f.client);
    require(f.host.n <= header.n && (!f.host.n || !memchr(f.host.p, ',', f.host.n)));
    /* What the client wrote before a proxy's own entry changes nothing. */
    char made_up[256] = "6.6.6.6, ";
    size_t n = strlen(made_up);
    if (header.n == 0 || header.n > sizeof made_up - n || f.host.n == 0) return 0;
    memcpy(made_up + n, header.p, header.n);
    const struct forwarded_headers with = {
        .from = span_of(made_up, n + header.n), .proto = h.proto, .host = h.host};
    struct forwarded g = forwarded_read(&with, &peer, trusted, is_range ? 2 : 1);
    require(addr_in(&f.client, trusted, is_range ? 2 : 1) || addr_eq(&f.client, &g.client));
    return 0;
}
