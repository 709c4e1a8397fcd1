/* ostler as a service of the user: the unit's file, and what systemd knows of it. */
#pragma once

#include "base/err.h"
#include "base/path.h"

#include <stdbool.h>

struct service {
    char dir[PATH_BYTES];  /* $XDG_CONFIG_HOME/systemd/user */
    char file[PATH_BYTES]; /* the unit's */
    char wants[PATH_BYTES];
    char link[PATH_BYTES]; /* in `wants`, by which it is started with the user's manager */
};

int service_find(struct service *ret, struct err *err);

/* Is there a file, and is it ours? -EEXIST with a sentence when it is not. */
int service_is_installed(const struct service *s, bool *ret, struct err *err);
bool service_is_enabled(const struct service *s);
bool service_is_active(void); /* asks the manager; false without one */

/* Writes the unit (`program` NULL: this one) and has it started with the manager from now on. */
int service_write(const struct service *s, const char *program, struct err *err);
int service_remove(const struct service *s, struct err *err);

/* Prints the unit: with what the environment says now, or a plain one for a package when `program` is given. */
struct buf;
int service_unit(const char *program, struct buf *ret, struct err *err);

/* systemctl --user with these words, its output kept from the person if `quiet`. Exit status or negative errno. */
int service_systemctl(const char *verb, const char *word, bool quiet);

/* Does the user's manager stay when he logs out? */
bool service_is_lingering(void);
