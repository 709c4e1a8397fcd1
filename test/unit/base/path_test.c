#include "base/path.h"
#include "test.h"

#include <errno.h>

static void environment(const char *home, const char *ostler, const char *state, const char *runtime) {
    const char *const names[] = {"HOME", "OSTLER_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR",
                                 "XDG_CONFIG_HOME"};
    const char *const values[] = {home, ostler, state, runtime, NULL};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (values[i])
            (void)setenv(names[i], values[i], 1);
        else
            (void)unsetenv(names[i]);
    }
}

TEST(one_home_holds_everything) {
    environment("/h", "/o", "/s", "/r");
    struct paths p;
    CHECK_INT(paths_resolve(&p, NULL), 0);
    CHECK_STR(p.state, "/o");
    CHECK_STR(p.spool, "/o/spool");
    CHECK_STR(p.run, "/o/run");
    CHECK_STR(p.config, "/o/config");
}

TEST(xdg_directories_otherwise) {
    environment("/h", NULL, NULL, "/r");
    struct paths p;
    CHECK_INT(paths_resolve(&p, NULL), 0);
    CHECK_STR(p.state, "/h/.local/state/ostler");
    CHECK_STR(p.run, "/r/ostler");
    CHECK_STR(p.config, "/h/.config/ostler");
    environment("/h", NULL, "relative", NULL);
    CHECK_INT(paths_resolve(&p, NULL), 0);
    CHECK_STR(p.state, "/h/.local/state/ostler");
    CHECK_STR(p.run, "/h/.local/state/ostler/run");
}

TEST(says_what_to_do_without_a_home) {
    environment(NULL, NULL, NULL, NULL);
    struct paths p;
    struct err err;
    CHECK_INT(paths_resolve(&p, &err), -ENOENT);
    CHECK(strstr(err.msg, "OSTLER_HOME"));
    environment("/h", "relative", NULL, NULL);
    CHECK_INT(paths_resolve(&p, &err), -EINVAL);
}

TEST(refuses_paths_that_do_not_fit) {
    char out[PATH_BYTES], longer[PATH_BYTES + 10];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    CHECK_INT(path_join(out, "/a", longer), -ENAMETOOLONG);
}

TESTS(RUN(one_home_holds_everything), RUN(xdg_directories_otherwise), RUN(says_what_to_do_without_a_home),
      RUN(refuses_paths_that_do_not_fit))
