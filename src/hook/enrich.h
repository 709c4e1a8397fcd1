/* What the hook adds to a payload, from the environment and /proc: the `ostler` half of a record. */
#pragma once

#include "hook/env.h"
#include "hook/out.h"
#include "platform/proc.h"

enum { ENRICH_BYTES = 64 << 10 };

enum enrich_cli { ENRICH_CLAUDE, ENRICH_GEMINI, ENRICH_CODEX, ENRICH_COPILOT, ENRICH_OPENCODE };

/* The CLI of that name; ENRICH_CLAUDE for a name that nobody knows, because a hook never fails. */
enum enrich_cli enrich_cli_from_str(const char *name);
const char *enrich_cli_to_str(enum enrich_cli cli);

struct enrich {
    const struct env *env;
    enum enrich_cli cli;
    uint64_t sent_us; /* wall clock when the hook began */
    pid_t parent;
    struct proc agent;
    uint64_t pid_namespace; /* 0 = unknown */
    const char *hold;       /* the key under which it waits for an answer; NULL: it does not */
};

/* `{"ostler":{…` — all that is known before the payload is there. */
void enrich_begin(struct out *o, const struct enrich *e);

/* `},"payload":` — `oversized`: bytes of a payload that was too large to keep, 0 otherwise. */
void enrich_end(struct out *o, uint64_t oversized);
