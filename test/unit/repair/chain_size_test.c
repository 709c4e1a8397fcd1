/* Transcripts that somebody made up to be slow: anything worse than linear would not end here. */
#include "repair/chain.h"

#include "read_text.h"

enum { MANY = 200000, NOBODY = -1 };

struct id_text {
    char text[40];
};

/* A UUID with that number in its first digits. */
static struct id_text spell(int number) {
    struct id_text id = {"\"00000000-0000-4000-8000-000000000000\""};
    for (int i = 8; number; i--, number >>= 4)
        id.text[i] = "0123456789abcdef"[number & 0xF];
    return id;
}

/* Message `id` follows `parent`. */
static void add_number(struct transcript *t, int id, int parent) {
    struct id_text own = spell(id), other = spell(parent == NOBODY ? 0 : parent);
    struct line line = {0};
    line.raw[LINE_UUID] = span_str(own.text);
    line.raw[LINE_PARENT] = parent == NOBODY ? SPAN("\"nobody\"") : span_str(other.text);
    line.parent_len = line.raw[LINE_PARENT].n;
    CHECK_INT(transcript_add(t, &line), 0);
}

static void check_size(struct transcript *t, uint64_t orphans, uint64_t cycles, uint64_t depth) {
    AUTO(plan) struct plan plan = PLAN_INIT;
    AUTO(plan) struct plan again = PLAN_INIT;
    struct scan_verdict v;
    CHECK_INT(chain_judge(t, &v), 0);
    CHECK_INT(v.orphans, orphans);
    CHECK_INT(v.cycles, cycles);
    CHECK_INT(chain_mend(t, true, &plan), 0);
    CHECK_INT(plan_count(&plan), orphans + cycles);
    CHECK_INT(chain_judge(t, &v), 0);
    CHECK_INT(v.status, TRANSCRIPT_HEALTHY);
    CHECK_INT(v.depth, depth);
    CHECK_INT(chain_mend(t, true, &again), 0);
    CHECK_INT(plan_count(&again), 0);
}

TEST(all_are_orphans) {
    AUTO(transcript) struct transcript t;
    transcript_init(&t, 1);
    for (int i = 0; i < MANY; i++)
        add_number(&t, i, NOBODY);
    check_size(&t, MANY, 0, MANY);
}

TEST(all_have_the_same_id) {
    AUTO(transcript) struct transcript t;
    transcript_init(&t, 1);
    for (int i = 0; i < MANY; i++)
        add_number(&t, 1, NOBODY);
    check_size(&t, MANY, 0, 1);
    AUTO(transcript) struct transcript own;
    transcript_init(&own, 1);
    for (int i = 0; i < MANY; i++)
        add_number(&own, 1, 1);
    check_size(&own, 0, 1, 1);
}

TEST(all_lead_to_an_orphan_at_the_end) {
    AUTO(transcript) struct transcript t;
    transcript_init(&t, 1);
    for (int i = 0; i < MANY; i++)
        add_number(&t, i, i + 1 < MANY ? i + 1 : NOBODY);
    check_size(&t, 1, 0, 1);
    /* The first half leads to the last of the orphans that the second half is. */
    AUTO(transcript) struct transcript fan;
    transcript_init(&fan, 1);
    for (int i = 0; i < MANY; i++)
        add_number(&fan, i, i < MANY / 2 ? MANY - 1 : NOBODY);
    check_size(&fan, MANY / 2, 0, 1);
}

/*
 * Each orphan finds all between it and one earlier message in its own tree, and that message in the tree of the next orphan:
 * without a memory of what was passed over, each would pass over all that the ones before it did.
 */
TEST(each_orphan_passes_over_all_before_it) {
    enum { STEPS = MANY / 2 };
    AUTO(transcript) struct transcript t;
    transcript_init(&t, 1);
    for (int i = STEPS; i-- > 0;)
        add_number(&t, i, i + 1 < STEPS ? STEPS + i + 1 : STEPS + i);
    for (int i = 0; i < STEPS; i++)
        add_number(&t, STEPS + i, NOBODY);
    struct scan_verdict v;
    CHECK_INT(chain_judge(&t, &v), 0);
    CHECK_INT(v.depth, 1);
    check_size(&t, STEPS, 0, 1);
}

TEST(one_cycle_of_all) {
    AUTO(transcript) struct transcript t;
    transcript_init(&t, 1);
    for (int i = 0; i < MANY; i++)
        add_number(&t, i, (i + 1) % MANY);
    struct scan_verdict v;
    CHECK_INT(chain_judge(&t, &v), 0);
    CHECK_INT(v.depth, MANY);
    check_size(&t, 0, 1, 2);
}

TEST(many_cycles) {
    AUTO(transcript) struct transcript t;
    transcript_init(&t, 1);
    for (int i = 0; i < MANY; i++)
        add_number(&t, i, i ^ 1);
    check_size(&t, 0, MANY / 2, MANY);
    AUTO(transcript) struct transcript own;
    transcript_init(&own, 1);
    for (int i = 0; i < MANY; i++)
        add_number(&own, i, i);
    check_size(&own, 0, MANY, MANY);
    /* Across the whole file. */
    AUTO(transcript) struct transcript far;
    transcript_init(&far, 1);
    for (int i = 0; i < MANY; i++)
        add_number(&far, i, MANY - 1 - i);
    check_size(&far, 0, MANY / 2, 2);
}

TESTS(RUN(all_are_orphans), RUN(all_have_the_same_id), RUN(all_lead_to_an_orphan_at_the_end),
      RUN(each_orphan_passes_over_all_before_it), RUN(one_cycle_of_all), RUN(many_cycles))
