#include "keeper/input.h"

size_t input_room(const struct input *in) {
    return sizeof in->bytes - (in->end - in->begin);
}

void input_put(struct input *in, struct span bytes) {
    assert(bytes.n <= input_room(in));
    if (bytes.n > sizeof in->bytes - in->end) {
        memmove(in->bytes, in->bytes + in->begin, in->end - in->begin);
        in->end -= in->begin;
        in->begin = 0;
    }
    if (bytes.n) memcpy(in->bytes + in->end, bytes.p, bytes.n);
    in->end += bytes.n;
}

struct span input_next(const struct input *in) {
    return span_of(in->bytes + in->begin, in->end - in->begin);
}

void input_written(struct input *in, size_t n) {
    assert(n <= in->end - in->begin);
    in->begin += n;
    if (in->begin == in->end) input_clear(in);
}

void input_clear(struct input *in) {
    in->begin = in->end = 0;
}
