/*
 * A request as a person reads it at a terminal, whole, in lines that are no wider than there is room. What the agent wrote stands
 * behind a bar, so that none of it can be taken for ostler's own words. Pure.
 */
#pragma once

#include "cli/inbox_choices.h"

struct inbox_look {
    size_t width; /* of the terminal; SIZE_MAX: lines are as long as they are */
    bool colour;
    int64_t now_ms;
    const struct inbox_draft *draft; /* what is chosen so far; NULL: nobody chooses */
};

/* An open one: who asks, what, since when, how certain, and what can be answered. */
void inbox_text_open(struct buf *out, const struct inbox_request *r, const struct inbox_look *look);
/* One that is over: how it ended, and by whom. */
void inbox_text_ended(struct buf *out, const struct inbox_request *r, const struct inbox_look *look);
/* One in a line, for a list to choose from; cut with a … where there is no more room. */
void inbox_text_line(struct buf *out, const struct inbox_request *r, const struct inbox_look *look);
/* Is the person away, and since when? A line; nothing when the person is here and nothing else is to be said. */
void inbox_text_away(struct buf *out, struct span away, const struct inbox_look *look);

/* How it ended, in words; "open" when it did not. */
const char *inbox_state_words(const struct inbox_request *r);
