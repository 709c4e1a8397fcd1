/*
 * One request of ours to somebody else's server: a POST, of whose answer only the head is read. The name is looked up on the pool,
 * every address that it leads to is judged before it is connected to (net/target), redirections are not followed, and all of it has
 * one deadline. Loop thread.
 */
#pragma once

#include "base/err.h"
#include "net/http_answer.h"
#include "net/target.h"
#include "net/tls_client.h"

#include <uv.h>

enum {
    HTTP_CLIENT_DEADLINE_MS = 20 * 1000,
    HTTP_CLIENT_HEADERS_MAX = 8 << 10,
    HTTP_CLIENT_BODY_MAX = 64 << 10
};

struct http_client {
    uv_loop_t *loop;
    struct tls_trust *trust; /* opened with the first https request */
    const struct addr_range *allowed;
    size_t allowed_count; /* networks that a person named, see target_may() */
    unsigned deadline_ms; /* 0: HTTP_CLIENT_DEADLINE_MS */
};

/* How it went: an answer, or (status 0) a sentence why there is none. */
typedef void http_client_done(void *user, const struct http_answer *answer, const char *why);

struct http_call;

/* `headers` are whole lines, each with its CR and LF. Copies everything. `done` is called exactly once, later, unless the call is
 * cancelled. NULL when `url` is none that may be asked at all; `err` says why. */
struct http_call *http_client_post(struct http_client *c, struct span url, struct span headers,
                                   struct span body, http_client_done *done, void *user, struct err *err);
/* Without a word to anybody; ends asynchronously with the loop. */
void http_client_cancel(struct http_call *call);
void http_client_fini(struct http_client *c); /* when no call is left */
