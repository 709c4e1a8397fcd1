#include "core/history.h"
#include "test.h"

#include <stdio.h>

/* The n-th of a series that has all lengths, times that go back and forth, and every seventh failed. */
struct sample {
    uint64_t pos;
    int64_t at_ms;
    char what[32], detail[600];
    bool failed;
};

static struct sample make_sample(size_t n) {
    struct sample s = {.pos = n * n * 1500 + n, .at_ms = 1794770780025 + (int64_t)(n % 5) * 700 - (int64_t)n};
    if (n % 3) /* the others are usual names */
        (void)snprintf(s.what, sizeof s.what, "tool %zu", n);
    else
        (void)snprintf(s.what, sizeof s.what, "%s", n % 2 ? "Bash" : "Stop");
    memset(s.detail, 'a' + (int)(n % 26), n * 37 % (sizeof s.detail - 1));
    s.failed = n % 7 == 3;
    return s;
}

static struct entry *push_sample(struct history *h, size_t n) {
    struct sample s = make_sample(n);
    struct entry *e = history_push(h, s.pos, s.at_ms, span_str(s.what), span_str(s.detail));
    if (s.failed) entry_set_error(e, span_str(s.what));
    return e;
}

static void check_sample(const struct entry *e, size_t n) {
    struct sample s = make_sample(n);
    CHECK_INT(e->pos, s.pos);
    CHECK_INT(e->at_ms, s.at_ms);
    CHECK(span_eq_str(entry_what(e), s.what));
    CHECK(span_eq_str(entry_detail(e), s.detail));
    CHECK_INT(e->failed, s.failed);
    if (s.failed)
        CHECK_STR(e->error, s.what);
    else
        CHECK(e->error == NULL);
}

TEST(an_empty_history_has_no_newest_entry) {
    struct history h;
    history_init(&h, HISTORY_PROMPT);
    struct history_cursor all = history_begin(&h);
    CHECK(history_newest(&h) == NULL);
    CHECK(history_next(&all) == NULL);
    history_fini(&h);
}

TEST(entries_come_back_as_they_were_and_in_order_however_many_there_are) {
    struct history h;
    history_init(&h, HISTORY_TOOL);
    for (size_t n = 0; n < 5 * HISTORY_TOOLS_MAX; n++) {
        check_sample(push_sample(&h, n), n);
        check_sample(history_newest(&h), n);
        size_t first = n < HISTORY_TOOLS_MAX ? 0 : n + 1 - HISTORY_TOOLS_MAX;
        CHECK_INT(h.count, n + 1 - first);
        struct history_cursor all = history_begin(&h);
        for (size_t i = first; i <= n; i++)
            check_sample(history_next(&all), i);
        CHECK(history_next(&all) == NULL);
        if (n % 11 < 5 || n > 3 * HISTORY_TOOLS_MAX) history_pack(&h, UINT64_MAX); /* often, seldom, always */
    }
    history_fini(&h);
}

TEST(entries_stay_where_they_are_until_they_are_packed) {
    struct history h;
    history_init(&h, HISTORY_EVENT);
    enum { AT_ONCE = 10 };
    for (size_t n = 0; n < 20 * AT_ONCE; n += AT_ONCE) {
        struct entry *e[AT_ONCE];
        for (size_t i = 0; i < AT_ONCE; i++)
            e[i] = push_sample(&h, n + i);
        for (size_t i = 0; i < AT_ONCE; i++)
            check_sample(e[i], n + i);
        history_pack(&h, UINT64_MAX);
        CHECK(history_newest(&h) == e[AT_ONCE - 1]);
        check_sample(e[AT_ONCE - 1], n + AT_ONCE - 1);
    }
    history_fini(&h);
}

