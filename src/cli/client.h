/* The command line's side of the daemon's API: plain HTTP through the owner's socket, or to the port, that daemon.json names. */
#pragma once

#include "app/daemon_file.h"
#include "base/buf.h"

enum { CLIENT_REQUEST_MAX = 10 << 20, CLIENT_BODY_MAX = 256 << 20, CLIENT_TIMEOUT_S = 10 };

/* The daemon of this OSTLER_HOME. -ENOENT with a sentence when none runs. */
int client_find(struct daemon_info *ret, struct err *err);

/* A connection to it; blocking, with CLIENT_TIMEOUT_S as the limit of each step. */
int client_connect(const struct daemon_info *daemon, struct err *err);

/* GET `path`; the body goes to `body` (cap CLIENT_BODY_MAX). Returns the status code or a negative errno with a
 * sentence. */
int client_get(const struct daemon_info *daemon, const char *path, struct buf *body, struct err *err);

/* Any request; `json` is its body, SPAN_NONE for none. An answer of 400 and more is -EREMOTEIO with the daemon's own
 * sentence, and `*ret_status` (may be NULL) says which it was; 0 otherwise. */
int client_call(const struct daemon_info *daemon, const char *method, const char *path, struct span json,
                struct buf *body, int *ret_status, struct err *err);

/* Appends text to a path, escaped as a part of it. */
void client_path_append(struct buf *path, struct span part);
