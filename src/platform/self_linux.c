#include "platform/self.h"

#include "base/span.h"

#include <errno.h>
#include <libgen.h>
#include <unistd.h>

/* What the kernel adds to the name of a file that was replaced. */
#define REPLACED " (deleted)"

int self_path(char ret[PATH_BYTES]) {
    ssize_t n = readlink("/proc/self/exe", ret, PATH_BYTES - 1);
    if (n < 0) return -errno;
    ret[n] = '\0';
    if (span_ends(span_of(ret, (size_t)n), SPAN(REPLACED))) ret[n - (ssize_t)strlen(REPLACED)] = '\0';
    return 0;
}

int self_sibling(char ret[PATH_BYTES], const char *name) {
    char self[PATH_BYTES];
    int r = self_path(self);
    if (r == 0) r = path_join(ret, dirname(self), name);
    if (r < 0) return r;
    return access(ret, X_OK) < 0 ? -errno : 0;
}
