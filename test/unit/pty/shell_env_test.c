#include "pty/shell_env.h"

#include "base/cleanup.h"
#include "test.h"

static void check_parsed(struct span output, const char *const *expected) {
    AUTO(strv) char **env = shell_env_parse(output, SPAN("MARK"));
    CHECK((env != NULL) == (expected != NULL));
    if (!env) return;
    CHECK_INT(strv_count((const char *const *)env), strv_count(expected));
    for (size_t i = 0; env[i]; i++)
        CHECK_STR(env[i], expected[i]);
}

TEST(what_stands_between_the_marks_counts) {
    const char *const two[] = {"A=1", "B=x\ny", NULL}, *const none[] = {NULL};
    check_parsed(SPAN("MARKA=1\0B=x\ny\0MARK"), two);
    check_parsed(SPAN("welcome back\nA=9\0 MARKA=1\0B=x\ny\0MARK bye\0MARK"), two);
    check_parsed(SPAN("MARKMARK"), none);
    check_parsed(SPAN("MARKA=1\0B=x"), NULL); /* it is still printing */
    check_parsed(SPAN("MARKA=1\0MAR"), NULL);
    check_parsed(SPAN("welcome back"), NULL);
    check_parsed(SPAN_NONE, NULL);
}

TEST(how_shells_are_told) {
    CHECK_STR(shell_env_flags("/bin/bash", true), "-lic");
    CHECK_STR(shell_env_flags("/usr/bin/fish", false), "-lc");
    CHECK_STR(shell_env_flags("/bin/tcsh", true), "-ic");
    CHECK(shell_env_flags("/usr/bin/nu", true) == NULL);
    CHECK(shell_env_flags("/bin/false", true) == NULL);
    char path[PATH_BYTES];
    char own[] = "SHELL=/bin/sh", gone[] = "SHELL=/no/such/shell", odd[] = "SHELL=sh";
    shell_find((char *const[]){own, NULL}, path);
    CHECK_STR(path, "/bin/sh");
    shell_find((char *const[]){gone, NULL}, path);
    CHECK_INT(path[0], '/');
    CHECK(strcmp(path, "/no/such/shell") != 0);
    shell_find((char *const[]){odd, NULL}, path);
    CHECK_INT(path[0], '/');
}

TESTS(RUN(what_stands_between_the_marks_counts), RUN(how_shells_are_told))
