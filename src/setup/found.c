#include "setup/found.h"

#include "setup/entry.h"

struct setup_found_event *setup_found_add(struct setup_found *f, struct span event, struct span command) {
    if (f->n == SETUP_EVENTS_MAX) return NULL;
    f->twice |= setup_found_has(f, event);
    /* One that waits for an answer is the same program with a word more. */
    struct span reply = SPAN(ENTRY_REPLY);
    if (span_ends(command, reply)) command.n -= reply.n;
    if (f->n == 0)
        (void)buf_append_span(&f->command, command);
    else
        f->mixed |= !span_eq(buf_span(&f->command), command);
    struct setup_found_event *e = &f->events[f->n++];
    *e = (struct setup_found_event){.kind = event_kind_find(event)};
    return e;
}

bool setup_found_has(const struct setup_found *f, struct span event) {
    for (size_t i = 0; i < f->n; i++)
        if (f->events[i].kind && span_eq_str(event, f->events[i].kind->name)) return true;
    return false;
}

static bool is_wish(const struct setup_found *f, const struct event_wish *wish) {
    for (const struct event_kind *k = NULL; (k = setup_event_next(k, wish));)
        if (!setup_found_has(f, span_str(k->name))) return false;
    return f->n == setup_event_count(wish);
}

bool setup_found_density(const struct setup_found *f, enum cli cli, struct cli_version version,
                         enum config_density *ret) {
    static const enum config_density all[] = {DENSITY_HIGH, DENSITY_MEDIUM, DENSITY_LOW};
    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        if (!is_wish(f, &(struct event_wish){cli, all[i], version})) continue;
        *ret = all[i];
        return true;
    }
    return false;
}
