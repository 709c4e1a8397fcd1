#include "platform/self.h"

#include <errno.h>
#include <libgen.h>
#include <unistd.h>

int self_sibling(char ret[PATH_BYTES], const char *name) {
    char self[PATH_BYTES];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0) return -errno;
    self[n] = '\0';
    int r = path_join(ret, dirname(self), name);
    if (r < 0) return r;
    return access(ret, X_OK) < 0 ? -errno : 0;
}
