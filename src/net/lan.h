/* This machine as other machines see it. */
#pragma once

#include "net/addr.h"

struct ifaddrs;

/* The IPv4 address that others in the local network most likely reach: of en0, en1, eth0, wlan0 in this order, else of the first
 * interface that is up and not the machine's own. -ENOENT when there is none. */
int lan_address(char ret[ADDR_TEXT_BYTES]);

/* The choice, among what getifaddrs() answers. Pure. */
const struct ifaddrs *lan_choose(const struct ifaddrs *list);
