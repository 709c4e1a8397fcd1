#include "base/cleanup.h"
#include "base/strv.h"
#include "test.h"

TEST(grows_and_copies) {
    AUTO(strv) char **v = NULL;
    CHECK_INT(strv_count((const char *const *)v), 0);
    strv_push(&v, SPAN("a"));
    strv_push(&v, SPAN(""));
    strv_push(&v, SPAN("b c"));
    AUTO(strv) char **copy = strv_dup((const char *const *)v);
    CHECK_INT(strv_count((const char *const *)copy), 3);
    CHECK_STR(copy[1], "");
    CHECK_STR(copy[2], "b c");
    CHECK(copy[2] != v[2]);
    CHECK(strv_dup(NULL) == NULL);
}

TEST(sets_a_variable_once) {
    AUTO(strv) char **env = NULL;
    strv_set_env(&env, "TERM", "dumb");
    strv_set_env(&env, "TERMINAL", "x");
    strv_set_env(&env, "TERM", "xterm");
    CHECK_INT(strv_count((const char *const *)env), 2);
    CHECK_STR(env[0], "TERM=xterm");
    CHECK_STR(env[1], "TERMINAL=x");
}

TESTS(RUN(grows_and_copies), RUN(sets_a_variable_once))
