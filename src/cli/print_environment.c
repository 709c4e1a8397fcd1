#include "cli/print_environment.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "cli/cmd.h"
#include "pty/environment.h"

#include <stdlib.h>
#include <unistd.h>

/* The mark, the variables with a NUL behind each, the mark; the variable that brought it is not among them. */
int print_environment(void) {
    AUTO(buf) struct buf out = BUF_INIT(ENVIRONMENT_BYTES_MAX);
    const char *mark = getenv("OSTLER_RESOLVE_MARK");
    if (!mark) return CMD_USAGE;
    (void)buf_append_span(&out, span_str(mark));
    for (char *const *e = environ; *e; e++)
        if (!span_starts(span_str(*e), SPAN("OSTLER_RESOLVE_MARK=")))
            (void)buf_append(&out, *e, strlen(*e) + 1);
    (void)buf_append_span(&out, span_str(mark));
    return !out.failed && file_write_fd(STDOUT_FILENO, buf_span(&out)) == 0 ? CMD_OK : CMD_FAILED;
}
