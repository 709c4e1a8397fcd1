#include "cli/ending.h"
#include "test.h"

#include <signal.h>

static void check(const char *code, const char *signal, int status, const char *text) {
    struct ending e = ending_read(span_str(code), span_str(signal));
    CHECK_INT(ending_status(e), status);
    CHECK_STR(ending_text(e).text, text);
}

TEST(as_the_wire_tells_it) {
    check("0", "null", 0, "exited with 0");
    check("7", "null", 7, "exited with 7");
    check("null", "\"SIGTERM\"", 128 + SIGTERM, "killed by SIGTERM");
    check("null", "\"SIGKILL\"", 128 + SIGKILL, "killed by SIGKILL");
    check("null", "null", 1, "ended");
    check("", "", 1, "ended");
    check("-3", "\"NOPE\"", 1, "ended");
    check("1e9", "17", 1, "ended");
}

TEST(as_a_keeper_tells_it) {
    CHECK_STR(ending_text((struct ending){.code = -1, .signal = SIGSEGV}).text, "killed by SIGSEGV");
    CHECK_INT(ending_status((struct ending){.code = -1, .signal = SIGSEGV}), 139);
    CHECK_STR(ending_text((struct ending){.code = -1, .signal = 40}).text, "killed by signal 40");
}

TESTS(RUN(as_the_wire_tells_it), RUN(as_a_keeper_tells_it))
