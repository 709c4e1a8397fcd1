#include "keeper/input.h"

size_t input_waiting(const struct input *in) {
    return in->end - in->begin;
}

bool input_fits(const struct input *in, size_t n, bool guest) {
    return input_waiting(in) + n <= (guest ? INPUT_GUESTS_BYTES : INPUT_BYTES);
}

void input_put(struct input *in, struct span bytes) {
    assert(input_fits(in, bytes.n, false));
    if (bytes.n > sizeof in->bytes - in->end) {
        memmove(in->bytes, in->bytes + in->begin, input_waiting(in));
        in->end -= in->begin;
        in->begin = 0;
    }
    if (bytes.n) memcpy(in->bytes + in->end, bytes.p, bytes.n);
    in->end += bytes.n;
}

struct span input_next(const struct input *in) {
    return span_of(in->bytes + in->begin, input_waiting(in));
}

void input_written(struct input *in, size_t n) {
    assert(n <= input_waiting(in));
    in->begin += n;
    if (in->begin == in->end) input_clear(in);
}

void input_clear(struct input *in) {
    in->begin = in->end = 0;
}
