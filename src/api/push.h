/* Web Push, as the routes see it: the subscriptions, our key, and what is done about both. app/push owns it. */
#pragma once

#include "api/push_list.h"
#include "api/push_ticket.h"
#include "net/http.h"

enum { PUSH_PUBLIC_KEY_BYTES = 88 };

struct push {
    struct push_list list;
    const struct addr_range *allowed; /* networks that endpoints may be in, though they are private */
    size_t allowed_count;
    bool ready; /* there is a key; why not is in `problem` */
    char public_key[PUSH_PUBLIC_KEY_BYTES];
    unsigned char ticket_key[PUSH_TICKET_KEY_BYTES];
    char problem[ERR_MSG_BYTES];
    /* Sees that there is a key, if that is possible. */
    void (*prepare)(void *user);
    /* The list has changed: it is to be kept. -errno when it cannot be. */
    int (*changed)(void *user);
    /* Sends a message that says that it works. */
    void (*test)(void *user, struct push_sub *sub);
    void *user;
};
