/*
 * Hooks with the CLIs on this machine: installed, taken out, looked at. File work only; any thread may do it, and several processes
 * at once: a file that changes in between is read again.
 */
#pragma once

#include "setup/place.h"
#include "setup/settings.h"

enum { SETUP_TRIES = 8, SETUP_BACKUPS = 5 };

/* What becomes of one CLI's settings. */
struct setup_change {
    int code; /* 0, or a negative errno with the sentence in `err` */
    struct err err;
    bool changed, deleted;
    char backup[PATH_BYTES]; /* "": none was needed */
    struct buf was, now;     /* the texts */
};

void setup_change_fini(struct setup_change *c);

static inline void cleanup_setup_change(struct setup_change *c) {
    setup_change_fini(c);
}

/* `dry_run` changes nothing and tells all the same. Returns ret->code. */
int setup_install(const struct setup_place *p, enum cli cli, enum config_density density, bool dry_run,
                  struct setup_change *ret);
int setup_uninstall(const struct setup_place *p, enum cli cli, bool dry_run, struct setup_change *ret);

/* At which density hooks were installed last; medium when they were not. */
enum config_density setup_density(const struct setup_place *p, enum cli cli);

/* For the daemon's start: CLIs of `clis` (bits 1 << enum cli) whose hooks were installed once are brought up to date, at `density`, or the one that each has (NULL). What is
 * not installed is not. Returns the bits of those that were changed; what failed is logged. */
unsigned setup_sync(const struct setup_place *p, unsigned clis, const enum config_density *density);

/* What there is now. */
struct setup_status {
    enum cli cli;
    int code; /* the settings cannot be read: the sentence is in `err` */
    struct err err;
    bool has_file;
    bool installed;              /* something of ours is registered */
    bool current;                /* and is what this ostler would register at `density` */
    enum config_density density; /* as it was installed */
    char hook[PATH_BYTES];       /* the program that is registered */
    bool hook_missing;           /* which is not there, or cannot be run */
    struct setup_found found;
};

void setup_status_fini(struct setup_status *s);
void setup_status(const struct setup_place *p, enum cli cli, struct setup_status *ret);
