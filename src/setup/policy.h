/* What keeps a CLI from running our hooks although they are registered: a switch of the user's, or one of whoever manages the machine. */
#pragma once

#include "base/strv.h"
#include "setup/place.h"

/* A sentence for each, which says where. */
void setup_policy_blocks(const struct setup_place *p, enum cli cli, char ***ret);
