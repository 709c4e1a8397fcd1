/* The head of the answer to a request of ours: its status, and when to try again. The rest is not looked at. Pure. */
#pragma once

#include "base/span.h"

enum { HTTP_ANSWER_HEAD_MAX = 16 << 10, HTTP_ANSWER_RETRY_MAX_S = 24 * 60 * 60 };

struct http_answer {
    int status;
    unsigned retry_after_s; /* 0: it does not say; dates are not understood */
};

/* 1 when the head is whole, 0 when more is needed, -EPROTO when it is none, or too long. Answers that only announce another
 * (100, 103) are skipped. */
int http_answer_read(struct span bytes, struct http_answer *ret);
