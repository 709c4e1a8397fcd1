/* The terminal that somebody named on the command line; what is wrong with the name is said here. */
#pragma once

#include "cli/cmd.h"
#include "cli/roster.h"

/* CMD_OK, or the exit status after a sentence. */
int meant_find(const struct cmd *c, const struct roster *r, const char *word,
               const struct roster_entry **ret);

/* The same without a word: the only one that lives. */
int meant_only(const struct cmd *c, const struct roster *r, const struct roster_entry **ret);

/* A table of them on standard output, for whoever has to choose. */
void meant_print(const struct roster_entry *const *entries, size_t n);
