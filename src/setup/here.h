/* Is a CLI on this machine, where is its program, and how does one get it? */
#pragma once

#include "base/strv.h"
#include "setup/place.h"

/* Its programs in the directories of a PATH, in that order. */
void setup_programs_in(struct span path, enum cli cli, char ***ret);

/* Its programs: those in PATH, then those where installers put them without a word to PATH, then those that were found once (in
 * the file `seen`, or NULL) and are still there. */
void setup_programs(const char *seen, enum cli cli, char ***ret);

/* The first of them; false, and "", when there is none. */
bool setup_find_program(const char *seen, enum cli cli, char ret[PATH_BYTES]);

/* Its program is there, or it has a directory for its settings. */
bool setup_is_here(const struct setup_place *p, enum cli cli);

/* "npm install -g @openai/codex" */
const char *setup_how_to_install(enum cli cli);
