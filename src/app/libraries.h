/* The libraries that are linked, with their versions. */
#pragma once

void libraries_each(void (*each)(void *user, const char *name, const char *version), void *user);
