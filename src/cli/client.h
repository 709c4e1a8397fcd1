/* The command line's side of the daemon's API: plain HTTP to the address in daemon.json. */
#pragma once

#include "app/daemon_file.h"
#include "base/buf.h"

enum { CLIENT_BODY_MAX = 256 << 20, CLIENT_TIMEOUT_S = 10 };

/* The daemon of this OSTLER_HOME. -ENOENT with a sentence when none runs. */
int client_find(struct daemon_info *ret, struct err *err);

/* GET `path`; the body goes to `body` (cap CLIENT_BODY_MAX). Returns the status code or a negative errno with a
 * sentence. */
int client_get(const struct daemon_info *daemon, const char *path, struct buf *body, struct err *err);
