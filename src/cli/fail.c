#include "cli/cmd.h"

#include <stdarg.h>
#include <stdio.h>

int cmd_fail(const struct cmd *c, int status, const char *fmt, ...) {
    char sentence[2048];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(sentence, sizeof sentence, fmt, ap);
    va_end(ap);
    /* Words from elsewhere cannot speak to the terminal. */
    for (int i = 0; i < n && i < (int)sizeof sentence - 1; i++)
        if ((unsigned char)sentence[i] < ' ' || sentence[i] == 0x7f) sentence[i] = ' ';
    (void)fprintf(stderr, "ostler%s%s: %s\n", c ? " " : "", c ? c->name : "", n < 0 ? fmt : sentence);
    return status;
}
