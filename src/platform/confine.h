/* The keeper, once it runs: what it needs of the kernel is little, and the rest is taken from it. */
#pragma once

#include <stdbool.h>

/* From here on this process can move bytes, signal process groups and remove its socket; it cannot run programs, open files or
 * make connections, and what it is refused fails with EPERM. Processes that it has started already are not touched. False where
 * the kernel cannot do it, or the program is built with sanitizers, which need more. */
bool confine_keeper(void);
