/* The schema, as the steps that lead to it. */
#pragma once

#include "store/db.h"

/* Refuses what is not an ostler database, or one of a newer ostler. Only reads. */
int migrate_check(struct db *db, struct err *err);

/* Takes the steps that are missing, each in one transaction. */
int migrate(struct db *db, struct err *err);
