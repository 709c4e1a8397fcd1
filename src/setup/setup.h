/*
 * Hooks with the CLIs on this machine: installed, taken out, looked at. File work only; any thread may do it, and several processes
 * at once: a file that changes in between is read again.
 */
#pragma once

#include "setup/place.h"
#include "setup/settings.h"
#include "setup/version.h"

enum { SETUP_TRIES = 8, SETUP_BACKUPS = 5 };

/* What becomes of one CLI's settings. */
struct setup_change {
    int code; /* 0, or a negative errno with the sentence in `err` */
    struct err err;
    bool changed, deleted;
    struct event_wish wish;  /* what was asked for: the version is that of the CLI here */
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

/* For the daemon, at its start and from time to time: CLIs of `clis` (bits 1 << enum cli) whose hooks were installed once are brought up to date, at `density`, or the one that each has (NULL). What is
 * not installed is not. Returns the bits of those that were changed; what failed is logged. */
unsigned setup_sync(const struct setup_place *p, unsigned clis, const enum config_density *density);

/* Those of `clis` whose hooks were installed for another version of the CLI than the one that is here now. Runs nothing. */
unsigned setup_outdated(const struct setup_place *p, unsigned clis);

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
    struct setup_version now;    /* the CLI as it is here */
    struct cli_version then;     /* and as it was when the events were chosen */
    struct setup_found found;
};

void setup_status_fini(struct setup_status *s);
/* Runs nothing: what programs said of themselves is known from the last installation, or the daemon's start. */
void setup_status(const struct setup_place *p, enum cli cli, struct setup_status *ret);

/* What would be registered now. */
struct event_wish setup_status_wish(const struct setup_status *s);
/* Is it of an event that the CLI here does not know? */
bool setup_status_is_strange(const struct setup_status *s, const struct setup_found_event *e);
