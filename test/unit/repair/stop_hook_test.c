/* The shape that a Stop hook leaves at the end of a transcript, and everything that is nearly that. */
#include "repair/chain.h"

#include "read_text.h"

#define ASSISTANT "{\"uuid\":\"a\",\"parentUuid\":null,\"type\":\"assistant\"}\n"
#define DATA "\"data\":{\"type\":\"hook_progress\",\"hookEvent\":\"Stop\"}"
#define PROGRESS_WITH(members) "{\"uuid\":\"p\",\"parentUuid\":\"a\",\"type\":\"progress\"," members "}\n"
#define PROGRESS PROGRESS_WITH("\"toolUseID\":\"t\"," DATA)
#define SUMMARY_WITH(members) "{\"uuid\":\"s\",\"parentUuid\":\"p\",\"type\":\"system\"," members "}\n"
#define SUMMARY SUMMARY_WITH("\"subtype\":\"stop_hook_summary\",\"toolUseID\":\"t\"")
#define DURATION "{\"uuid\":\"d\",\"parentUuid\":\"s\",\"type\":\"system\",\"subtype\":\"turn_duration\"}\n"

/* Whether it is seen, and mended: the summary follows the assistant, and nothing is left to do. */
static void check(const char *text, bool expected) {
    for (size_t piece = 7; piece <= SCAN_CHUNK; piece *= 4096) {
        AUTO(transcript) struct transcript t;
        AUTO(plan) struct plan not_wanted = PLAN_INIT;
        AUTO(plan) struct plan plan = PLAN_INIT;
        AUTO(plan) struct plan again = PLAN_INIT;
        struct scan_verdict v;
        read_text(&t, span_str(text), piece);
        CHECK_INT(chain_judge(&t, &v), 0);
        if (v.stop_hook_inline != expected) fail_msg("%s", text);
        CHECK_INT(v.status, TRANSCRIPT_HEALTHY);
        CHECK_INT(chain_mend(&t, false, &not_wanted), 0);
        CHECK_INT(plan_count(&not_wanted), 0);
        CHECK_INT(chain_mend(&t, true, &plan), 0);
        CHECK_INT(plan_count(&plan), expected);
        CHECK_INT(plan.stop_hooks, expected);
        if (!expected) continue;
        AUTO(buf) struct buf id = BUF_INIT(64);
        CHECK_INT(ids_write(&t.ids, plan_at(&plan, 0)->parent, &id), 0);
        CHECK_SPAN(buf_span(&id), "\"a\"");
        uint64_t depth = v.depth;
        CHECK_INT(chain_judge(&t, &v), 0);
        CHECK(!v.stop_hook_inline && v.status == TRANSCRIPT_HEALTHY);
        CHECK_INT(v.depth, depth - 1);
        CHECK_INT(chain_mend(&t, true, &again), 0);
        CHECK_INT(plan_count(&again), 0);
    }
}

TEST(the_shape_at_the_end) {
    check(ASSISTANT PROGRESS SUMMARY, true);
    check(ASSISTANT PROGRESS SUMMARY DURATION, true);
    check("{\"uuid\":\"r\"}\n" ASSISTANT PROGRESS SUMMARY, true);
    check(SUMMARY "{\"no\":1}\n" PROGRESS ASSISTANT DURATION, true); /* by links, not by lines */
}

TEST(in_other_spellings) {
    check(ASSISTANT PROGRESS_WITH("\"toolUseID\":\"\\u0074\"," DATA) SUMMARY, true);
    check(
        ASSISTANT PROGRESS SUMMARY_WITH("\"subty\\u0070e\":\"stop\\u005fhook_summary\",\"toolUseID\":\"t\""),
        true);
    check(ASSISTANT PROGRESS_WITH("\"toolUseID\":1.0," DATA)
              SUMMARY_WITH("\"subtype\":\"stop_hook_summary\",\"toolUseID\":1"),
          true);
    check(ASSISTANT PROGRESS_WITH("\"toolUseID\":true," DATA)
              SUMMARY_WITH("\"subtype\":\"stop_hook_summary\",\"toolUseID\":true"),
          true);
    check(ASSISTANT PROGRESS_WITH(
              "\"toolUseID\" : \"t\" , \"data\" : { \"x\" : [ { } ] , \"hookEvent\" : \"Stop\" , "
              "\"type\" : \"hook_progress\" }") SUMMARY,
          true);
    check(ASSISTANT PROGRESS_WITH("\"toolUseID\":\"t\",\"data\":{\"type\":1,\"hookEvent\":\"Start\","
                                  "\"t\\u0079pe\":\"hook_progress\",\"hookEvent\":\"Stop\"}") SUMMARY,
          true);
    check(ASSISTANT PROGRESS_WITH("\"data\":7,\"toolUseID\":\"t\"," DATA) SUMMARY, true);
}

