#include "net/peer.h"

#include "net/addr.h"

bool peer_is_loopback(struct span address) {
    struct addr a;
    return addr_parse(address, &a) && addr_is_loopback(&a);
}

struct peer_block peer_block(struct span address) {
    struct peer_block block = {"?"};
    struct addr a;
    if (!addr_parse(address, &a)) return block;
    if (addr_is_loopback(&a)) {
        block.bytes[0] = 'l';
    } else if (addr_is_v4(&a)) {
        block.bytes[0] = '4';
        memcpy(block.bytes + 1, a.bytes + 12, 4);
    } else {
        block.bytes[0] = '6';
        memcpy(block.bytes + 1, a.bytes, 8);
    }
    return block;
}
