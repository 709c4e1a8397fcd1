/*
 * Where the CLIs keep their settings, and where the hook is that is registered with them.
 *
 * A registered path must hold for months: an agent whose hook is gone complains at every step. A hook that was installed into a bin
 * directory stays there and is used as it is. One that lies in a build tree, or under a path with a version in it, is
 * copied to STATE/bin/ostler-hook, and the copy is renewed whenever the original is another one.
 */
#pragma once

#include "base/path.h"
#include "core/enums.h"

/* What is noted of the CLIs' programs, in files beside the records. */
struct setup_notes {
    char versions[PATH_BYTES]; /* what they said of their versions */
    char seen[PATH_BYTES];     /* where they were found once */
};

/* Where these files are under a state directory. */
int setup_notes_resolve(struct setup_notes *ret, const char *state);

struct setup_place {
    const char *etc;                 /* where whoever manages the machine says something: /etc */
    char file[CLI_N_][PATH_BYTES];   /* its settings */
    char record[CLI_N_][PATH_BYTES]; /* what we know about them */
    char backups[PATH_BYTES];        /* directory of copies */
    struct setup_notes notes;
    char original[PATH_BYTES]; /* the hook beside this program; "": there is none */
    char hook[PATH_BYTES];     /* the one that is registered */
    const char *ostler_home;   /* NULL: the usual directories are used */
};

/* From the environment; creates nothing. */
int setup_place_resolve(struct setup_place *ret, const struct paths *paths, struct err *err);

/* Makes sure that the hook is where it is registered. */
int setup_place_hook(const struct setup_place *p, struct err *err);

/* Will the path hold? */
bool setup_place_is_stable(const char *hook);
