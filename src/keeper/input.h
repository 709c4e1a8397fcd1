/* Bytes on their way to the program: what it has not read yet of what was typed. */
#pragma once

#include "base/span.h"

enum { INPUT_BYTES = 64 << 10 };

struct input {
    char bytes[INPUT_BYTES];
    size_t begin,
        end; /* [begin, end) waits; at the front when it is empty, so that little typing touches little memory */
};

size_t input_room(const struct input *in);
/* There must be room. */
void input_put(struct input *in, struct span bytes);
/* What is to be written next. */
struct span input_next(const struct input *in);
/* The first `n` bytes of that have been. */
void input_written(struct input *in, size_t n);
/* Forgets what waits. */
void input_clear(struct input *in);
