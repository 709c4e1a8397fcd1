/* Who is behind a socket of this machine. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { SOCK_NAME_BYTES = 64 };

/* The process that listens on a TCP port of this machine. -ENOENT when it cannot be found (another user's). */
int sock_port_holder(uint16_t port, int64_t *ret_pid, char ret_name[SOCK_NAME_BYTES]);

/* Bytes that the kernel has taken for a stream's other end, which has not taken them yet; 0 when it does not tell. */
size_t sock_unsent(int fd);
