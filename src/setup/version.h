/*
 * Which version of a CLI will read what is registered. Several may be installed, and all of them read the same settings: the
 * oldest one counts.
 */
#pragma once

#include "setup/installed.h"
#include "setup/place.h"

struct setup_version {
    struct cli_version version; /* unknown as soon as that of one program is */
    char program[PATH_BYTES];   /* the one that it is of; "": there is none */
};

/* By the files around the programs. Where those do not tell, by what was noted when the program was asked last. */
void setup_version_look(enum cli cli, const struct setup_notes *notes, struct setup_version *ret);

/* The same, but where the files do not tell and it matters the programs are asked (`PROGRAM --version`, 5 s at most each), and the
 * answers are noted. So are the programs that are in PATH, for who has another one. */
void setup_version_ask(enum cli cli, const struct setup_notes *notes, struct setup_version *ret);

/* Of one program, by its files or the file of notes about versions. */
struct cli_version setup_version_of(enum cli cli, const char *program, const char *versions);
