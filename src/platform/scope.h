/*
 * A scope of its own for a program that must live on: where a user manager runs (systemd), a logout or a stopped unit ends the
 * whole control group that a process is in.
 */
#pragma once

#include <stdbool.h>

/* Does a user manager answer, and is there the program that asks it for scopes? Looked up each time: managers come and go. */
bool scope_available(void);

/* Adds the words to `*argv` that start what follows them in a scope named `unit`, which no living one may have. */
void scope_command(char ***argv, const char *unit);
