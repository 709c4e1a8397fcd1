#include "net/lan.h"
#include "test.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>

enum { MANY = 8 };

static struct ifaddrs list[MANY];
static struct sockaddr_in at[MANY];
static size_t count;

/* Adds one to the list; `family` 0: without an address. */
static void add(char *name, unsigned flags, int family) {
    at[count] = (struct sockaddr_in){.sin_family = (sa_family_t)family, .sin_addr = {htonl(0x0a000001)}};
    list[count] = (struct ifaddrs){
        .ifa_name = name, .ifa_flags = flags, .ifa_addr = family ? (struct sockaddr *)&at[count] : NULL};
    if (count) list[count - 1].ifa_next = &list[count];
    count++;
}

static const char *chosen(void) {
    const struct ifaddrs *i = count ? lan_choose(list) : lan_choose(NULL);
    count = 0;
    return i ? i->ifa_name : "";
}

static char lo[] = "lo", docker[] = "docker0", wlan[] = "wlan0", eth[] = "eth0", other[] = "enp3s0";

TEST(the_order_of_preference) {
    add(lo, IFF_UP | IFF_LOOPBACK, AF_INET);
    add(docker, IFF_UP, AF_INET);
    add(wlan, IFF_UP, AF_INET);
    add(eth, IFF_UP, AF_INET);
    CHECK_STR(chosen(), "eth0");
    add(docker, IFF_UP, AF_INET);
    add(wlan, IFF_UP, AF_INET);
    CHECK_STR(chosen(), "wlan0");
    add(other, IFF_UP, AF_INET);
    add(docker, IFF_UP, AF_INET);
    CHECK_STR(chosen(), "enp3s0");
}

TEST(what_cannot_be_reached) {
    add(lo, IFF_UP | IFF_LOOPBACK, AF_INET);
    add(eth, 0, AF_INET);
    add(eth, IFF_UP, AF_INET6);
    add(eth, IFF_UP, 0);
    CHECK_STR(chosen(), "");
    CHECK_STR(chosen(), "");
}

TESTS(RUN(the_order_of_preference), RUN(what_cannot_be_reached))
