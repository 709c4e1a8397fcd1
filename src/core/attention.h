/*
 * Why a person is wanted, apart from the status: something is asked (core/request), or there is a notice that somebody
 * should have seen: a turn that is over, an error, an agent that is gone. It does not decay. A request stays until it is
 * answered, a notice until it was seen or the agent goes on.
 */
#pragma once

#include "core/command.h"

enum { ATTENTION_WORDS_UNITS = 300 }; /* of an agent's last words that stand on its card */

/* What the board shows; `kind` is NONE when nobody is wanted. Strings belong to the conversation and may be NULL. */
struct attention {
    enum attention_kind kind;
    enum text_form form;
    int64_t since_ms;
    bool certain;
    const char *text, *detail;
    const struct request *request; /* NULL for a notice */
    size_t more;                   /* requests behind this one */
};

struct attention attention_of(const struct conversation *c);

/* One line of a text, cut with a "…" where it is too long. */
struct span attention_line(struct span text, struct arena *arena);

/* The agent said this, and it is the end of its turn; empty: it said nothing. */
void attention_finished(struct turn *t, struct span words);
/* What it said came after the news that it is finished. */
void attention_worded(struct turn *t, struct span words);
void attention_error(struct turn *t, struct span kind, struct span detail);
/* Its model does not answer, and it tries again by itself, perhaps for hours. The turn is not over: whatever happens next
 * takes the notice away. */
void attention_retrying(struct turn *t, struct span message);
/* It is gone without having been told to go. */
void attention_exited(struct turn *t, struct span how);

/* The agent goes on: what was to be seen is over. */
void attention_clear(struct turn *t);

/* Somebody has seen it. */
void attention_seen(struct turn *t, const struct command *cmd);

/* The agent said something: the card shows the beginning of it. */
void attention_heard(struct turn *t, struct span words);
