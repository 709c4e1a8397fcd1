/* run/daemon.json: where the running daemon is, for everything else on this machine; and the lock that makes it one. */
#pragma once

#include "base/err.h"
#include "base/path.h"

#include <stdint.h>

#define DAEMON_SOCKET "ostler.sock" /* beside it: the owner's */

struct daemon_info {
    int64_t pid;
    uint16_t port;
    char url[128];
    char version[64];
    char socket[PATH_BYTES]; /* the owner's; "" when there is none */
    char fingerprint[96];    /* of the certificate; "" without TLS */
};

/* Takes the lock of the state directory; held until the returned descriptor closes. -EBUSY with a sentence that names
 * the daemon that has it. What a killed one left is waited for. */
int daemon_lock(const struct paths *p, struct err *err);

/* The process that has the lock, told apart from a later one with its number. */
struct daemon_process {
    int64_t pid;
    uint64_t start; /* struct proc */
};

/* -ENOENT when no daemon runs here. */
int daemon_running(const struct paths *p, struct daemon_process *ret);
/* -EBUSY with the sentence of daemon_lock(). */
int daemon_is_busy(const struct paths *p, struct err *err);
/* The same for one that was to replace it, and came too late for that. */
int daemon_was_faster(const struct paths *p, struct err *err);

int daemon_file_write(const struct paths *p, const struct daemon_info *info, struct err *err);
void daemon_file_remove(const struct paths *p);
/* -ENOENT when no daemon has left one; who reads it must still see whether it answers. */
int daemon_file_read(const struct paths *p, struct daemon_info *ret);
