/* This program itself. */
#pragma once

#include "base/path.h"

/* Its own path. That of the file that is there now, after an upgrade, too. */
int self_path(char ret[PATH_BYTES]);

/* The path of a program that is installed beside this one. -ENOENT and others when it is not there. */
int self_sibling(char ret[PATH_BYTES], const char *name);
