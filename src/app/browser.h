/* Shows the board to the person who started the daemon. */
#pragma once

/* Opens `url` in the desktop's browser, if there is a desktop. Never fails loudly: the address is in the log too. */
void browser_open(const char *url);
