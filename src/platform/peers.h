/*
 * Who is at the other end of a TCP connection within this machine, by the kernel's table of sockets. Whatever goes wrong is an
 * error, never a user: who is not known has to be taken for a stranger.
 *
 * The descriptor for the questions is opened once, so that they can be asked when no other is left. Nothing here waits.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct peers {
    int fd;
    uint32_t question; /* the number of the newest; an answer to another one is not taken */
    bool works;        /* the kernel told who we are, when it was opened */
};

/* Asks for a connection to ourselves, whose ends are known. -errno: this system does not tell, and peers_user() always fails;
 * -EUSERS: we are in a user namespace, as the user that all those who have no number there look like. */
int peers_open(struct peers *ret);
void peers_close(struct peers *p);

/* The user whose process holds the other end of this connection now. -ENOENT when there is none on this machine, or no process
 * has it any more. Both ends must be connected, to each other, before and after the question. */
int peers_user(struct peers *p, int fd, uid_t *ret);
