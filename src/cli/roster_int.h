/* What the roster's files share. */
#pragma once

#include "cli/roster.h"

/* A new entry, empty. */
struct roster_entry *roster_add(struct roster *r);
