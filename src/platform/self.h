/* This program itself. */
#pragma once

#include "base/path.h"

/* Its own path. That of the file that is there now, after an upgrade, too. */
int self_path(char ret[PATH_BYTES]);

/* The path of a program that is installed beside this one. -ENOENT and others when it is not there. */
int self_sibling(char ret[PATH_BYTES], const char *name);

/* Gives the pages of code back to the system that only the start needed; those that are used again come from the page cache. */
void self_forget_start(void);
