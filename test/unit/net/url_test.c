#include "net/url.h"
#include "test.h"

#include <errno.h>

static int split(struct arena *a, const char *target, struct span *path, struct span *query) {
    return url_split(span_str(target), a, path, query);
}

TEST(cuts_path_and_query) {
    struct arena a = ARENA_INIT(1000);
    struct span path, query;
    CHECK_INT(split(&a, "/a/b?x=%20&y", &path, &query), 0);
    CHECK_SPAN(path, "/a/b");
    CHECK_SPAN(query, "x=%20&y");
    CHECK_INT(split(&a, "/", &path, &query), 0);
    CHECK_SPAN(path, "/");
    CHECK_INT(query.n, 0);
    CHECK_INT(a.used, 0); /* nothing encoded, nothing copied */
    CHECK_INT(split(&a, "/%41%2fb%c3%A9+?", &path, &query), 0);
    CHECK_SPAN(path, "/A/b\xc3\xa9+");
    CHECK_INT(split(&a, "/a?b?c", &path, &query), 0);
    CHECK_SPAN(query, "b?c");
    arena_fini(&a);
}

TEST(refuses_bad_paths) {
    static const char *const bad[] = {"",        "*",       "a",    "http://x/",  "/%",    "/%4",
                                      "/%g0",    "/a%00b",  "/..",  "/../a",      "/a/..", "/a/../b",
                                      "/%2e%2e", "/.%2E/a", "/a#b", "/a%2f..%2fb"};
    struct arena a = ARENA_INIT(1000);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct span path = SPAN("untouched"), query = path;
        if (split(&a, bad[i], &path, &query) != -EINVAL) fail_msg("%s was accepted", bad[i]);
        CHECK_SPAN(path, "untouched");
    }
    struct span path, query;
    CHECK_INT(split(&a, "/a..b/.../...", &path, &query), 0); /* these do not climb */
    arena_fini(&a);
}

TEST(finds_parameters) {
    struct arena a = ARENA_INIT(1000);
    struct span v = SPAN_NONE, q = SPAN("a=1&b=x%26y+z&%63=3&d&e=&a=2&=5");
    CHECK_INT(url_query(q, SPAN("a"), &a, &v), 1);
    CHECK_SPAN(v, "1");
    CHECK_INT(url_query(q, SPAN("b"), &a, &v), 1);
    CHECK_SPAN(v, "x&y z");
    CHECK_INT(url_query(q, SPAN("c"), &a, &v), 1);
    CHECK_SPAN(v, "3");
    CHECK_INT(url_query(q, SPAN("d"), &a, &v), 1);
    CHECK_INT(v.n, 0);
    CHECK_INT(url_query(q, SPAN("e"), &a, &v), 1);
    CHECK_INT(v.n, 0);
    CHECK_INT(url_query(q, SPAN("z"), &a, &v), 0);
    CHECK_INT(url_query(SPAN_NONE, SPAN("z"), &a, &v), 0);
    CHECK_INT(url_query(SPAN("z=%4"), SPAN("z"), &a, &v), -EINVAL);
    arena_fini(&a);
}

TEST(stays_within_the_arena) {
    struct arena a = ARENA_INIT(4);
    struct span path, query;
    CHECK_INT(split(&a, "/%20%20%20", &path, &query), -ENOBUFS);
    arena_fini(&a);
}

TESTS(RUN(cuts_path_and_query), RUN(refuses_bad_paths), RUN(finds_parameters), RUN(stays_within_the_arena))
