/* An answer to a request, as the daemon takes it (docs/inbox.md), and how it gets there. */
#pragma once

#include "app/daemon_file.h"
#include "base/jwrite.h"
#include "cli/inbox_list.h"

enum { INBOX_ANSWER_BYTES_MAX = 4 << 20 };

/* What is wanted; spans are empty where nothing is. */
struct inbox_wish {
    const char *decision; /* "allow", "deny", "always" */
    struct span message, mode, where;
    struct span input;   /* raw JSON */
    struct span answers; /* raw JSON: question's text → label or list of labels */
    struct span rules[REPLY_RULES_MAX];
    size_t rule_count;
    bool stop;
};

/* "always" with the rules that were shown, each of them, where all go to one place. */
void inbox_wish_suggested(struct inbox_wish *wish, const struct inbox_request *r);

/* The members of the answer, with the digest of the request that was shown, into an object that is open. */
void inbox_answer_write(struct jwrite *w, const struct inbox_request *r, const struct inbox_wish *wish);

/* Requests, open and ended, from the daemon. */
int inbox_load(const struct daemon_info *daemon, struct inbox_list *ret, struct err *err);
/* Gives the answer. 0 when the agent has it; -EREMOTEIO with the daemon's sentence when it was refused, and *ret_status says
 * how. The state that the request is in then is in `ret_state`; empty when it is not told. */
int inbox_post(const struct daemon_info *daemon, const struct inbox_request *r, const struct inbox_wish *wish,
               char ret_state[16], int *ret_status, struct err *err);
