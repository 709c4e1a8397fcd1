/* The one loop of a keeper: moves bytes between the program's terminal and the peers, and minds the clock. */
#pragma once

#include "keeper/keeper.h"
#include "platform/pty.h"
#include "platform/unixsock.h"

struct loop {
    struct keeper keeper;
    struct unixsock listener;
    struct pty pty;
    pid_t child;
    usec_t kill_at;      /* the program was asked to end and gets no more time then */
    usec_t go_at;        /* nobody has come for the exit status; USEC_NEVER: it is waited for */
    bool leaving;        /* the keeper itself was asked to end */
    usec_t listen_at;    /* before that nobody is let in: there were no descriptors left */
    size_t drain_budget; /* what is still read of a program that has ended */
};

/* Before anything else is started: the signals that the loop minds wait until it runs, the others do nothing. */
void loop_signals(void);

/* Runs until the keeper may go. `l->keeper` is set up, except for its program. */
void loop_run(struct loop *l);

/* How `l->keeper` reaches the program. */
struct keeper_program loop_program(struct loop *l);
