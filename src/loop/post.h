/* A mailbox into the loop thread: any thread posts, the loop runs it. */
#pragma once

#include "base/compiler.h" /* before uv.h: the system headers define MIN and MAX too */

#include <uv.h>

struct post;

/* One piece of mail. Embed it in what you send; it belongs to the mailbox until `run` is called, on the
 * loop. */
struct post_item {
    struct post_item *next;
    void (*run)(struct post_item *item);
};

int post_open(uv_loop_t *loop, struct post **ret);
/* Runs what is still in the mailbox, then ends asynchronously with the loop. No thread may post any more. */
void post_close(struct post *p);
void post_send(struct post *p, struct post_item *item); /* from any thread */
