/* Holds jscan and jvalid against jansson, and the engines of jscan against each other. */
#pragma once

#include "base/span.h"

/* Checks everything we can say about `doc`, well-formed or not. Prints what differs and aborts. */
void json_oracle(struct span doc);
