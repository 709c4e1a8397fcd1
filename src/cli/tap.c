#include "cli/tap.h"

void tap_close(struct tap *t) {
    if (t) t->type->close(t);
}

short tap_wants(const struct tap *t) {
    return t->type->unsent(t) ? POLLIN | POLLOUT : POLLIN;
}

int tap_ready(struct tap *t, short events, struct err *err) {
    return t->type->ready(t, events, err);
}

bool tap_takes(const struct tap *t) {
    return t->type->unsent(t) <= TAP_UNSENT_MAX && t->type->takes(t);
}

int tap_input(struct tap *t, struct span bytes) {
    return t->type->input(t, bytes);
}

int tap_resize(struct tap *t, unsigned cols, unsigned rows) {
    return t->type->resize(t, cols, rows);
}

void tap_shown(struct tap *t, uint64_t offset) {
    t->type->shown(t, offset);
}

int tap_end(struct tap *t, struct err *err) {
    return t->type->end(t, err);
}

void tap_answer(struct tap *t, uint64_t offset, struct span bytes) {
    t->type->answer(t, offset, bytes);
}