TEST(another_leaf) {
    check(ASSISTANT PROGRESS, false);
    check(ASSISTANT PROGRESS SUMMARY "{\"uuid\":\"u\",\"parentUuid\":\"s\",\"type\":\"user\"}\n", false);
    check(ASSISTANT PROGRESS SUMMARY "{\"uuid\":\"u\",\"parentUuid\":\"a\",\"type\":\"user\"}\n", false);
    check(ASSISTANT PROGRESS SUMMARY DURATION
          "{\"uuid\":\"e\",\"parentUuid\":\"d\",\"type\":\"system\",\"subtype\":\"turn_duration\"}\n",
          false); /* one of them is stepped over */
    check(ASSISTANT PROGRESS SUMMARY
          "{\"uuid\":\"d\",\"parentUuid\":null,\"type\":\"system\",\"subtype\":\"turn_duration\"}\n",
          false);
    check(ASSISTANT PROGRESS SUMMARY
          "{\"uuid\":\"d\",\"parentUuid\":\"s\",\"type\":\"user\",\"subtype\":\"turn_duration\"}\n",
          false);
}

TEST(another_summary) {
    check(ASSISTANT PROGRESS SUMMARY_WITH("\"subtype\":\"other\",\"toolUseID\":\"t\""), false);
    check(ASSISTANT PROGRESS SUMMARY_WITH("\"toolUseID\":\"t\""), false);
    check(ASSISTANT PROGRESS SUMMARY_WITH("\"subtype\":[\"stop_hook_summary\"],\"toolUseID\":\"t\""), false);
    check(ASSISTANT PROGRESS SUMMARY_WITH(
              "\"subtype\":\"stop_hook_summary\",\"toolUseID\":\"t\",\"type\":\"user\""),
          false);
    check(ASSISTANT PROGRESS SUMMARY_WITH(
              "\"subtype\":\"stop_hook_summary\",\"toolUseID\":\"t\",\"parentUuid\":null"),
          false);
    check(ASSISTANT PROGRESS SUMMARY_WITH(
              "\"subtype\":\"stop_hook_summary\",\"toolUseID\":\"t\",\"parentUuid\":\"a\""),
          false);
}

TEST(two_of_a_kind) {
    check(ASSISTANT PROGRESS
          "{\"uuid\":\"s\",\"parentUuid\":\"p\",\"type\":\"progress\",\"toolUseID\":\"t\"," DATA "}\n",
          false);
    check(ASSISTANT "{\"uuid\":\"p\",\"parentUuid\":\"a\",\"type\":\"system\",\"toolUseID\":\"t\","
                    "\"subtype\":\"stop_hook_summary\"}\n" SUMMARY,
          false);
}

TEST(another_tool_use) {
    check(ASSISTANT PROGRESS SUMMARY_WITH("\"subtype\":\"stop_hook_summary\",\"toolUseID\":\"T\""), false);
    check(ASSISTANT PROGRESS SUMMARY_WITH("\"subtype\":\"stop_hook_summary\""), false);
    check(ASSISTANT PROGRESS_WITH(DATA) SUMMARY, false);
    static const char *const falsy[] = {"null", "\"\"", "0", "false", "{}"}; /* and what equals nothing */
    for (size_t i = 0; i < ARRAY_LEN(falsy); i++) {
        char text[1024];
        (void)snprintf(text, sizeof text,
                       ASSISTANT PROGRESS_WITH("\"toolUseID\":%s," DATA)
                           SUMMARY_WITH("\"subtype\":\"stop_hook_summary\",\"toolUseID\":%s"),
                       falsy[i], falsy[i]);
        check(text, false);
    }
}

