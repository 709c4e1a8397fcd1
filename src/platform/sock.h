/* Who holds a socket. */
#pragma once

#include <stdint.h>

enum { SOCK_NAME_BYTES = 64 };

/* The process that listens on a TCP port of this machine. -ENOENT when it cannot be found (another user's). */
int sock_port_holder(uint16_t port, int64_t *ret_pid, char ret_name[SOCK_NAME_BYTES]);
