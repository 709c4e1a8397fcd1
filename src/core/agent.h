/* The agent CLIs, by the name of their program: what is known of each when it is hosted in a terminal of ours. */
#pragma once

#include "core/enums.h"

struct agent {
    const char *name;
    const char *api_key;  /* the environment variable that its key goes into */
    enum cli cli;         /* whose hooks it has; CLI_N_: none that are understood */
    bool speaks_at_start; /* its first hook comes when it starts: until then its card is connecting */
};

/* By a program's name or path; NULL when it is none of them. */
const struct agent *agent_find(struct span program);
const struct agent *agent_of(enum cli cli);
