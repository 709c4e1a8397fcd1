/* Ends another daemon of the same user, and sees that it has gone. */
#pragma once

#include "app/daemon_file.h"
#include "platform/sock.h"

/* Sends `number` (0: nothing) to it alone and waits until it has ended. -ETIMEDOUT with a sentence when it has not after
 * `patience_ms`; one that had ended before is fine. */
int daemon_end(const struct daemon_process *daemon, int number, unsigned patience_ms, struct err *err);

/* Who listens on `port`: its number and name. -ENOENT when nobody does, or when it is not to be known. */
int daemon_port_holder(uint16_t port, int64_t *ret_pid, char ret_name[SOCK_NAME_BYTES]);

/* The ostler that listens on `port`, if it is this user's. -ENOENT when nobody listens there; -EADDRINUSE when it is somebody
 * else, with a sentence that says who. */
int daemon_on_port(uint16_t port, struct daemon_process *ret, struct err *err);
