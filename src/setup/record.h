/* What an installation changed in a CLI's settings, kept among our own files until it is taken back. */
#pragma once

#include "setup/settings.h"

struct setup_record {
    bool exists;
    enum config_density density;
    struct cli_version version; /* of the CLI that the events were chosen for */
    int made_dirs;              /* so many directories were made for the settings */
    struct settings_past past;
};

static inline void cleanup_setup_record(struct setup_record *r) {
    settings_past_fini(&r->past);
}

/* One that cannot be read counts as none: then only what can be seen in the settings is known. */
void setup_record_load(const char *file, struct setup_record *ret);
int setup_record_save(const char *file, const struct setup_record *record, struct err *err);
