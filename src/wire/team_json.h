/* A team on the wire, see docs/protocol.md. */
#pragma once

#include "base/jwrite.h"
#include "core/state.h"

void team_json(struct jwrite *w, const struct team *team);
