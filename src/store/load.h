/* The board as the last commit left it. */
#pragma once

#include "store/db.h"
#include "store/store.h"

int load_state(struct db *db, struct state *st, struct store_meta *ret, struct err *err);
