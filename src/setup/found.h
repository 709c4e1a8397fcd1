/* What of ours is registered with a CLI. */
#pragma once

#include "base/buf.h"
#include "setup/events.h"

enum { SETUP_EVENTS_MAX = 64 };

struct setup_found_event {
    const struct event_kind *kind; /* NULL: one that this ostler does not know any more */
    bool untrusted;                /* Codex has no hash of it, or another */
    bool disabled;                 /* Codex was told not to run it */
};

struct setup_found {
    struct setup_found_event events[SETUP_EVENTS_MAX];
    size_t n;
    bool twice;         /* an event has more than one of ours */
    struct buf command; /* of the first one, as it is registered, without ENTRY_REPLY */
    bool mixed;         /* others have another one */
};

#define SETUP_FOUND_INIT ((struct setup_found){.command = BUF_INIT(1 << 16)})

static inline void cleanup_setup_found(struct setup_found *f) {
    buf_fini(&f->command);
}

/* Notes one; NULL when there are too many. */
struct setup_found_event *setup_found_add(struct setup_found *f, struct span event, struct span command);
bool setup_found_has(const struct setup_found *f, struct span event);
/* The density whose events these are, for that CLI of that version; false when it is none's. */
bool setup_found_density(const struct setup_found *f, enum cli cli, struct cli_version version,
                         enum config_density *ret);
