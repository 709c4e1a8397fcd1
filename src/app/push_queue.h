/*
 * Messages on their way to push services. One about the same thing (topic) for the same browser takes the place of one that has not
 * been sent yet; two of them are never under way at once, so that the newer arrives last. Pure: time is an argument.
 */
#pragma once

#include "base/list.h"
#include "base/span.h"
#include "net/http_answer.h"
#include "net/tokens.h"

enum {
    PUSH_QUEUE_MAX = 256,  /* then the oldest that waits goes */
    PUSH_QUEUE_FLYING = 4, /* under way at once */
    PUSH_QUEUE_TRIES = 8,
    PUSH_QUEUE_FIRST_MS = 1000, /* until the second try; then twice as long each time */
    PUSH_QUEUE_LONGEST_MS = 10 * 60 * 1000,
    PUSH_TOPIC_BYTES = 33,
};

/* What is sent. */
struct push_message {
    char topic[PUSH_TOPIC_BYTES];
    unsigned ttl_s; /* how long the push service keeps it for a browser that is away */
    bool urgent;
    struct span json;
};

struct push_item {
    struct list link;
    char sub[TOKEN_ID_BYTES];
    struct push_message message; /* its text is `text` */
    char *text;
    int64_t made_ms, due_ms;
    unsigned tries;
    void *flight; /* the caller's, while it is under way */
};

struct push_queue {
    struct list items; /* the oldest first */
    size_t count, flying;
};

void push_queue_init(struct push_queue *q);
/* Those under way must have landed. */
void push_queue_fini(struct push_queue *q);

void push_queue_put(struct push_queue *q, struct span sub, const struct push_message *m, int64_t now_ms);
/* One that is to be sent now; NULL when there is none. The caller sets its `flight` and calls push_queue_flies(). */
struct push_item *push_queue_next(const struct push_queue *q, int64_t now_ms);
void push_queue_flies(struct push_queue *q, struct push_item *item, void *flight);
/* When to look again; INT64_MAX: nothing waits for a time. */
int64_t push_queue_due(const struct push_queue *q);

enum push_landing {
    PUSH_ARRIVED,
    PUSH_LATER,  /* it is tried again */
    PUSH_FAILED, /* it is given up */
    PUSH_GONE,   /* there is no such browser any more */
};

/* It is back, with this answer (status 0: none). The item is freed unless it is tried again. */
enum push_landing push_queue_landed(struct push_queue *q, struct push_item *item, const struct http_answer *a,
                                    int64_t now_ms);
/* Forgets what waits for a browser; what is under way lands by itself. */
void push_queue_forget(struct push_queue *q, struct span sub);
