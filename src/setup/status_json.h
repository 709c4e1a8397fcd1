/* What there is of hooks, for HTTP and for --json. */
#pragma once

#include "base/jwrite.h"
#include "setup/setup.h"

/* {density, installed, events}: as members of an object that was begun. */
void setup_status_json_summary(struct jwrite *w, const struct setup_status *s);

/* The same and everything else: {…, present, file, current, hook, hookMissing, missing, untrusted, disabled, blocked, error}. */
void setup_status_json(struct jwrite *w, const struct setup_place *p, const struct setup_status *s);
