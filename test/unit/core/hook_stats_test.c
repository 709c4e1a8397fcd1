#include "core/hook_stats.h"

#include "base/cleanup.h"
#include "test.h"

static void check_text(const struct hook_stats *hs, int64_t now_ms, const char *expected) {
    AUTO(buf) struct buf text = BUF_INIT(1 << 20);
    struct jwrite w = JWRITE_INIT(&text);
    hook_stats_write(hs, &w, now_ms);
    CHECK_STR(text.p, expected);
}

TEST(nothing_yet) {
    struct hook_stats hs;
    hook_stats_init(&hs);
    check_text(
        &hs, 5,
        "{\"totalHooks\":0,\"hooksPerMin\":0,\"refused\":0,\"unknown\":{},\"events\":{},\"sampledAt\":5}");
    hook_stats_fini(&hs);
}

TEST(counts_and_measures) {
    struct hook_stats hs;
    hook_stats_init(&hs);
    for (int i = 1; i <= 20; i++)
        hook_stats_note(&hs, SPAN("Stop"), i, 0.25, 100000);
    hook_stats_note_refused(&hs, SPAN_NONE);
    hook_stats_note_refused(&hs, SPAN("Nope"));
    hook_stats_note_refused(&hs, SPAN("Nope"));
    check_text(
        &hs, 100500,
        "{\"totalHooks\":20,\"hooksPerMin\":20,\"refused\":3,\"unknown\":{\"Nope\":2},\"events\":{\"Stop\":{\"count\":20,\"rate\":20,"
        "\"latency\":{\"avg\":10.5,\"min\":1,\"max\":20,\"p95\":19},"
        "\"processing\":{\"avg\":0.25,\"min\":0.25,\"max\":0.25,\"p95\":0.25}}},\"sampledAt\":100500}");
    hook_stats_reset(&hs);
    check_text(
        &hs, 1,
        "{\"totalHooks\":0,\"hooksPerMin\":0,\"refused\":0,\"unknown\":{},\"events\":{},\"sampledAt\":1}");
    hook_stats_fini(&hs);
}

TEST(rates_forget_after_a_minute_and_samples_after_200) {
    struct hook_stats hs;
    hook_stats_init(&hs);
    hook_stats_note(&hs, SPAN("Stop"), 9000, 9000, 1000);
    for (int i = 0; i < 200; i++)
        hook_stats_note(&hs, SPAN("Stop"), -5, 1, 30000);
    check_text(
        &hs, 60999,
        "{\"totalHooks\":201,\"hooksPerMin\":201,\"refused\":0,\"unknown\":{},\"events\":{\"Stop\":{\"count\":201,\"rate\":201,"
        "\"latency\":{\"avg\":0,\"min\":0,\"max\":0,\"p95\":0},"
        "\"processing\":{\"avg\":1,\"min\":1,\"max\":1,\"p95\":1}}},\"sampledAt\":60999}");
    AUTO(buf) struct buf text = BUF_INIT(1 << 20);
    struct jwrite w = JWRITE_INIT(&text);
    hook_stats_write(&hs, &w, 61000);
    CHECK(strstr(text.p, "\"hooksPerMin\":200"));
    buf_clear(&text);
    w = JWRITE_INIT(&text);
    hook_stats_write(&hs, &w, 90000);
    CHECK(strstr(text.p, "\"totalHooks\":201,\"hooksPerMin\":0"));
    hook_stats_fini(&hs);
}

TEST(unknown_names_without_end_are_not_kept) {
    struct hook_stats hs;
    hook_stats_init(&hs);
    for (int i = 0; i < 1000; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "E%d", i);
        hook_stats_note_refused(&hs, span_str(name));
    }
    hook_stats_note_refused(&hs, SPAN("E0"));
    CHECK_INT(hs.refused, 1001);
    CHECK_INT(hs.unknown.count, HOOK_STATS_UNKNOWN);
    CHECK_INT(*(uint64_t *)map_get(&hs.unknown, SPAN("E0")), 2);
    hook_stats_fini(&hs);
}

TESTS(RUN(nothing_yet), RUN(counts_and_measures), RUN(unknown_names_without_end_are_not_kept),
      RUN(rates_forget_after_a_minute_and_samples_after_200))
