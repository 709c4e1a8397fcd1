/* What the wizard's answers do. */
#pragma once

#include "cli/cmd.h"
#include "cli/wizard.h"
#include "setup/place.h"

/* Saves them in the configuration file, and connects the agents: those that were chosen get hooks, the others lose theirs. 1 when that
 * went wrong with some of them, which is said in the name of `c`; an error when nothing was changed. */
int wizard_apply(const struct cmd *c, const struct setup_place *place, const char *file,
                 const struct wizard_answers *answers, struct err *err);
