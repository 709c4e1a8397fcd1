/* Which requests somebody means on the command line; what is wrong with that is said here. */
#pragma once

#include "cli/cmd.h"
#include "cli/inbox_answer.h"
#include "cli/inbox_text.h"

enum { INBOX_PICK_MAX = 1000 };

/* The open requests that an answer is for. */
struct inbox_pick {
    struct daemon_info daemon;
    struct inbox_list list;
    const struct inbox_request *v[INBOX_PICK_MAX];
    size_t n;
    bool named; /* by their ids */
};

/* Those that the words name, which must all ask for the same; without words the only one that is open. CMD_OK, or the exit status
 * after a sentence. */
int inbox_pick(const struct cmd *c, char *const *words, size_t count, struct inbox_pick *ret);
void inbox_pick_fini(struct inbox_pick *p);

/* How things look on standard output. */
struct inbox_look inbox_look(void);
/* What is asked, on standard output. */
void inbox_print(const struct buf *text);

/* Gives every one of them the answer and tells what came of it, as a line each. CMD_OK, or CMD_FAILED when one was refused. */
int inbox_answer_all(const struct cmd *c, const struct inbox_pick *p, const struct inbox_wish *wish,
                     bool json);
