/* What is to be said about the hooks of one CLI: what is registered, what is wrong with it, when it last spoke. */
#pragma once

#include "base/strv.h"
#include "cli/client.h"
#include "setup/setup.h"

struct hooks_check {
    struct setup_status status;
    char **problems;          /* sentences: something is not as it should be */
    char program[PATH_BYTES]; /* of the CLI; "": it is not there */
    const char *versions;     /* what programs said of theirs */
    bool is_here;             /* the CLI is used on this machine, as far as one can see */
    bool has_daemon;
    int64_t event_ms; /* when its newest event was; 0: none */
    int64_t probe_ms; /* how long a probe took; -1: none was sent, or it failed */
};

/* "Claude Code" */
const char *hooks_cli_name(enum cli cli);

/* `daemon` may be NULL, `heard` is its answer to GET /api/hooks/status. `probe`: sends one. */
void hooks_check(const struct setup_place *p, enum cli cli, const struct daemon_info *daemon,
                 struct span heard, bool probe, struct hooks_check *ret);
void hooks_check_fini(struct hooks_check *c);

/* For a person, and as one object. */
void hooks_check_print(const struct setup_place *p, const struct hooks_check *c, bool details);
void hooks_check_json(const struct setup_place *p, const struct hooks_check *c);
