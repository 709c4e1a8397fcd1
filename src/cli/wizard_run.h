/* The wizard at a terminal. */
#pragma once

#include "cli/cmd.h"

/* Is there somebody to ask: a terminal for what is typed, and for what is said? */
bool wizard_has_person(void);

/* Asks, and does what was answered. Without a person, or with `yes`, everything is taken as it is proposed. Returns the exit status: 130
 * when they leave, which changes nothing. What is wrong is said in the name of `c`. */
int wizard_run(const struct cmd *c, const char *file, bool yes);
