#include "api/looked.h"

#include "base/cleanup.h"
#include "test.h"

struct hello {
    const char *session, *name;
    enum board_urgency urgency;
};

static void cleanup_looked(struct looked_set *set) {
    looked_fini(set);
}

/* A hello that names these; returns which of them are to be looked after, as bits. */
static unsigned greet(struct looked_set *set, const struct hello *v, size_t n) {
    unsigned now = 0;
    looked_begin(set);
    for (size_t i = 0; i < n; i++)
        now |= (unsigned)looked_add(set, span_str(v[i].session), span_str(v[i].name), v[i].urgency) << i;
    looked_end(set);
    return now;
}

#define HELLO(set, ...)                              \
    __extension__({                                  \
        const struct hello hello_[] = {__VA_ARGS__}; \
        greet(set, hello_, ARRAY_LEN(hello_));       \
    })

static bool tell(struct looked_set *set, const char *session, struct transcript_news news) {
    return looked_news(set, span_str(session), &news);
}

static void check_next(struct looked_set *set, const char *expected) {
    AUTO(buf) struct buf out = BUF_INIT(4096);
    bool any = looked_next(set, &out);
    if (!expected) {
        if (any) fail_msg("unexpected %.*s", SPAN_ARG(buf_span(&out)));
        return;
    }
    CHECK(any);
    CHECK_SPAN(buf_span(&out), expected);
}

#define ACTIVITY(event, id, rest) \
    "{\"type\":\"session.repair.activity\",\"event\":\"" event "\",\"sessionId\":\"" id "\"," rest "}"
#define STATUS(id, rest) "{\"type\":\"session.status\",\"sessionId\":\"" id "\"," rest "}"

static const struct transcript_news healthy = {
    .health = TRANSCRIPT_HEALTH_HEALTHY, .depth = 7, .depth_before = 7};
static const struct transcript_news repaired = {
    .health = TRANSCRIPT_HEALTH_REPAIRED, .depth = 9, .depth_before = 2, .orphans = 3, .fixed = 4};

TEST(nobody_looks_at_it) {
    AUTO(looked) struct looked_set set;
    looked_init(&set);
    CHECK(!tell(&set, "s", healthy));
    check_next(&set, NULL);
}

TEST(scanned_then_status) {
    AUTO(looked) struct looked_set set;
    looked_init(&set);
    CHECK_INT(HELLO(&set, {"s", "card", BOARD_LOOKS_AT}), 1);
    check_next(&set, NULL);
    CHECK(tell(&set, "s", healthy));
    check_next(&set,
               ACTIVITY("scanned", "card", "\"status\":\"healthy\",\"chainDepth\":7,\"orphanCount\":0"));
    check_next(&set, STATUS("card", "\"status\":\"healthy\",\"chainDepth\":7"));
    check_next(&set, NULL);
}

TEST(what_was_found_then_what_was_done) {
    AUTO(looked) struct looked_set set;
    looked_init(&set);
    (void)HELLO(&set, {"s", "s", BOARD_SEES});
    CHECK(tell(&set, "s", repaired));
    check_next(&set, ACTIVITY("scanned", "s", "\"status\":\"corrupted\",\"chainDepth\":2,\"orphanCount\":3"));
    check_next(&set,
               ACTIVITY("repaired", "s",
                        "\"status\":\"repaired\",\"chainDepth\":9,\"orphanCount\":3,\"orphansFixed\":4"));
    check_next(&set, STATUS("s", "\"status\":\"repaired\",\"chainDepth\":9,\"orphansFixed\":4"));
    check_next(&set, NULL);
}

