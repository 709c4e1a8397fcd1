#include "app/effects.h"

void effects_carry_out(struct effects *fx, struct broadcast *b, struct persist *p,
                       const struct probe_site *site) {
    for (size_t i = 0; i < fx->count; i++) {
        const struct effect *e = &fx->items[i];
        switch (e->kind) {
        case EFFECT_BROADCAST: broadcast_changed(b, e->session); break;
        case EFFECT_APPEND: persist_append(p, e->session, e->history, e->entry); break;
        case EFFECT_AMEND:
            persist_amend(p, e->session, e->history, e->entry);
            board_amended(b->board, e->session, e->entry);
            break;
        case EFFECT_PROBE: probe_run(site, e->session, e->probe); break;
        case EFFECT_REMOVE:
            persist_removed(p, e->session);
            broadcast_removed(b, e->session);
            break;
        }
    }
    effects_clear(fx);
}
