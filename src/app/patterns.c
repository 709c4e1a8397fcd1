#include "app/patterns.h"

#include "base/cleanup.h"
#include "config/file.h"

#include <errno.h>

int patterns_compile(const struct paths *paths, struct redact_set **ret, struct err *err) {
    AUTO(buf) struct buf text = BUF_INIT(PATTERNS_BYTES_MAX);
    char path[PATH_BYTES];
    int r = path_join(path, paths->config, "redact.patterns");
    if (r == 0) r = config_file_read(path, &text, err);
    if (r < 0 && r != -ENOENT) return r;
    struct err why = {0};
    int compiled = redact_compile(r == 0 ? buf_span(&text) : SPAN_NONE, ret, &why);
    return compiled < 0 ? err_set(err, compiled, "%s: %s", path, why.msg) : 0;
}
