#include "app/patterns.h"

#include "base/cleanup.h"

#include <errno.h>
#include <fcntl.h>

/* 1 when there is such a file. */
static int read_patterns(const char *path, struct buf *out, struct err *err) {
    AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return errno == ENOENT ? 0 : err_sys(err, -errno, "cannot read %s", path);
    char *room = buf_reserve(out, PATTERNS_BYTES_MAX);
    ssize_t n = read(fd, room, PATTERNS_BYTES_MAX);
    if (n < 0) return err_sys(err, -errno, "cannot read %s", path);
    buf_grew(out, (size_t)n);
    return 1;
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
