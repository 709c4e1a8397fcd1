#include "app/patterns.h"

#include "base/cleanup.h"
#include "base/file.h"

#include <errno.h>

/* 1 when there is such a file. */
static int read_patterns(const char *path, struct buf *out, struct err *err) {
    int r = file_read(path, out);
    if (r < 0 && r != -ENOENT) return err_sys(err, r, "cannot read %s", path);
    return r == 0;
}

int patterns_compile(const struct paths *paths, struct redact_set **ret, struct err *err) {
    AUTO(buf) struct buf text = BUF_INIT(PATTERNS_BYTES_MAX);
    char path[PATH_BYTES];
    int r = path_join(path, paths->config, "redact.patterns");
    if (r == 0) r = read_patterns(path, &text, err);
    if (r < 0) return r;
    struct err why = {0};
    int compiled = redact_compile(r ? buf_span(&text) : SPAN_NONE, ret, &why);
    return compiled < 0 ? err_set(err, compiled, "%s: %s", path, why.msg) : 0;
}
