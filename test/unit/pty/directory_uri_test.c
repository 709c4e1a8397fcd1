#include "pty/directory_uri.h"
#include "test.h"

#include <unistd.h>

static const char *path_of(const char *uri) {
    static char path[PATH_BYTES];
    return directory_uri_path(span_str(uri), path) ? path : NULL;
}

TEST(reads_what_shells_send) {
    CHECK_STR(path_of("file:///home/me"), "/home/me");
    CHECK_STR(path_of("file://localhost/home/me"), "/home/me");
    CHECK_STR(path_of("FILE:///a%20b/%c3%A9"), "/a b/\xc3\xa9");
    CHECK_STR(path_of("/plain/path"), "/plain/path");
    CHECK_STR(path_of("file:///50%"), "/50%");
    CHECK_STR(path_of("file:///50%4"), "/50%4");
    char here[300], host[256];
    CHECK_INT(gethostname(host, sizeof host), 0);
    (void)snprintf(here, sizeof here, "file://%s/tmp", host);
    CHECK_STR(path_of(here), "/tmp");
}

TEST(refuses_the_rest) {
    CHECK(path_of("file://elsewhere.example/home") == NULL);
    CHECK(path_of("http://localhost/x") == NULL);
    CHECK(path_of("") == NULL);
    CHECK(path_of("relative") == NULL);
    CHECK(path_of("file://localhost") == NULL);
    CHECK(path_of("file:///a%00b") == NULL);
    CHECK(path_of("file:///a%0ab") == NULL);
    static char longest[PATH_BYTES + 2] = "/";
    memset(longest + 1, 'x', PATH_BYTES);
    CHECK(path_of(longest) == NULL);
    longest[PATH_BYTES - 1] = '\0';
    CHECK_STR(path_of(longest), longest);
}

TESTS(RUN(reads_what_shells_send), RUN(refuses_the_rest))
