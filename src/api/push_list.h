/*
 * The browsers that want to be told: Web Push subscriptions, each of the login that made it, with the kinds of news that are
 * wanted and the hours in which none are. Pure; app/push keeps them in a file (0600), for with what is in here anybody could
 * write to these browsers.
 */
#pragma once

#include "base/err.h"
#include "base/list.h"
#include "core/enums.h"
#include "crypto/push_seal.h"
#include "net/target.h"
#include "net/tokens.h"

enum {
    PUSH_LIST_MAX = 32, /* then the oldest goes */
    PUSH_FAILURE_BYTES = 160,
    PUSH_LIST_FILE_BYTES = 256 << 10,
    PUSH_DAY_MINUTES = 24 * 60,
};

/* Nothing is sent from one minute of the day to another; none when both are the same. */
struct push_quiet {
    int from, to;
    int offset; /* of the browser's clock, as JavaScript tells it: UTC less local time, in minutes */
};

struct push_sub {
    struct list link;
    char id[TOKEN_ID_BYTES];
    char *endpoint; /* where a message goes; a secret of the browser's */
    struct push_seal_to to;
    unsigned kinds; /* bits 1 << enum attention_kind */
    struct push_quiet quiet;
    char device[USER_AGENT_BYTES];
    char login[TOKEN_ID_BYTES]; /* "": of who needed none */
    int64_t created_ms, sent_ms;
    char failure[PUSH_FAILURE_BYTES]; /* why the last one did not arrive; "": it did */
};

struct push_list {
    struct list subs; /* the oldest first */
    size_t count;
    /* One is about to go; may be NULL. */
    void (*gone)(void *user, const struct push_sub *sub);
    void *user;
};

void push_list_init(struct push_list *l);
void push_list_fini(struct push_list *l);

/* What a browser sends: {endpoint, keys: {p256dh, auth}, kinds?, quiet?}. -EINVAL with a sentence. `ret` gets an endpoint of its
 * own. Plain http and addresses of private networks are refused unless `allowed`. */
int push_sub_parse(struct span json, const struct addr_range *allowed, size_t count, struct push_sub *ret,
                   struct err *err);
void push_sub_fini(struct push_sub *sub);

/* Takes one over, with its endpoint: a browser that is known already keeps its id and is otherwise as it is told now. Returns it. */
struct push_sub *push_list_put(struct push_list *l, const struct push_sub *sub);
struct push_sub *push_list_find(const struct push_list *l, struct span id); /* NULL: unknown */
void push_list_remove(struct push_list *l, struct push_sub *sub);
/* Takes out those of logins that are no more. True when there were any. */
bool push_list_prune(struct push_list *l, bool (*is_login)(void *user, const char *login), void *user);

/* Does it want news of this kind now? */
bool push_sub_wants(const struct push_sub *sub, enum attention_kind kind, int64_t now_ms);

void push_list_write(const struct push_list *l, struct buf *out);
/* -EINVAL for what is none of ours; then the list is empty. */
int push_list_read(struct push_list *l, struct span text);
