/*
 * A file to ourselves for a moment: while the lease is held nobody else has it open, and who wants to open it waits in open() until we
 * are done. Agents open their transcript for every line they append, so that they notice nothing. Internal to the files of this
 * folder that do I/O.
 */
#pragma once

/* 0; -EAGAIN: somebody has it open, and did not close it for so long; anything else: there are no leases on this file system. */
int lease_take(int fd, int wait_ms);
void lease_give(int fd);
