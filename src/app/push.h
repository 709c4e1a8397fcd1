/*
 * Sends Web Push messages: our key and the subscriptions in files of ours, a queue in which a newer message takes the place of an
 * older one about the same thing, a few requests at a time, and tries again later where a push service asks for that.
 */
#pragma once

#include "api/push.h"
#include "app/push_queue.h"
#include "base/clock.h"
#include "base/path.h"
#include "net/http_client.h"

#include <uv.h>

struct config;

struct pushes {
    struct push push; /* for the routes */
    const struct clock *clock;
    struct http_client client;
    struct push_queue queue;
    struct p256 *key;
    char *contact; /* where push services can reach us: a mailto: or https: address */
    struct addr_range *allowed;
    uv_timer_t timer; /* the next try */
    char key_file[PATH_BYTES], list_file[PATH_BYTES];
    struct auth *auth; /* borrowed: who is logged in */
    bool open;
};

/* Never fails: without a key nothing is sent, and the routes say why. `auth` is borrowed until pushes_close(). */
void pushes_open(struct pushes *p, uv_loop_t *loop, const struct clock *clock, struct auth *auth);
/* The files, and what the configuration says. */
void pushes_load(struct pushes *p, const struct paths *paths, const struct config *config);
void pushes_close(struct pushes *p); /* ends asynchronously with the loop */
void pushes_free(struct pushes *p);  /* when the loop has ended */

/* Some logins are no more: their subscriptions go, too. */
void pushes_prune(struct pushes *p);

/* Queues a message for one of them; `json` is copied. */
void pushes_send(struct pushes *p, const struct push_sub *sub, const struct push_message *m);
