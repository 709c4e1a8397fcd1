/*
 * The inbox over HTTP and the board's socket: what is asked, and answers to it. One function takes an answer, whoever brings it.
 */
#pragma once

#include "api/api.h"
#include "wire/approval_json.h"

enum { APPROVALS_BY_BYTES = RULES_BY_BYTES, APPROVALS_BODY_MAX = 1 << 20 };

/* How the request could be answered now. */
struct approval_way approvals_way(const struct api *api, const struct worker *w, const struct request *r);

/* Writes the members `approvals` and `away` into an object that the caller has begun. */
void approvals_write_all(const struct api *api, struct jwrite *w);
/* {"away", "since", "by", "afterMinutes", "auto"} */
void approvals_write_away(const struct api *api, struct jwrite *w);

/* Who makes this request, in words, for whoever reads later who has answered. */
void approvals_by(const struct api *api, const struct http_exchange *x, char ret[APPROVALS_BY_BYTES]);

/* Answers the request `id` as the JSON object `body` says. `done` is called exactly once, now or later, with an HTTP status and a
 * body; calls_forget() takes back who waits. */
void approvals_answer(const struct api *api, struct span id, struct span body, const char *by,
                      calls_done_fn *done, void *user);
