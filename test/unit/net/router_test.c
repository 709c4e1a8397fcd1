#include "net/router.h"
#include "test.h"

static const struct route table[] = {
    {HTTP_GET, "/api/sessions", NULL},
    {HTTP_GET, "/api/sessions/:id", NULL},
    {HTTP_POST, "/api/sessions/:id", NULL},
    {HTTP_GET, "/api/sessions/newest", NULL},
    {HTTP_DELETE, "/api/:kind/:id", NULL},
    {HTTP_GET, "/api/:kind/:id/log/:pos", NULL},
    {HTTP_GET, "/", NULL},
};

static struct route_params params;
static char allow[64];

static const char *find(enum http_method method, const char *path) {
    const struct route *r = NULL;
    switch (route_match(table, ARRAY_LEN(table), method, span_str(path), &r, &params, allow)) {
    case ROUTE_FOUND: return r->pattern;
    case ROUTE_UNKNOWN_PATH: return "unknown";
    case ROUTE_WRONG_METHOD: return "method";
    }
    return "";
}

TEST(finds_routes) {
    CHECK_STR(find(HTTP_GET, "/api/sessions"), "/api/sessions");
    CHECK_STR(find(HTTP_GET, "/"), "/");
    CHECK_STR(find(HTTP_GET, "/api/sessions/s42"), "/api/sessions/:id");
    CHECK_INT(params.count, 1);
    CHECK_SPAN(params.value[0], "s42");
    CHECK_STR(find(HTTP_GET, "/api/teams/a/log/7"), "/api/:kind/:id/log/:pos");
    CHECK_INT(params.count, 3);
    CHECK_SPAN(params.value[0], "teams");
    CHECK_SPAN(params.value[2], "7");
}

TEST(literal_segments_win) {
    CHECK_STR(find(HTTP_GET, "/api/sessions/newest"), "/api/sessions/newest");
    CHECK_STR(find(HTTP_POST, "/api/sessions/newest"), "/api/sessions/:id");
    CHECK_STR(find(HTTP_DELETE, "/api/sessions/newest"), "/api/:kind/:id");
}

TEST(knows_what_it_does_not_know) {
    static const char *const unknown[] = {"",
                                          "/api",
                                          "/api/",
                                          "/api/sessions/",
                                          "//api/sessions",
                                          "/x",
                                          "/api/sessions/a/b",
                                          "/API/sessions",
                                          "api/sessions",
                                          "/api/teams/a/log"};
    for (size_t i = 0; i < ARRAY_LEN(unknown); i++)
        if (strcmp(find(HTTP_GET, unknown[i]), "unknown") != 0) fail_msg("%s was found", unknown[i]);
}

TEST(says_which_methods_there_are) {
    CHECK_STR(find(HTTP_PUT, "/api/sessions/a"), "method");
    CHECK_STR(allow, "GET, HEAD, POST, DELETE");
    CHECK_STR(find(HTTP_GET, "/api/teams/a"), "method");
    CHECK_STR(allow, "DELETE");
    CHECK_STR(find(HTTP_OTHER, "/"), "method");
    CHECK_STR(allow, "GET, HEAD");
    CHECK_STR(find(HTTP_HEAD, "/"), "/");
}

TESTS(RUN(finds_routes), RUN(literal_segments_win), RUN(knows_what_it_does_not_know),
      RUN(says_which_methods_there_are))
