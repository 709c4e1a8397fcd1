/* IP addresses and ranges of them. IPv4 is kept in its IPv6-mapped form, so that there is one kind. Pure. */
#pragma once

#include "base/span.h"

#include <sys/socket.h>

enum { ADDR_TEXT_BYTES = 46 };

struct addr {
    uint8_t bytes[16];
};

/* "10.0.0.1/8", "fd00::/8", or one address. */
struct addr_range {
    struct addr base;
    unsigned bits; /* of the mapped form */
};

bool addr_parse(struct span text, struct addr *ret);
bool addr_of_socket(const struct sockaddr *at, struct addr *ret); /* false: it is none of IP's */
void addr_print(const struct addr *a, char ret[ADDR_TEXT_BYTES]);
bool addr_eq(const struct addr *a, const struct addr *b);
bool addr_is_v4(const struct addr *a);
bool addr_is_loopback(const struct addr *a);

bool addr_range_parse(struct span text, struct addr_range *ret);
bool addr_in(const struct addr *a, const struct addr_range *ranges, size_t count);
