/* Somebody at a terminal of ours: keys to the program, its screen to them, over the daemon's death. */
#pragma once

#include "cli/chord.h"
#include "cli/cmd.h"
#include "cli/roster.h"

/* --chord: says what is wrong with it otherwise. */
bool attach_chord(const struct cmd *c, const char *text, char *ret_prefix);

/* Attaches until it ends or is detached from. Returns the exit status: the program's when it ended, 0 when it was detached
 * from, 128 + the signal that ended us, CMD_FAILED after a sentence when it cannot be reached. */
int attach_terminal(const struct cmd *c, const struct roster *r, const struct roster_entry *e, char prefix);
