/*
 * Answers to requests of hosted agents whose hooks cannot decide: typed into their dialogs. Only when the screen shows a dialog that
 * is known (core/dialog) and that is about that very request; each step is checked, and so is what came of it.
 */
#pragma once

#include "core/dialog.h"

struct app;
struct terminal;
struct worker;

struct typed_answers {
    /* A dialog appeared on this agent's screen, changed, or is gone: what can be answered may be something else now. May be NULL. */
    void (*changed)(struct app *app, struct worker *w);

    struct typed_look { /* what was seen last, of so many requests */
        char request[ID_BYTES];
        uint64_t offset; /* of what its terminal had printed by then */
        unsigned can;
    } looks[64];
    size_t next_look;
};

/* What the terminal shows has changed. */
void typed_answers_shown(struct app *app, const struct terminal *t);

/* What of the request can be answered by keys right now: bits of enum can; 0: nothing. For struct api: `user` is the app. */
unsigned typed_answers_can(void *user, const struct worker *w, const struct request *r);

/* What the CLI itself calls this decision ("Allow for this session"), in `arena`; empty when it does not offer it. */
struct span typed_answers_words(struct app *app, const struct worker *w, const struct request *r,
                                enum decision decision, struct arena *arena);

/* Types the answer that the request has. What came of it is noted as a command: it has it, or not, and why not. */
void typed_answers_reply(struct app *app, const struct worker *w, const struct request *r);
