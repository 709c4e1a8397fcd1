/* One request and its answer, for the files of net/ that make and finish them. */
#pragma once

#include "net/net_int.h"

struct http_exchange {
    struct list link;  /* conn->http.queue */
    struct conn *conn; /* NULL when the client has gone */
    struct http_request request;
    struct arena arena;
    struct parsed parsed;
    struct addr client; /* the peer, or whom a trusted proxy speaks for */
    enum http_who who;
    bool knows_user;
    uid_t user;
    bool secure;
    size_t bytes;     /* of the request, in memory, while it is in the queue */
    struct span host; /* what was asked for */
    struct buf extra; /* response headers that were added */
    bool has_policy;  /* Content-Security-Policy is among them */
    bool has_caching; /* Cache-Control is */
    bool head;        /* HEAD: the body is not sent */
    bool begun;       /* its head has been looked at, and its body is wanted */
    bool keep_alive;
    bool waits;    /* an upgrade behind requests that are not answered yet */
    bool answered; /* but not sent: earlier ones are still open. The answer is here: */
    struct buf answer;
    char *answer_heap;
    struct span answer_body;
};

/* http_conn.c */
void http_conn_answered(struct http_exchange *x); /* its answer is complete, in `answer…` or sent */
bool http_conn_is_first(const struct http_exchange *x);
void http_conn_dequeue(struct http_exchange *x); /* it is not waited for any more */
void http_exchange_free(struct http_exchange *x);

/* reply.c */
void reply_switch(struct http_exchange *x, const char *accept, struct span protocol); /* 101 */
/* The answer of an exchange whose turn has come. */
void reply_send_kept(struct http_exchange *x);
