/* What is in our memory, tokens, passwords, environments, what terminals print, is for nobody's disk. */
#pragma once

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

/*
 * No core dump is made of this process from here on, not for a program that collects them either, and nobody but root can read its
 * memory. Unlike a limit it ends with exec: programs that we start have what the person had. OSTLER_CORE=1 leaves it out, for who
 * looks for a fault of ours.
 */
static inline void private_memory(void) {
    const char *wanted = getenv("OSTLER_CORE");
    if (!wanted || strcmp(wanted, "1") != 0) (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
