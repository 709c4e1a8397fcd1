/* How one text becomes another, line by line, for a person to look at. */
#pragma once

#include "base/span.h"

/* "+ line" and "- line", with a line of what is around them. */
void text_diff_print(struct span was, struct span now);
