/*
 * Programs of CLIs that were found once, by whoever looked in their own PATH: a shell's is not a daemon's, and all of these programs
 * read the same settings. Kept in a file, a path a line.
 */
#pragma once

#include "base/strv.h"
#include "core/enums.h"

/* Notes the programs of all CLIs in the directories of a PATH. What is gone is forgotten. */
void seen_note(const char *file, const char *path);

/* Adds those of one CLI that are still there, unless `*ret` has them. */
void seen_add(const char *file, enum cli cli, char ***ret);
