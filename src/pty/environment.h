/* What programs in terminals find in their environment, and what of it may be kept on the disk. Pure. */
#pragma once

#include "base/buf.h"
#include "base/strv.h"
#include "term/redact.h"

enum { ENVIRONMENT_BYTES_MAX = 4 << 20 }; /* kept on the disk */

/* Of somebody's environment ("NAME=value"): may another terminal's program have it? Not what describes the terminal around
 * them, or what an agent around them told its own children. */
bool environment_is_passed(const char *variable);

/* Everything of `from` that is passed; never NULL. */
char **environment_pass(const char *const *from);

/* The value of a variable; NULL: it is not set. */
const char *environment_get(char *const *env, const char *name);

void environment_unset(char **env, const char *name);

/* Says the name of a variable, or a pattern that its text matches, that it is nobody's business? */
bool environment_is_secret(const struct redact_set *set, struct span variable);

/* For the disk: the variables with a NUL behind each, of secret ones the names alone. */
void environment_write(char *const *env, const struct redact_set *set, struct buf *out);
/* Back from there; the values of secret ones are those of `now`, where that has them. NULL for no bytes. */
char **environment_read(struct span bytes, char *const *now);
