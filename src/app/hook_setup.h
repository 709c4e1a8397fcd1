/* Hooks with the CLIs, over HTTP and at the start: the files are worked on on the pool. */
#pragma once

#include "base/list.h"
#include "config/config.h"

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

/* Brings the hooks of these CLIs up to date in the background, where they were installed once. */
void hook_setup_sync(struct app *app, unsigned clis, const enum config_density *density);
