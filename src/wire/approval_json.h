/* A request on the wire, open or ended: docs/inbox.md. */
#pragma once

#include "base/jwrite.h"
#include "core/reply.h"
#include "core/state.h"

enum { APPROVAL_DIGEST_BYTES = 17 };

/* How an open request can be answered now. */
struct approval_way {
    unsigned can;    /* bits of enum can */
    const char *via; /* "hook", "keys"; NULL: not at all */
    const char *why; /* why not, and what to do; NULL when it can */
};

/* Of what is shown of a request: another text, another digest. */
void approval_digest(const struct request *r, char ret[APPROVAL_DIGEST_BYTES]);

void approval_json_open(struct jwrite *w, const struct worker *of, const struct request *r,
                        const struct approval_way *way);
void approval_json_ended(struct jwrite *w, const struct ended_request *e);
