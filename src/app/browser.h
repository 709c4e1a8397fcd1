/* Shows the board to the person who started the daemon. */
#pragma once

#include <stdbool.h>

/* Opens `url` in the desktop's browser; false when there is no desktop, or nothing that opens addresses. */
bool browser_open(const char *url);
