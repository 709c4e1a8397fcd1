/*
 * Versions of the CLIs, and which events each of them knows. A name that a CLI does not know may do harm: Claude Code before 2.1.101
 * drops the whole settings file for it, with the permission rules in it. Pure.
 */
#pragma once

#include "core/enums.h"

#include <limits.h>

struct cli_version {
    unsigned major, minor, patch; /* all 0: unknown */
    bool early;                   /* "2.0.0-beta.1": before the release of that number */
};

enum { CLI_VERSION_BYTES = 40 };

/* One that knows everything. */
#define CLI_VERSION_NEWEST ((struct cli_version){.major = UINT_MAX})

/* "2.1.85", with or without something behind a dash, and nothing else. */
bool cli_version_parse(struct span text, struct cli_version *ret);
/* The first one in what a program says of itself: "codex-cli 0.166.0". */
bool cli_version_find(struct span text, struct cli_version *ret);

bool cli_version_is_known(struct cli_version v);
/* As strcmp(). */
int cli_version_compare(struct cli_version a, struct cli_version b);
/* "2.1.85"; "" when it is unknown. */
void cli_version_print(struct cli_version v, char ret[CLI_VERSION_BYTES]);

/* Does this version of the CLI know the event? Of an unknown version only what all of them know is expected. */
bool cli_version_knows(struct cli_version v, enum cli cli, const char *event);
/* Is there anything that depends on the version? */
bool cli_version_matters(enum cli cli);
/* Does one name that it does not know cost it all of its settings? */
bool cli_version_is_strict(struct cli_version v, enum cli cli);
