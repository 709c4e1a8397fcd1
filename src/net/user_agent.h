/* What people are told of a User-Agent header. Pure. Anybody can send one, so only letters, digits and a few signs are left of
 * it: nothing that a terminal or a page would take for more than text. */
#pragma once

#include "base/span.h"

enum { USER_AGENT_BYTES = 49 };

/* "Firefox 128 on Linux"; of a program the name and version that it begins with: "curl/8.5.0". "" when it says nothing. */
void user_agent_short(struct span header, char ret[USER_AGENT_BYTES]);

/* Only ASCII letters, digits, blanks and . : _ - / ( ) + @ % */
bool user_agent_harmless(struct span text);