TEST(what_could_not_be_done) {
    AUTO(looked) struct looked_set set;
    looked_init(&set);
    (void)HELLO(&set, {"s", "s", BOARD_SEES});
    char message[] = "The disk is full.";
    CHECK(tell(&set, "s",
               (struct transcript_news){.health = TRANSCRIPT_HEALTH_UNRECOVERABLE,
                                        .depth = 2,
                                        .depth_before = 2,
                                        .orphans = 1,
                                        .message = message}));
    message[0] = '?'; /* it was copied */
    check_next(&set, ACTIVITY("scanned", "s", "\"status\":\"corrupted\",\"chainDepth\":2,\"orphanCount\":1"));
    check_next(&set, ACTIVITY("error", "s",
                              "\"status\":\"unrecoverable\",\"chainDepth\":2,\"orphanCount\":1,"
                              "\"message\":\"The disk is full.\""));
    check_next(
        &set, STATUS("s", "\"status\":\"unrecoverable\",\"chainDepth\":2,\"message\":\"The disk is full.\""));
    check_next(&set, NULL);
    CHECK(
        tell(&set, "s", (struct transcript_news){.health = TRANSCRIPT_HEALTH_UNREADABLE, .message = "No."}));
    check_next(&set,
               ACTIVITY("scanned", "s", "\"status\":\"unreadable\",\"chainDepth\":0,\"orphanCount\":0"));
    check_next(&set,
               ACTIVITY("error", "s",
                        "\"status\":\"unreadable\",\"chainDepth\":0,\"orphanCount\":0,\"message\":\"No.\""));
    check_next(&set, STATUS("s", "\"status\":\"unreadable\",\"message\":\"No.\""));
    check_next(&set, NULL);
}

TEST(missing_or_still_being_written) {
    AUTO(looked) struct looked_set set;
    looked_init(&set);
    (void)HELLO(&set, {"s", "s", BOARD_SEES});
    CHECK(
        tell(&set, "s", (struct transcript_news){.health = TRANSCRIPT_HEALTH_MISSING, .message = "Fresh."}));
    check_next(&set, ACTIVITY("scanned", "s", "\"status\":\"missing\",\"chainDepth\":0,\"orphanCount\":0"));
    check_next(&set, STATUS("s", "\"status\":\"missing\",\"message\":\"Fresh.\""));
    check_next(&set, NULL);
    CHECK(tell(&set, "s",
               (struct transcript_news){.health = TRANSCRIPT_HEALTH_CORRUPTED, .depth = 1, .orphans = 1}));
    check_next(&set, ACTIVITY("scanned", "s", "\"status\":\"corrupted\",\"chainDepth\":1,\"orphanCount\":1"));
    check_next(&set, STATUS("s", "\"status\":\"corrupted\",\"chainDepth\":1"));
    check_next(&set, NULL);
}

TEST(of_each_session_the_newest_only) {
    AUTO(looked) struct looked_set set;
    looked_init(&set);
    (void)HELLO(&set, {"a", "a", BOARD_SEES}, {"b", "b", BOARD_SEES});
    CHECK(tell(&set, "a", repaired) && tell(&set, "b", healthy) && tell(&set, "a", healthy));
    check_next(&set, ACTIVITY("scanned", "a", "\"status\":\"healthy\",\"chainDepth\":7,\"orphanCount\":0"));
    check_next(&set, STATUS("a", "\"status\":\"healthy\",\"chainDepth\":7"));
    check_next(&set, ACTIVITY("scanned", "b", "\"status\":\"healthy\",\"chainDepth\":7,\"orphanCount\":0"));
    /* In the middle of what is said of it: all of the newer, nothing more of the older. */
    CHECK(tell(&set, "b", repaired));
    check_next(&set, ACTIVITY("scanned", "b", "\"status\":\"corrupted\",\"chainDepth\":2,\"orphanCount\":3"));
    CHECK(tell(&set, "b", healthy));
    check_next(&set, ACTIVITY("scanned", "b", "\"status\":\"healthy\",\"chainDepth\":7,\"orphanCount\":0"));
    check_next(&set, STATUS("b", "\"status\":\"healthy\",\"chainDepth\":7"));
    check_next(&set, NULL);
}

TEST(a_message_that_is_no_longer_true_is_gone) {
    AUTO(looked) struct looked_set set;
    looked_init(&set);
    (void)HELLO(&set, {"s", "s", BOARD_SEES});
    CHECK(
        tell(&set, "s", (struct transcript_news){.health = TRANSCRIPT_HEALTH_MISSING, .message = "Fresh."}));
    CHECK(tell(&set, "s", healthy));
    check_next(&set, ACTIVITY("scanned", "s", "\"status\":\"healthy\",\"chainDepth\":7,\"orphanCount\":0"));
    check_next(&set, STATUS("s", "\"status\":\"healthy\",\"chainDepth\":7"));
}

