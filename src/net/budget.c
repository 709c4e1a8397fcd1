#include "net/budget.h"

static size_t share_of(const struct budget *b, enum crowd_kind kind) {
    switch (kind) {
    case CROWD_OWNER: return b->max;
    case CROWD_LOCAL: return b->max - b->max / 4;
    case CROWD_PROXY:
    case CROWD_OTHER:
    case CROWD_KINDS_: break;
    }
    return b->max / 2;
}

bool budget_fits(const struct budget *b, enum crowd_kind kind, size_t more) {
    size_t share = share_of(b, kind);
    return b->used <= share && more <= share - b->used;
}

void budget_move(struct budget *b, size_t was, size_t is) {
    assert(b->used >= was);
    b->used = b->used - was + is;
}
