/* What people are told of backups while they are written and read, and afterwards. */
#pragma once

#include "app/backup.h"
#include "cli/cmd.h"
#include "cli/progress.h"

enum { BACKUP_CANCELED = 130 };

struct backup_told {
    struct backup_watch watch; /* for the work */
    struct progress_bar bar;
    bool begun;
    int in; /* a packed file that is read: how far it has come is known by its offset; -1: none */
};

/* Ctrl-C stops the work from now on instead of the program. `in` as above. */
void backup_told_begin(struct backup_told *t, const char *verb, int in);
void backup_told_end(struct backup_told *t);

/* "3 sessions, 2 terminals, 1.4 MB" */
void backup_told_counts(const struct backup_info *info);
/* As an object; `aside` may be NULL. */
void backup_told_json(const char *file, const struct backup_info *info, const char *aside);
