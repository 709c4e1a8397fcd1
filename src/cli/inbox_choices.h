/* What somebody chooses of a question's options, from words of a command line, from a typed line or by keys. Pure. */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "cli/inbox_list.h"

enum { INBOX_QUESTIONS_MAX = 16, INBOX_LABELS_MAX = 32 };

/* Of one question: labels of its options, or text of one's own. */
struct inbox_choice {
    struct span labels[INBOX_LABELS_MAX];
    size_t n;
};

struct inbox_choices {
    struct inbox_choice v[INBOX_QUESTIONS_MAX];
};

/* The same as it is being chosen by keys: it does not point into the request, which may be told anew meanwhile. */
struct inbox_draft {
    size_t question;                      /* the one that keys choose for */
    uint32_t chosen[INBOX_QUESTIONS_MAX]; /* a bit for each option */
    char *own[INBOX_QUESTIONS_MAX];       /* text of one's own; NULL: none */
    size_t mode;                          /* of a plan: which of its modes */
};

/* "QUESTION=LABEL", where QUESTION is its text, its header or its number; "LABEL" alone when there is only one. What is added must
 * outlive the choices. -EINVAL with a sentence. */
int inbox_choices_add(struct inbox_choices *c, const struct inbox_request *r, struct span word,
                      struct err *err);
/* A line that somebody typed to question `i`: "2", "1,3", a label, or text of one's own. */
int inbox_choices_typed(struct inbox_choices *c, const struct inbox_request *r, size_t i, struct span line,
                        struct err *err);
/* Option `option` of question `i`, counted from 0. False when there is no such option. */
bool inbox_choices_pick(struct inbox_choices *c, const struct inbox_request *r, size_t i, size_t option);

/* The object that an answer has. -EINVAL with a sentence when a question has none. */
int inbox_choices_write(const struct inbox_choices *c, const struct inbox_request *r, struct buf *out,
                        struct err *err);