TEST(what_may_change_is_not_packed_and_is_found) {
    struct history h;
    history_init(&h, HISTORY_TOOL);
    for (uint64_t pos = 1; pos <= 10; pos++)
        (void)history_push(&h, pos, 3, SPAN("Read"), SPAN_NONE);
    history_pack(&h, 4);
    CHECK(history_find(&h, 3) == NULL);
    CHECK(history_find(&h, 11) == NULL);
    struct entry *e = history_find(&h, 4);
    CHECK(e && e->pos == 4);
    entry_set_error(e, SPAN("late"));
    history_pack(&h, UINT64_MAX);
    CHECK(history_find(&h, 4) == NULL);
    CHECK(history_find(&h, 10) == history_newest(&h));
    struct history_cursor all = history_begin(&h);
    for (uint64_t pos = 1; pos <= 10; pos++)
        CHECK(history_next(&all)->failed == (pos == 4));
    history_fini(&h);
}

TEST(without_packing_the_oldest_goes_all_the_same) {
    struct history h;
    history_init(&h, HISTORY_EVENT);
    for (size_t n = 0; n < HISTORY_EVENTS_MAX + 7; n++)
        (void)push_sample(&h, n);
    struct history_cursor all = history_begin(&h);
    check_sample(history_next(&all), 7);
    CHECK_INT(h.count, HISTORY_EVENTS_MAX);
    history_fini(&h);
}

TEST(an_error_may_be_empty_may_change_and_is_kept) {
    struct history h;
    history_init(&h, HISTORY_TOOL);
    entry_set_error(history_push(&h, 1, 1, SPAN("Bash"), SPAN("make")), SPAN_NONE);
    struct entry *e = history_push(&h, 2, 2, SPAN("Bash"), SPAN("make"));
    entry_set_error(e, SPAN("first"));
    entry_set_error(e, SPAN("exit 2"));
    for (uint64_t pos = 3; pos < 10; pos++)
        (void)history_push(&h, pos, 3, SPAN("Read"), SPAN_NONE);
    history_pack(&h, UINT64_MAX);
    struct history_cursor all = history_begin(&h);
    const struct entry *old = history_next(&all);
    CHECK(old->failed);
    CHECK(!old->error || !old->error[0]);
    CHECK_STR(history_next(&all)->error, "exit 2");
    CHECK(!history_next(&all)->failed);
    history_fini(&h);
}

TEST(numbers_of_any_size_and_bytes_of_any_value) {
    struct history h;
    history_init(&h, HISTORY_PROMPT);
    static const uint64_t positions[] = {0, UINT64_MAX, 1, (uint64_t)1 << 63, 127, 128};
    static const int64_t times[] = {INT64_MIN, INT64_MAX, 0, -1, 1, INT64_MIN};
    struct span odd = span_of("a\0b\xff\xc3", 5);
    for (size_t i = 0; i < ARRAY_LEN(positions); i++)
        (void)history_push(&h, positions[i], times[i], odd, SPAN_NONE);
    history_pack(&h, UINT64_MAX);
    struct history_cursor all = history_begin(&h);
    for (size_t i = 0; i < ARRAY_LEN(positions); i++) {
        const struct entry *e = history_next(&all);
        CHECK(e->pos == positions[i]);
        CHECK(e->at_ms == times[i]);
        CHECK(span_eq(entry_what(e), odd));
    }
    history_fini(&h);
}

TEST(what_is_kept_small_takes_little_memory) {
    struct history h;
    history_init(&h, HISTORY_TOOL);
    for (uint64_t n = 0; n < 10 * HISTORY_TOOLS_MAX; n++) {
        (void)history_push(&h, n * 1500, (int64_t)n * 100, SPAN("Bash"), SPAN("ninja -C build"));
        history_pack(&h, UINT64_MAX);
    }
    size_t text = strlen("Bash") + strlen("ninja -C build");
    CHECK(h.room < HISTORY_TOOLS_MAX * (text + 10) * 9 / 8);
    history_fini(&h);
}

TESTS(RUN(an_empty_history_has_no_newest_entry),
      RUN(entries_come_back_as_they_were_and_in_order_however_many_there_are),
      RUN(entries_stay_where_they_are_until_they_are_packed), RUN(what_may_change_is_not_packed_and_is_found),
      RUN(without_packing_the_oldest_goes_all_the_same), RUN(an_error_may_be_empty_may_change_and_is_kept),
      RUN(numbers_of_any_size_and_bytes_of_any_value), RUN(what_is_kept_small_takes_little_memory))
