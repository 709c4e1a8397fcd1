/* Rules that Claude Code understands: which could be written for a request, and how one is sent to it. Pure. */
#pragma once

#include "base/jwrite.h"
#include "core/reply.h"

enum { REPLY_RULE_UNITS = 2000 }; /* of a rule */

/* Is it "Tool" or "Tool(what)", for a place that there is? */
bool reply_rule_valid(const struct reply_rule *rule);
/* As an entry of `updatedPermissions`; it must be valid. */
void reply_rule_write(struct jwrite *w, const struct reply_rule *rule);
