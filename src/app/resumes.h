/* POST /api/sessions/:id/resume: an agent that has ended goes on with its conversation, a shell starts again in its place. */
#pragma once

#include "api/api.h"

/* struct api.resume; `user` is the struct app. */
void resumes_request(void *user, struct http_exchange *x, const struct session *s);
