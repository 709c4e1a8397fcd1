/* Bytes on their way to the program: what it has not read yet of what was typed. */
#pragma once

#include "term/frame.h"

#include <stdbool.h>

enum {
    INPUT_GUESTS_BYTES = 64 << 10, /* guests fill it up to here: the rest is the daemon's window */
    INPUT_BYTES = INPUT_GUESTS_BYTES + FRAME_INPUT_WINDOW,
};

struct input {
    char bytes[INPUT_BYTES];
    size_t begin,
        end; /* [begin, end) waits; at the front when it is empty, so that little typing touches little memory */
};

size_t input_waiting(const struct input *in);
/* Do `n` more bytes find their place? */
bool input_fits(const struct input *in, size_t n, bool guest);
/* They must fit. */
void input_put(struct input *in, struct span bytes);
/* What is to be written next. */
struct span input_next(const struct input *in);
/* The first `n` bytes of that have been. */
void input_written(struct input *in, size_t n);
/* Forgets what waits. */
void input_clear(struct input *in);