TEST(another_progress) {
    static const char *const data[] = {"null",
                                       "\"hook_progress\"",
                                       "[{\"type\":\"hook_progress\",\"hookEvent\":\"Stop\"}]",
                                       "{\"type\":\"hook_progress\"}",
                                       "{\"hookEvent\":\"Stop\"}",
                                       "{\"type\":\"hook_progress\",\"hookEvent\":\"SubagentStop\"}",
                                       "{\"type\":\"hook_progress\",\"hookEvent\":\"stop\"}",
                                       "{\"type\":\"bash_progress\",\"hookEvent\":\"Stop\"}",
                                       "{\"x\":{\"type\":\"hook_progress\",\"hookEvent\":\"Stop\"}}",
                                       "{\"type\":\"hook_progress\",\"hookEvent\":\"Stop\",\"type\":0}"};
    for (size_t i = 0; i < ARRAY_LEN(data); i++) {
        char text[1024];
        (void)snprintf(text, sizeof text, ASSISTANT PROGRESS_WITH("\"toolUseID\":\"t\",\"data\":%s") SUMMARY,
                       data[i]);
        check(text, false);
    }
    check(ASSISTANT PROGRESS_WITH("\"toolUseID\":\"t\"") SUMMARY, false);
    check(ASSISTANT PROGRESS_WITH("\"toolUseID\":\"t\",\"type\":\"user\"," DATA) SUMMARY, false);
    check(ASSISTANT PROGRESS_WITH("\"toolUseID\":\"t\",\"parentUuid\":null," DATA) SUMMARY, false);
}

TEST(another_one_before_it) {
    check("{\"uuid\":\"a\",\"type\":\"user\"}\n" PROGRESS SUMMARY, false);
    check("{\"uuid\":\"a\",\"type\":\"user\",\"message\":{\"type\":\"assistant\"}}\n" PROGRESS SUMMARY,
          false);
    check("{\"uuid\":\"a\"}\n" PROGRESS SUMMARY, false);
    check(ASSISTANT "{\"uuid\":\"a\",\"type\":\"user\"}\n" PROGRESS SUMMARY, false); /* the last counts */
    check("{\"uuid\":\"a\",\"type\":\"user\"}\n" ASSISTANT PROGRESS SUMMARY, true);
}

/* The edits as "message>id". */
static void check_plan(const char *text, const char *edits, uint64_t orphans, uint64_t stop_hooks) {
    AUTO(transcript) struct transcript t;
    AUTO(plan) struct plan plan = PLAN_INIT;
    AUTO(plan) struct plan again = PLAN_INIT;
    AUTO(buf) struct buf said = BUF_INIT(256);
    read_text(&t, span_str(text), SCAN_CHUNK);
    CHECK_INT(chain_mend(&t, true, &plan), 0);
    for (size_t i = 0; i < plan_count(&plan); i++) {
        (void)buf_printf(&said, "%s%u>", i ? " " : "", plan_at(&plan, i)->message);
        (void)ids_write(&t.ids, plan_at(&plan, i)->parent, &said);
    }
    CHECK_SPAN(buf_span(&said), edits);
    CHECK_INT(plan.orphans, orphans);
    CHECK_INT(plan.stop_hooks, stop_hooks);
    CHECK_INT(chain_mend(&t, true, &again), 0);
    CHECK_INT(plan_count(&again), 0);
}

TEST(looked_for_once_the_links_are_mended) {
    check_plan(ASSISTANT PROGRESS_WITH("\"toolUseID\":\"t\",\"parentUuid\":\"gone\"," DATA) SUMMARY,
               "1>\"a\" 2>\"a\"", 1, 1);
    /* A summary that was an orphan itself never follows a progress. */
    check_plan(ASSISTANT PROGRESS SUMMARY_WITH(
                   "\"subtype\":\"stop_hook_summary\",\"toolUseID\":\"t\",\"parentUuid\":\"gone\""),
               "2>\"a\"", 1, 0);
    check_plan("{\"uuid\":\"a\",\"type\":\"assistant\",\"parentUuid\":\"gone\"}\n" PROGRESS SUMMARY DURATION,
               "0>null 2>\"a\"", 1, 1);
}

TEST(an_assistant_without_a_name_cannot_be_followed) {
    AUTO(transcript) struct transcript t;
    struct scan_verdict v;
    read_text(&t, SPAN("{\"uuid\":{},\"type\":\"assistant\"}\n" PROGRESS SUMMARY), SCAN_CHUNK);
    CHECK_INT(chain_judge(&t, &v), 0);
    CHECK(!v.stop_hook_inline);
    CHECK_INT(v.orphans, 1);
}

TESTS(RUN(the_shape_at_the_end), RUN(in_other_spellings), RUN(another_leaf), RUN(another_summary),
      RUN(two_of_a_kind), RUN(another_tool_use), RUN(another_progress), RUN(another_one_before_it),
      RUN(looked_for_once_the_links_are_mended), RUN(an_assistant_without_a_name_cannot_be_followed))
