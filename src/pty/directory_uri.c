#include "pty/directory_uri.h"

#include <unistd.h>

static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool is_this_host(struct span host) {
    char name[256];
    if (host.n == 0 || span_ieq(host, SPAN("localhost"))) return true;
    if (gethostname(name, sizeof name) < 0) return false;
    name[sizeof name - 1] = '\0';
    return span_ieq(host, span_str(name));
}

bool directory_uri_path(struct span uri, char ret[PATH_BYTES]) {
    if (span_istarts(uri, SPAN("file://"))) {
        uri = span_skip(uri, sizeof "file://" - 1);
        const char *slash = uri.n ? memchr(uri.p, '/', uri.n) : NULL;
        if (!slash || !is_this_host(span_take(uri, (size_t)(slash - uri.p)))) return false;
        uri = span_skip(uri, (size_t)(slash - uri.p));
    }
    if (uri.n == 0 || uri.p[0] != '/') return false;
    char path[PATH_BYTES];
    size_t n = 0;
    for (size_t i = 0; i < uri.n; i++) {
        char c = uri.p[i];
        if (c == '%' && i + 2 < uri.n && hex(uri.p[i + 1]) >= 0 && hex(uri.p[i + 2]) >= 0) {
            c = (char)(hex(uri.p[i + 1]) * 16 + hex(uri.p[i + 2]));
            i += 2;
        }
        if ((unsigned char)c < 0x20 || c == 0x7f || n + 1 == PATH_BYTES) return false;
        path[n++] = c;
    }
    memcpy(ret, path, n);
    ret[n] = '\0';
    return true;
}
