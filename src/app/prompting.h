/* The next prompt of a hosted agent, and its interruption: typed into its terminal, and answered once the screen shows it. */
#pragma once

#include "base/span.h"

struct http_exchange;
struct session;

/* For struct api; `user` is the app. */
void prompting_prompt(void *user, struct http_exchange *x, const struct session *s, struct span text);
void prompting_interrupt(void *user, struct http_exchange *x, const struct session *s);
