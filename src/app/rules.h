/*
 * Rules that were written from here, and policies: what the CLIs' own settings say of them is looked up, and changed, on the pool.
 * What was changed becomes a command in the spool.
 */
#pragma once

#include "api/api.h"

#include <uv.h>

/* Owned by struct app. */
struct rules {
    struct list jobs;
};

void rules_open(struct rules *r);
/* Answers everybody who still waits: the daemon stops. */
void rules_close(struct rules *r);

/* What struct api asks for. */
void rules_request(void *user, struct http_exchange *x, const struct rules_request *request);
