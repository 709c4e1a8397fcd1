#include "loop/post.h"

#include "base/compiler.h"
#include "base/mem.h"
#include "loop/doing.h"

#include <stdbool.h>
#include <stdlib.h>

struct post {
    uv_async_t async;
    uv_mutex_t lock; /* guards the queue */
    struct post_item *first, *last;
};

static struct post_item *take_first(struct post *p) {
    uv_mutex_lock(&p->lock);
    struct post_item *item = p->first;
    if (item) p->first = item->next;
    if (!p->first) p->last = NULL;
    uv_mutex_unlock(&p->lock);
    return item;
}

/* Runs what is there now. What the items post themselves waits for the next turn, so that the loop is
 * never held up. Items leave the queue one by one: a post_close() out of one of them continues in the same
 * order. */
static void on_async(uv_async_t *async) {
    struct post *p = async->data;
    uv_mutex_lock(&p->lock);
    const struct post_item *until = p->last;
    uv_mutex_unlock(&p->lock);
    bool reached = until == NULL;
    while (!reached) {
        struct post_item *item = take_first(p);
        if (!item) return;
        reached = item == until;
        doing("what another thread has found");
        item->run(item);
    }
    uv_mutex_lock(&p->lock);
    bool more = p->first != NULL;
    uv_mutex_unlock(&p->lock);
    if (more && !uv_is_closing((uv_handle_t *)async)) (void)uv_async_send(async);
}

int post_open(uv_loop_t *loop, struct post **ret) {
    struct post *p = xcalloc(1, sizeof *p);
    int r = uv_mutex_init(&p->lock);
    if (r < 0) {
        free(p);
        return r;
    }
    r = uv_async_init(loop, &p->async, on_async);
    if (r < 0) {
        uv_mutex_destroy(&p->lock);
        free(p);
        return r;
    }
    p->async.data = p;
    *ret = p;
    return 0;
}

static void on_close(uv_handle_t *handle) {
    struct post *p = handle->data;
    uv_mutex_destroy(&p->lock);
    free(p);
}

void post_close(struct post *p) {
    for (struct post_item *item; (item = take_first(p));)
        item->run(item);
    uv_close((uv_handle_t *)&p->async, on_close);
}

void post_send(struct post *p, struct post_item *item) {
    item->next = NULL;
    uv_mutex_lock(&p->lock);
    if (p->last)
        p->last->next = item;
    else
        p->first = item;
    p->last = item;
    /* Under the lock: once the item is visible the loop may run it, and it may be the one that closes the
     * mailbox. */
    (void)uv_async_send(&p->async);
    uv_mutex_unlock(&p->lock);
}
