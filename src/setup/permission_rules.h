/*
 * Permission rules in Claude Code's settings: `permissions.allow`, a list of texts. What else is in a file keeps its bytes; a file is
 * replaced in one step, or not at all.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "base/path.h"
#include "setup/place.h"

/* The file that a place's rules are in, for a project's directory. -EINVAL for a place without one, or a directory that is no
 * absolute path. */
int permission_rules_file(const struct setup_place *place, struct span where, const char *project,
                          char ret[PATH_BYTES]);

/* Is this rule in the text? */
bool permission_rules_has(struct span text, struct span rule);
/* Is it in the file? Whatever cannot be read has none. */
bool permission_rules_there(const char *file, struct span rule);

/* Adds it at the end, or takes it out, in the text. Nothing to do is no error: the text comes out as it was. */
int permission_rules_change(struct span text, struct span rule, bool add, struct buf *out, struct err *err);
/* The same in the file of that place, which is made when it is missing. -ELOOP where a project has a link in its way. */
int permission_rules_change_file(const char *file, struct span where, struct span rule, bool add,
                                 struct err *err);
