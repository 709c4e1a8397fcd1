/* The keeper, once it runs: what it needs of the kernel is little, and the rest is taken from it. */
#pragma once

#include <stdbool.h>

/* From here on this process can move bytes, signal process groups, and look at and remove `path`; it cannot run programs, open
 * files or make connections, and what it is refused fails with EPERM. Processes that it has started already are not touched.
 *
 * Returns `path` at the only address by which it can be named from then on: what is there cannot be changed any more. NULL where
 * the kernel cannot do it, or the program is built with sanitizers, which need more; then nothing is refused. */
const char *confine_keeper(const char *path);

/* Can this kernel do it? */
bool confine_possible(void);
