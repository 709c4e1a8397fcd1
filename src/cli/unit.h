/* The text of the systemd user unit that runs the daemon. */
#pragma once

#include "base/buf.h"

#define UNIT_NAME "ostler.service"
/* Its first line; a file without it is somebody else's. */
#define UNIT_MARK "# Written by ostler service install"

struct unit {
    const char *program;            /* absolute path of ostler */
    const char *const *environment; /* "NAME=value", NULL at the end; NULL: none */
};

void unit_write(const struct unit *u, struct buf *to);

/* A word for a unit file: in quotes, with nothing in it that systemd would read. */
void unit_quote(struct span word, struct buf *to);
