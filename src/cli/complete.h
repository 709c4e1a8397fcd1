/* What shells complete after "ostler", as a script for each of them, made of the command table. */
#pragma once

#include "cli/cmd.h"

#include <stdio.h>

void complete_bash(FILE *to);
void complete_zsh(FILE *to);
void complete_fish(FILE *to);

/* What a word or a value is (struct cmd, `complete`). */
enum complete_kind {
    COMPLETE_NOTHING, /* nothing is known of it */
    COMPLETE_FILE,
    COMPLETE_DIR,
    COMPLETE_TERMINAL,
    COMPLETE_REQUEST,
    COMPLETE_PROGRAM,
    COMPLETE_COMMAND,
    COMPLETE_CHOICE
};
enum complete_kind complete_kind(const char *complete);

/* Text between single quotes. `escaped` are the characters that get a backslash there. */
void complete_quote(const char *text, const char *escaped, const char *quote, FILE *to);
