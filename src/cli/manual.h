/* Manual pages in man(7), made of the command table. */
#pragma once

#include "cli/cmd.h"

#include <stdio.h>

/* ostler(1): what there is, exit statuses, environment and files. */
void manual_print_main(FILE *to);

/* ostler-NAME(1). */
void manual_print(const struct cmd *c, FILE *to);
