/* Installs hooks or takes them out, and says what became of it: for every command that does. */
#pragma once

#include "cli/cmd.h"
#include "setup/setup.h"

struct hooks_change {
    const struct cmd *cmd; /* who does it */
    const struct setup_place *place;
    bool json, dry_run;
    bool terse;   /* says nothing of CLIs where there was nothing to do */
    bool changed; /* something was, or would be */
    bool failed;  /* something could not be; that was said */
};

/* The hooks of one CLI, at a density; NULL takes them out. */
void hooks_change(struct hooks_change *h, enum cli cli, const enum config_density *density);
