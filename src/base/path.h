/*
 * Where ostler keeps its things. `OSTLER_HOME` puts everything under one directory; otherwise the XDG directories
 * hold. Nothing here allocates, because the hook uses it.
 */
#pragma once

#include "base/err.h"

enum { PATH_BYTES = 1024 };

struct paths {
    char state[PATH_BYTES];  /* database, terminals; 0700 */
    char spool[PATH_BYTES];  /* hook records, under state */
    char run[PATH_BYTES];    /* daemon.json; may vanish at logout */
    char config[PATH_BYTES]; /* configuration file's directory */
};

/* The spool's directory alone: what the hook needs, on as little stack as it can. */
int path_spool(char out[PATH_BYTES]);

/* Fills in all of them from the environment; creates nothing. */
int paths_resolve(struct paths *ret, struct err *err);

/* "dir/name" into `out`; -ENAMETOOLONG when it does not fit. */
int path_join(char out[PATH_BYTES], const char *dir, const char *name);

/* mkdir -p with mode 0700 for what is missing. -EPERM: it would have to be made in a directory of another user's, who could then put
 * anything in its place. */
int path_make_dirs(const char *dir);
/* The same for the directory that a file is to be in. */
int path_make_parent(const char *file);
