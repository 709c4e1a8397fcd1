/*
 * Is the shell ready to be typed into? Pure: the caller brings the time. Output is gathered (4096 bytes at most), and after
 * 100 ms of silence its last line that is not empty is looked at without escape sequences: a prompt ends in one of # $ % >
 * and perhaps blanks, and is shorter than 200 characters.
 */
#pragma once

#include "base/span.h"

#include <stdint.h>

enum {
    SHELL_READY_BYTES = 4096,
    SHELL_READY_SETTLE_MS = 100,
    SHELL_READY_LOCAL_MS = 5000,
    SHELL_READY_REMOTE_MS = 15000,
    SHELL_READY_LINE_MAX = 200,
};

enum shell_ready_state {
    SHELL_WAITING,
    SHELL_READY,     /* a prompt was seen */
    SHELL_TIMED_OUT, /* none was; what was to be typed is typed all the same, with a warning */
    SHELL_GONE,      /* it ended before: nothing is typed */
};

struct shell_ready {
    enum shell_ready_state state;
    int64_t deadline_ms, settles_ms; /* settles_ms 0: nothing came since the last look */
    uint16_t n;
    char bytes[SHELL_READY_BYTES];
};

void shell_ready_init(struct shell_ready *s, int64_t now_ms, int64_t timeout_ms);
void shell_ready_output(struct shell_ready *s, struct span bytes, int64_t now_ms);
void shell_ready_exited(struct shell_ready *s);
/* What is known at `now_ms`. */
enum shell_ready_state shell_ready_look(struct shell_ready *s, int64_t now_ms);
/* When to look next. */
int64_t shell_ready_next_ms(const struct shell_ready *s);
