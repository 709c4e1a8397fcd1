/* A pseudoterminal and the program in it. Nothing here allocates, because keepers use it. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

struct pty_size {
    uint16_t cols, rows;
    uint16_t xpixel, ypixel;
};

struct pty {
    int master; /* non-blocking */
    int slave;  /* kept open, so that the master does not end while the program has closed its own */
};

/* What is to run in it. */
struct pty_program {
    const char *const *argv; /* NULL-terminated; the first is looked for in PATH */
    const char *directory;   /* NULL: the one we are in */
    /* Variables of the environment that get a value, if they are there; NULL: none does. */
    const char *pid_variable; /* the program's number */
    const char *tty_variable; /* the terminal's name */
    mode_t mask;              /* its umask */
};

/* A new one of this size, for UTF-8 text. */
int pty_open(struct pty *ret, const struct pty_size *size);
void pty_close(struct pty *p);
int pty_resize(const struct pty *p, const struct pty_size *size);

/* What a program that is being started does one after the other. */
enum pty_step { PTY_STEP_FORK, PTY_STEP_SESSION, PTY_STEP_DIRECTORY, PTY_STEP_EXECUTE };

/* Starts a program in it: a session of its own with this as its terminal, default signals, nothing else open. 0 once it has
 * been executed; otherwise `*failed` is the step that went wrong. */
int pty_spawn(const struct pty *p, const struct pty_program *program, pid_t *ret_pid, enum pty_step *failed);

/* Sends a signal to the foreground process group of the session that `leader` leads here; to the leader's own group when
 * there is no other. */
int pty_signal(const struct pty *p, pid_t leader, int number);
