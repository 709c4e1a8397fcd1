/* The hook's pure parts. */
#include "hook/out.h"
#include "hook/title.h"
#include "platform/proc.h"
#include "test.h"

#include <errno.h>

TEST(process_names_may_hold_anything) {
    struct proc p;
    CHECK_INT(
        proc_parse(SPAN("4711 (a) b (c) S 42 5 6 34816 8 9 10 11 12 13 14 15 16 17 18 19 20 21 123456 23\n"),
                   &p),
        0);
    CHECK_INT(p.pid, 4711);
    CHECK_STR(p.comm, "a) b (c");
    CHECK_INT(p.parent, 42);
    CHECK_INT(p.tty, 34816);
    CHECK_INT(p.start, 123456);
}

TEST(nonsense_is_not_a_process) {
    const char *const texts[] = {
        "", "4711", "4711 (x", "4711 )x(", "x (y) S 1 2 3 4", "1 (x) S", "1 (x) S -1 0 0 0 0"};
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct proc p = {.pid = 7};
        CHECK_INT(proc_parse(span_str(texts[i]), &p), -EBADMSG);
        CHECK_INT(p.pid, 7);
    }
}

TEST(terminals_have_names) {
    static const struct {
        uint32_t tty;
        const char *path;
    } cases[] = {{136 << 8 | 3, "/dev/pts/3"},
                 {136 << 8 | 0x2c | 1 << 20, "/dev/pts/300"},
                 {137 << 8 | 1, "/dev/pts/257"},
                 {4 << 8 | 2, "/dev/tty2"},
                 {4 << 8 | 65, "/dev/ttyS1"}};
    char path[PROC_TTY_BYTES];
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        CHECK(proc_tty_path(cases[i].tty, path));
        CHECK_STR(path, cases[i].path);
    }
    CHECK(!proc_tty_path(5 << 8 | 1, path));
}

TEST(what_does_not_fit_leaves_no_trace) {
    char room[16];
    struct out o = {.p = room, .cap = sizeof room};
    out_member_u64(&o, "a", 1);
    out_member_string(&o, "b", SPAN("too long for it"));
    out_member_u64(&o, "c", 2);
    CHECK_SPAN(span_of(o.p, o.n), ",\"a\":1,\"c\":2");
}

TEST(only_changes_of_state_want_a_title) {
    CHECK(title_wanted(SPAN("{\"hook_event_name\":\"Stop\"}")));
    CHECK(title_wanted(SPAN("{\"x\":1, \"hook_event_name\" : \"SessionStart\"}")));
    CHECK(!title_wanted(SPAN("{\"hook_event_name\":\"PreToolUse\"}")));
    CHECK(!title_wanted(SPAN("{\"hook_event_name\":\"Sto")));
    CHECK(!title_wanted(SPAN("{\"hook_event_name\"")));
    CHECK(!title_wanted(SPAN_NONE));
}

TESTS(RUN(process_names_may_hold_anything), RUN(nonsense_is_not_a_process), RUN(terminals_have_names),
      RUN(what_does_not_fit_leaves_no_trace), RUN(only_changes_of_state_want_a_title))
