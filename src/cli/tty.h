/*
 * The terminal that somebody sits at, in raw mode. Whatever becomes of the process that works in it, it is given back as it
 * was: a parent stays behind, does nothing but wait, and puts it in order when its child could not.
 */
#pragma once

#include "base/err.h"

#include <stdbool.h>

/* Undoes what programs do to a terminal, wherever they were interrupted, but for the alternate screen. The cursor stays; with
 * the margins it goes to the top. */
#define TTY_RESET "\x18" TTY_RESET_MODES
#define TTY_RESET_MODES                                                                                \
    "\x1b[?2026l\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l"            \
    "\x1b[?1016l\x1b[?1004l\x1b[?2004l\x1b[?1l\x1b[?45l\x1b[?7h\x1b[?12l\x1b[?25h\x1b[4l\x1b[20l\x1b>" \
    "\x1b(B\x1b)B\x1b*B\x1b+B\x0f\x1b]8;;\x1b\\\x1b[ q\x1b[\"q\x1b[m"
#define TTY_RESET_MARGINS "\x1b[?6l\x1b[r"

/* Are standard input and output the same person's terminal? */
bool tty_is_one(void);
/* Its size; a usual one when it does not tell. */
void tty_size(unsigned *ret_cols, unsigned *ret_rows);

struct tty {
    int signals; /* readable when there are some: tty_signal() */
    int guard;   /* readable when the parent is gone */
};

/* Runs `body` in a child with the terminal in raw mode; its exit status is returned when the terminal is as it was: `undo` is
 * written, after TTY_RESET, when the child could not put it in order itself. -errno with a sentence when that cannot be had. */
int tty_run_raw(int (*body)(struct tty *tty, void *user), void *user, const char *undo, struct err *err);

/* The next of the signals that came (SIGWINCH, SIGCONT, SIGTERM, …), 0 when there is none. */
int tty_signal(struct tty *tty);
/* Raw again, after something else had the terminal. */
void tty_make_raw(void);

/* All of it to the terminal, however slow that is; -EINTR when a signal came, with what is left. */
int tty_write(const char *p, size_t n, size_t *ret_written);
