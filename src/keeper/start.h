/* Everything that a keeper needs before its loop can run. */
#pragma once

#include "keeper/args.h"
#include "keeper/loop.h"

/* Listens, opens the terminal and starts the program with the umask `mask`; or a sentence tells what went wrong. */
int start(struct loop *l, const struct args *a, mode_t mask, struct say *why);
