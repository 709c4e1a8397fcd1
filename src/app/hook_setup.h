/* Hooks with the CLIs, over HTTP: the files are worked on on the pool. */
#pragma once

#include "base/list.h"

struct app;
struct http_exchange;
struct hook_setup_request;

struct hook_setups {
    struct list jobs; /* under way */
};

void hook_setups_open(struct hook_setups *s);
/* Answers whoever waits; the work itself is finished. */
void hook_setups_close(struct hook_setups *s);

/* For struct api; `user` is a struct app. */
void hook_setup_request(void *user, struct http_exchange *x, const struct hook_setup_request *r);
