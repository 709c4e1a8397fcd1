/* The dialogs that are known, a row each, and what their options mean: facts about the CLIs as test/real has them. */
#pragma once

#include "core/dialog.h"

/* Where a dialog begins. */
enum dialog_top {
    DIALOG_TOP_FRAME, /* with the upper edge of the frame around it */
    DIALOG_TOP_LINE,  /* below a line across the screen */
    DIALOG_TOP_HEAD,  /* with its question */
    DIALOG_TOP_NONE,  /* it fills the screen */
};

struct dialog_rule {
    enum cli cli;
    enum dialog_kind kind;
    struct span head;       /* a row above the options begins with it */
    struct span foot;       /* a row at the bottom has it */
    struct span foot_alone; /* instead: it is the whole of that row */
    unsigned below;         /* rows below the foot, at most */
    enum dialog_top top;
    struct span marker; /* before the option that is selected */
    bool listed;        /* options have no numbers: arrows and Enter choose */
    bool amends;        /* Tab at the denial opens a field for the reason */
    bool escapes;       /* Esc is the denial: its option wants a text */
    bool foot_is_option;
    struct span
        on; /* key that goes on from a question of which several answers were ticked; empty: it cannot be gone on surely */
};

/* Rules of a CLI, one after the other from `*at` = 0; NULL at the end. */
const struct dialog_rule *dialog_rule_next(enum cli cli, size_t *at);

/* What an option means, by its label. */
enum dialog_meaning dialog_rule_meaning(const struct dialog_rule *rule, struct span label);
