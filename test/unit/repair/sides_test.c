/* Whom an orphan may follow: what Claude Code reads, on its own side, and not where a compaction kept messages. */
#include "repair/chain.h"

#include "read_text.h"

#define UUID(c) "00000000-0000-4000-8000-00000000000" c
#define RECORD(id, parent, rest) \
    "{\"parentUuid\":" parent ",\"isSidechain\":" rest ",\"uuid\":\"" UUID(id) "\"}\n"
#define USER(id, parent) RECORD(id, parent, "false,\"type\":\"user\"")
#define SIDE(id, parent) RECORD(id, parent, "true,\"type\":\"user\"")
#define P(id) "\"" UUID(id) "\""

/* The last message's parent, mended. */
static void check_parent(struct span text, const char *parent) {
    AUTO(transcript) struct transcript t;
    AUTO(plan) struct plan plan = PLAN_INIT;
    AUTO(buf) struct buf said = BUF_INIT(256);
    read_text(&t, text, SCAN_CHUNK);
    CHECK_INT(chain_mend(&t, false, &plan), 0);
    CHECK_INT(plan_count(&plan), 1);
    CHECK_INT(plan_at(&plan, 0)->message, transcript_count(&t) - 1);
    CHECK_INT(ids_write(&t.ids, plan_at(&plan, 0)->parent, &said), 0);
    CHECK_SPAN(buf_span(&said), parent);
}
#define CHECK_PARENT(text, parent) check_parent(SPAN(text), parent)

TEST(a_conversation_does_not_go_on_in_a_subagent) {
    CHECK_PARENT(USER("1", "null") SIDE("2", "null") SIDE("3", P("2")) USER("4", P("9")), P("1"));
    CHECK_PARENT(USER("1", "null") SIDE("2", "null") USER("3", P("1")) SIDE("4", P("9")), P("2"));
    CHECK_PARENT(USER("1", "null") SIDE("4", P("9")), "null");
    CHECK_PARENT(SIDE("1", "null") USER("4", P("9")), "null");
    /* as it is after a repair that put null for an id */
    CHECK_PARENT(USER("1", "null") SIDE("2", "null                                  ") USER("4", P("9")),
                 P("1"));
    /* elsewhere in the line it says nothing */
    CHECK_PARENT(USER("1", "null") RECORD("2", P("1"), "0,\"isSidechain\":true") USER("4", P("9")), P("2"));
}

#define TYPE(id, parent, type) RECORD(id, parent, "false,\"type\":\"" type "\"")

TEST(what_is_not_read_is_not_followed) {
    CHECK_PARENT(USER("1", "null") TYPE("2", P("1"), "progress") USER("4", P("9")), P("1"));
    CHECK_PARENT(USER("1", "null") TYPE("2", P("1"), "saved_hook_context") USER("4", P("9")), P("1"));
    CHECK_PARENT(USER("1", "null") TYPE("2", P("1"), "system") USER("4", P("9")), P("2"));
    CHECK_PARENT(USER("1", "null") TYPE("2", P("1"), "attachment") USER("4", P("9")), P("2"));
    CHECK_PARENT(USER("1", "null") TYPE("2", P("1"), "syst\\u0065m") USER("4", P("9")), P("2"));
    CHECK_PARENT(TYPE("1", "null", "progress") USER("4", P("9")), "null");
    CHECK_PARENT(USER("1", "null") TYPE("2", P("1"), "progress") TYPE("4", P("9"), "progress"), P("2"));
    CHECK_PARENT(USER("1", "null") "{\"uuid\":\"no type\"}\n" USER("4", P("9")), "\"no type\"");
}

#define BOUNDARY(id, metadata) \
    RECORD(id, "null",         \
           "false,\"type\":\"system\",\"subtype\":\"compact_boundary\",\"compactMetadata\":" metadata)
#define SEGMENT \
    "{\"preservedSegment\":{\"headUuid\":" P("1") ",\"anchorUuid\":" P("9") ",\"tailUuid\":" P("1") "}}"
#define MESSAGES "{\"preservedMessages\":{\"anchorUuid\":" P("9") ",\"uuids\":[" P("1") "]}}"

#define PLAIN "{\"trigger\":\"manual\"}"
#define SUMMARY(id, parent) RECORD(id, parent, "false,\"type\":\"user\",\"isCompactSummary\":true")

TEST(only_its_summary_follows_a_compact_boundary) {
    CHECK_PARENT(USER("1", "null") BOUNDARY("2", PLAIN) SUMMARY("4", P("9")), P("2"));
    CHECK_PARENT(USER("1", "null") BOUNDARY("2", PLAIN) USER("4", P("9")), P("1"));
    CHECK_PARENT(BOUNDARY("2", PLAIN) USER("4", P("9")), "null");
    CHECK_PARENT(USER("1", "null") BOUNDARY("2", PLAIN) SUMMARY("3", P("2")) USER("4", P("9")), P("3"));
    /* One that is elsewhere belongs to no boundary. */
    CHECK_PARENT(USER("1", "null") BOUNDARY("2", PLAIN) USER("3", P("2")) SUMMARY("4", P("9")), P("3"));
}

static void check_orphans(struct span text, uint64_t orphans) {
    AUTO(transcript) struct transcript t;
    struct scan_verdict v;
    read_text(&t, text, SCAN_CHUNK);
    CHECK_INT(chain_judge(&t, &v), 0);
    CHECK_INT(v.orphans, orphans);
    CHECK_INT(v.status, orphans ? TRANSCRIPT_CORRUPTED : TRANSCRIPT_HEALTHY);
}
#define CHECK_ORPHANS(text, n) check_orphans(SPAN(text), n)

TEST(who_follows_the_anchor_of_kept_messages_is_no_orphan) {
    CHECK_ORPHANS(USER("1", "null") BOUNDARY("2", SEGMENT) USER("3", P("9")), 0);
    CHECK_ORPHANS(USER("1", "null") BOUNDARY("2", MESSAGES) USER("3", P("9")) USER("4", P("3")), 0);
    CHECK_ORPHANS(USER("1", "null") BOUNDARY("2", SEGMENT) USER("3", P("8")), 1);
    CHECK_ORPHANS(USER("1", "null") BOUNDARY("2", "{\"trigger\":\"manual\"}") USER("3", P("9")), 1);
    CHECK_ORPHANS(USER("1", "null") BOUNDARY("2", "{\"preservedSegment\":[],\"preservedMessages\":\"x\"}")
                      USER("3", P("9")),
                  1);
    CHECK_ORPHANS(USER("1", "null") BOUNDARY("2", "null") USER("3", P("9")), 1);
    /* only a boundary's word counts */
    CHECK_ORPHANS(
        RECORD("1", "null", "false,\"type\":\"system\",\"subtype\":\"init\",\"compactMetadata\":" SEGMENT)
            USER("3", P("9")),
        1);
}

TESTS(RUN(a_conversation_does_not_go_on_in_a_subagent), RUN(what_is_not_read_is_not_followed),
      RUN(only_its_summary_follows_a_compact_boundary),
      RUN(who_follows_the_anchor_of_kept_messages_is_no_orphan))
