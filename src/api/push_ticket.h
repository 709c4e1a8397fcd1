/*
 * What a push carries so that its notification can be answered without a login: a ticket for one request as it was shown, for the
 * decisions that were offered, for a while. It says all that itself and is sealed with a key of ours, so that nothing has to be
 * remembered; it works once, because a request is answered once. Pure.
 */
#pragma once

#include "base/buf.h"
#include "base/id.h"
#include "crypto/digest.h"
#include "net/tokens.h"

enum { PUSH_TICKET_KEY_BYTES = 32, PUSH_TICKET_TEXT_MAX = 256 };

enum push_decision { PUSH_ALLOW = 1 << 0, PUSH_DENY = 1 << 1 };

struct push_ticket {
    int64_t until_ms;
    unsigned decisions;       /* enum push_decision */
    char sub[TOKEN_ID_BYTES]; /* the subscription that it was sent to: with that it ends */
    char request[ID_BYTES];
    char digest[DIGEST_SHA256_HEX]; /* of what was shown */
};

void push_ticket_write(const struct push_ticket *t, const unsigned char key[PUSH_TICKET_KEY_BYTES],
                       struct buf *out);
/* -EINVAL: nobody gave it out; -ETIME: it is too late. */
int push_ticket_read(struct span text, const unsigned char key[PUSH_TICKET_KEY_BYTES], int64_t now_ms,
                     struct push_ticket *ret);
