/* The directory that a backup is unpacked into, beside the state directory whose place it will take. Internal to the restoring. */
#pragma once

#include "app/backup.h"

struct stage {
    char state[PATH_BYTES]; /* the state directory, links resolved */
    char path[PATH_BYTES];  /* "" when there is none */
    int dir;
    int file; /* the part that is being written; -1 */
};

#define STAGE_NONE ((struct stage){.dir = -1, .file = -1})

/* Makes it, after looking after those that earlier ones left: what was not finished is removed, what was moved aside gets its name. */
int stage_open(struct stage *s, const char *state, struct err *err);
/* Removes it with all that is in it, unless it took its place. */
void cleanup_stage(struct stage *s);

/* The parts of a backup go there: "state/x" as "x", "config/x" as "config/x". */
extern const struct backup_sink stage_sink; /* its user is the stage */

/* Copies the files of a directory of the old state, which belong to this machine rather than to the data. */
int stage_carry_over(struct stage *s, const char *name, struct err *err);

/* Puts it in the state directory's place. What was there is left at `aside`, "" when there was nothing worth keeping. */
int stage_take_place(struct stage *s, char aside[PATH_BYTES], struct err *err);
