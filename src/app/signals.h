/*
 * The signals that end the daemon (SIGTERM, SIGINT) or start it anew (SIGUSR2). Whoever finds its number in the lock may send one at
 * once: they are held back until somebody listens, so that it ends in order and says so.
 */
#pragma once

#include <uv.h>

struct signals {
    uv_signal_t handles[3];
    void (*on_signal)(void *user, int number);
    void *user;
};

/* From here on they wait; also for the program that comes after this one. */
void signals_hold(void);

/* Listens: those that wait come when the loop turns. Before any thread is made or program is started, which would have them held
 * back, too. */
void signals_open(struct signals *s, uv_loop_t *loop, void (*on_signal)(void *user, int number), void *user);

/* It is ending. Several may ask for that at once (ostler serve --replace): only a second Ctrl-C means that it should not take its
 * time, and ends the process wherever it is. */
void signals_close(struct signals *s);
