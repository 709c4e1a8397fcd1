/* The only place where a decision of the core becomes something that happens. */
#pragma once

#include "core/effect.h"

struct app;

/* Carries out what the core asked for, and forgets it. */
void effects_carry_out(struct app *app);
