/* What the wizard's answers do. */
#pragma once

#include "cli/wizard.h"

/* Saves them in the configuration file, and connects the agents. */
int wizard_apply(const char *file, const struct wizard_answers *answers, struct err *err);
