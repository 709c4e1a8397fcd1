#include "core/effect.h"

#include "base/mem.h"

#include <stdlib.h>

void effects_fini(struct effects *fx) {
    free(fx->items);
    *fx = EFFECTS_INIT;
}

void effects_clear(struct effects *fx) {
    fx->count = 0;
}

void effects_add(struct effects *fx, struct effect e) {
    if (fx->count == fx->room) {
        fx->room = fx->room ? fx->room * 2 : 16;
        fx->items = xreallocarray(fx->items, fx->room, sizeof *fx->items);
    }
    fx->items[fx->count++] = e;
}