TEST(a_new_hello_takes_the_place_of_the_old) {
    AUTO(looked) struct looked_set set;
    looked_init(&set);
    (void)HELLO(&set, {"a", "a", BOARD_SEES}, {"b", "b", BOARD_SEES});
    CHECK(tell(&set, "a", healthy) && tell(&set, "b", healthy));
    CHECK_INT(HELLO(&set, {"b", "b2", BOARD_SEES}, {"c", "c", BOARD_KEEPS}), 2);
    CHECK(!tell(&set, "a", healthy));
    CHECK(tell(&set, "c", repaired));
    /* What b has still to be told stays, by its new name; what a had does not. */
    check_next(&set, ACTIVITY("scanned", "b2", "\"status\":\"healthy\",\"chainDepth\":7,\"orphanCount\":0"));
    check_next(&set, STATUS("b2", "\"status\":\"healthy\",\"chainDepth\":7"));
    check_next(&set, ACTIVITY("scanned", "c", "\"status\":\"corrupted\",\"chainDepth\":2,\"orphanCount\":3"));
    CHECK_INT(greet(&set, NULL, 0), 0);
    check_next(&set, NULL);
    CHECK(!tell(&set, "b", healthy) && !tell(&set, "c", healthy));
    CHECK_INT(HELLO(&set, {"a", "a", BOARD_KEEPS}), 1);
}

TEST(more_urgent_asks_again) {
    AUTO(looked) struct looked_set set;
    looked_init(&set);
    CHECK_INT(HELLO(&set, {"s", "s", BOARD_KEEPS}), 1);
    CHECK_INT(HELLO(&set, {"s", "s", BOARD_KEEPS}), 0);
    CHECK_INT(HELLO(&set, {"s", "s", BOARD_SEES}), 1);
    CHECK_INT(HELLO(&set, {"s", "s", BOARD_LOOKS_AT}), 1);
    CHECK_INT(HELLO(&set, {"s", "s", BOARD_LOOKS_AT}), 0);
    CHECK_INT(HELLO(&set, {"s", "s", BOARD_KEEPS}), 0);
    CHECK_INT(HELLO(&set, {"s", "s", BOARD_LOOKS_AT}), 1); /* it came back to it */
}

TEST(named_twice_the_more_urgent_counts) {
    AUTO(looked) struct looked_set set;
    looked_init(&set);
    CHECK_INT(HELLO(&set, {"s", "first", BOARD_LOOKS_AT}, {"s", "second", BOARD_KEEPS}), 1);
    CHECK_INT(HELLO(&set, {"s", "first", BOARD_LOOKS_AT}), 0);
    CHECK_INT(
        HELLO(&set, {"t", "t", BOARD_KEEPS}, {"t", "t", BOARD_LOOKS_AT}, {"s", "first", BOARD_LOOKS_AT}), 3);
    CHECK_INT(HELLO(&set, {"t", "t", BOARD_LOOKS_AT}, {"s", "first", BOARD_LOOKS_AT}), 0);
    CHECK(tell(&set, "s", healthy));
    check_next(&set,
               ACTIVITY("scanned", "first", "\"status\":\"healthy\",\"chainDepth\":7,\"orphanCount\":0"));
}

TEST(as_many_as_a_hello_may_name) {
    AUTO(looked) struct looked_set set;
    looked_init(&set);
    for (int round = 0; round < 3; round++) {
        looked_begin(&set);
        for (int i = 0; i < BOARD_LOOKED_MAX; i++) {
            char id[32];
            (void)snprintf(id, sizeof id, "%d", round * 1000 + i);
            CHECK_INT(looked_add(&set, span_str(id), span_str(id), BOARD_KEEPS),
                      round == 0 || i >= BOARD_LOOKED_MAX - 1000);
            CHECK(tell(&set, id, healthy));
        }
        looked_end(&set);
        CHECK_INT(set.by_session.count, BOARD_LOOKED_MAX);
    }
    AUTO(buf) struct buf out = BUF_INIT(4096);
    size_t said = 0;
    for (; looked_next(&set, &out); said++)
        buf_clear(&out);
    CHECK_INT(said, 2 * BOARD_LOOKED_MAX);
}

TESTS(RUN(nobody_looks_at_it), RUN(scanned_then_status), RUN(what_was_found_then_what_was_done),
      RUN(what_could_not_be_done), RUN(missing_or_still_being_written), RUN(of_each_session_the_newest_only),
      RUN(a_message_that_is_no_longer_true_is_gone), RUN(a_new_hello_takes_the_place_of_the_old),
      RUN(more_urgent_asks_again), RUN(named_twice_the_more_urgent_counts), RUN(as_many_as_a_hello_may_name))
