/* How a program ended, for people and for the shell that waits for us. */
#pragma once

#include "base/span.h"

struct ending {
    int code;   /* -1 when a signal ended it, or nobody knows */
    int signal; /* 0 when it exited */
};

/* From the wire's exitCode and signal (raw JSON values): a number or null, a name or null. */
struct ending ending_read(struct span code, struct span signal);

/* What a shell would make of it: 128 + the signal's number; 1 when nobody knows. */
int ending_status(struct ending e);

struct ending_text {
    char text[64];
};
/* "exited with 0", "killed by SIGTERM", "ended" */
struct ending_text ending_text(struct ending e);
/* The signal's name, "SIGTERM". */
struct ending_text ending_signal(struct ending e);
