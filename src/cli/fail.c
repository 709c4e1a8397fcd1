#include "cli/cmd.h"
#include "cli/screen.h"

#include <stdarg.h>
#include <stdio.h>

int cmd_fail(const struct cmd *c, int status, const char *fmt, ...) {
    char sentence[2048];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(sentence, sizeof sentence, fmt, ap);
    va_end(ap);
    screen_print_to(stderr, "ostler%s%s: %s\n", c ? " " : "", c ? c->name : "", n < 0 ? fmt : sentence);
    return status;
}
