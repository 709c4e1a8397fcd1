/* What the options of the agent CLIs mean for who starts an agent again. One table a CLI, from its own --help. */
#pragma once

#include "base/span.h"
#include "core/enums.h"

/* The words behind an option that belong to it. */
enum option_takes {
    OPTION_ALONE,
    OPTION_ONE,
    OPTION_MAYBE, /* one, unless that begins with a dash */
    OPTION_MANY,  /* all that do not begin with a dash */
};

/* Is it said again? */
enum option_again {
    OPTION_KEPT,
    OPTION_DROPPED, /* it chose a conversation, brought the first prompt, or made the run one that does not stay */
    OPTION_ABSOLUTE, /* kept with an absolute path; the program has gone to a relative one, and starts there */
};

struct agent_option {
    char letter;      /* -m; '\0' for none */
    const char *name; /* --model, without the dashes; NULL for none */
    enum option_takes takes;
    enum option_again again;
};

/* By the name without dashes ("model"), or a letter of an option with one dash. NULL: it is not known. */
const struct agent_option *agent_option_named(enum cli cli, struct span name);
const struct agent_option *agent_option_letter(enum cli cli, char letter);
