/* Brings a file to its schema, by the steps that are missing. */
#pragma once

#include "store/db.h"

/* Refuses what is not a database of this schema, or one of a newer ostler. Only reads. */
int migrate_check(struct db *db, struct err *err);

/* Takes the steps that are missing, each in one transaction. */
int migrate(struct db *db, struct err *err);
