/*
 * The hook that was asked for permission waits for an answer from ostler. It holds a connection to the daemon and prints the answer
 * that comes back, whole and valid or not at all. Without a daemon, or when that lets it go, it is gone at once: the CLI's own
 * dialog is there all the same. The words that are exchanged are in docs/inbox.md.
 */
#pragma once

#include "base/span.h"

enum { REPLY_KEY_BYTES = 48 };

/* A key that no other hook has, nor had: the process' number and the time. */
void reply_key(char ret[REPLY_KEY_BYTES], uint64_t pid, uint64_t now_us);

/* Waits under this key, prints, and notes in the spool that it has. */
void reply_wait(const char *key, const char *cli);
