#include "net/lan.h"

#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>

static bool is_candidate(const struct ifaddrs *i) {
    return i->ifa_addr && i->ifa_addr->sa_family == AF_INET && (i->ifa_flags & IFF_UP) &&
           !(i->ifa_flags & IFF_LOOPBACK);
}

const struct ifaddrs *lan_choose(const struct ifaddrs *list) {
    static const char *const preferred[] = {"en0", "en1", "eth0", "wlan0"};
    for (size_t n = 0; n < ARRAY_LEN(preferred); n++)
        for (const struct ifaddrs *i = list; i; i = i->ifa_next)
            if (is_candidate(i) && strcmp(i->ifa_name, preferred[n]) == 0) return i;
    for (const struct ifaddrs *i = list; i; i = i->ifa_next)
        if (is_candidate(i)) return i;
    return NULL;
}

int lan_address(char ret[ADDR_TEXT_BYTES]) {
    struct ifaddrs *list;
    struct addr a;
    if (getifaddrs(&list) < 0) return -errno;
    const struct ifaddrs *chosen = lan_choose(list);
    bool found = chosen && addr_of_socket(chosen->ifa_addr, &a);
    freeifaddrs(list);
    if (!found) return -ENOENT;
    addr_print(&a, ret);
    return 0;
}
