/*
 * Runs the command that a person wrote into the configuration (`notify.command`), for channels of their own. It is executed as
 * words, never by a shell; what an agent said is on its standard input, as JSON, and in its environment. It has a deadline, only a
 * few run at once, and what it prints is kept only to say why it failed.
 */
#pragma once

#include "base/list.h"
#include "base/span.h"

#include <uv.h>

enum {
    NOTIFY_COMMAND_MS = 10 * 1000,
    NOTIFY_COMMAND_AT_ONCE = 4,
    NOTIFY_COMMAND_WAITING = 32, /* then what comes is dropped, and that is logged */
    NOTIFY_COMMAND_OUTPUT = 4096,
    NOTIFY_COMMAND_TEXT = 1000, /* bytes of a text in its environment */
};

struct notify_command {
    uv_loop_t *loop;
    char **argv;         /* NULL: there is none */
    struct list waiting; /* struct notify_run */
    struct list running;
    size_t waiting_count, running_count;
    unsigned deadline_ms;
    bool open;
};

void notify_command_open(struct notify_command *n, uv_loop_t *loop);
/* Copies the words; NULL: none. */
void notify_command_set(struct notify_command *n, const char *const *argv);
/* Kills what runs; ends asynchronously with the loop. */
void notify_command_close(struct notify_command *n);
void notify_command_free(struct notify_command *n); /* when the loop has ended */

/* Variables for its environment, "NAME=value", NULL-terminated; both are copied. Nothing is done without a command. */
void notify_command_run(struct notify_command *n, struct span json, const char *const *environment);
