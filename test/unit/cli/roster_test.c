/* Which terminal somebody means. */
#include "cli/roster.h"
#include "test.h"

#include <errno.h>

static const char answer[] =
    "{\"terminals\":["
    "{\"terminalId\":\"term-1731740000001-aaaaa1\",\"sessionId\":\"0f8fad5b-d9cb\",\"id\":\"s1k\",\"title\":\"Build\","
    "\"command\":\"make\",\"directory\":\"/home/dev/alpha\",\"connection\":\"live\",\"startedAt\":5,\"endedAt\":null,"
    "\"viewers\":2},"
    "{\"terminalId\":\"term-1731740000002-aaaab2\",\"sessionId\":\"term-1731740000002-aaaab2\",\"id\":\"s2k\","
    "\"title\":\"build\",\"connection\":\"ended\",\"startedAt\":5,\"endedAt\":9,\"workingDir\":\"/tmp\"},"
    "{\"terminalId\":\"term-1731740000003-bbbbb3\",\"sessionId\":\"77\",\"id\":\"s3k\",\"title\":\"aaaaa1 too\","
    "\"connection\":\"live\"},"
    "{\"terminalId\":\"term-1731740000004-cc4444\",\"sessionId\":\"78\",\"id\":\"s4k\",\"title\":\"old\","
    "\"connection\":\"ended\"},"
    "{\"terminalId\":\"term-1731740000005-cc5555\",\"sessionId\":\"79\",\"id\":\"s5k\",\"title\":\"older\","
    "\"connection\":\"restored\"},"
    "{\"title\":\"has no id\"},17]}";

static struct roster make(void) {
    struct roster r = {.arena = ARENA_INIT(1 << 20)};
    CHECK_INT(roster_read(&r, span_str(answer)), 0);
    CHECK_INT(r.n, 5);
    return r;
}

/* The short id of the one, or how many there are. */
static void check(const struct roster *r, const char *word, const char *expected, size_t count) {
    const struct roster_entry *meant[ROSTER_MEANT_MAX];
    size_t n = 99;
    int result = roster_find(r, span_str(word), meant, &n);
    CHECK_INT(n, count);
    CHECK_INT(result, count == 0 ? -ENOENT : count == 1 ? 0 : -EEXIST);
    if (count) CHECK_SPAN(roster_short(meant[0]->id), expected);
}

TEST(entries_are_read) {
    struct roster r = make();
    const struct roster_entry *e = &r.entries[0];
    CHECK_SPAN(e->session, "0f8fad5b-d9cb");
    CHECK_SPAN(e->command, "make");
    CHECK_SPAN(e->directory, "/home/dev/alpha");
    CHECK_INT(e->viewers, 2);
    CHECK_INT(e->since_ms, 5);
    CHECK(roster_is_live(e));
    CHECK_INT(r.entries[1].since_ms, 9);
    CHECK_SPAN(r.entries[1].directory, "/tmp");
    CHECK(!roster_is_live(&r.entries[1]));
    CHECK_INT(roster_read(&r, SPAN("{\"terminals\":{}}")), -EPROTO);
    CHECK_INT(roster_read(&r, SPAN("[]")), -EPROTO);
    roster_fini(&r);
}

TEST(a_word_means_one) {
    struct roster r = make();
    check(&r, "term-1731740000001-aaaaa1", "aaaaa1", 1);
    check(&r, "aaaaa1", "aaaaa1", 1); /* exactly, not the other one's title */
    check(&r, "aaaab", "aaaab2", 1);
    check(&r, "0f8f", "aaaaa1", 1);
    check(&r, "s3k", "bbbbb3", 1);
    check(&r, "77", "bbbbb3", 1);
    check(&r, "term-1731740000003", "bbbbb3", 1);
    check(&r, "BUILD", "aaaaa1", 1); /* of two titles the one that lives */
    check(&r, "bui", "aaaaa1", 1);
    check(&r, "old", "cc4444", 1);
    check(&r, "cc5", "cc5555", 1);
    roster_fini(&r);
}

TEST(or_several_or_none) {
    struct roster r = make();
    check(&r, "term-", "aaaaa1", 5);
    check(&r, "aaaa", "aaaaa1", 3);
    check(&r, "cc", "cc4444", 2);
    check(&r, "7", "bbbbb3", 1); /* 77 lives, 78 and 79 do not */
    check(&r, "nope", "", 0);
    check(&r, "", "", 0);
    check(&r, "uild", "", 0);
    roster_fini(&r);
}

TEST(directories_stay_where_they_belong) {
    struct roster r = make();
    char dir[PATH_BYTES];
    (void)snprintf(r.paths.state, sizeof r.paths.state, "/s");
    CHECK_INT(roster_dir(&r, &r.entries[0], dir), 0);
    CHECK_STR(dir, "/s/terminals/term-1731740000001-aaaaa1");
    struct roster_entry bad = {.id = SPAN("../x")};
    CHECK_INT(roster_dir(&r, &bad, dir), -EINVAL);
    bad.id = SPAN(".");
    CHECK_INT(roster_dir(&r, &bad, dir), -EINVAL);
    roster_fini(&r);
}

TESTS(RUN(entries_are_read), RUN(a_word_means_one), RUN(or_several_or_none),
      RUN(directories_stay_where_they_belong))
