/* The chain against the rule as it is written down, word by word and slowly: all small transcripts, and many larger ones. */
#include "repair/chain.h"

#include "read_text.h"

/* `kind`: 0 an ordinary message, 1 one of a subagent, 2 one that is not read */
static void add(struct transcript *t, const char *id, const char *parent, uint32_t kind) {
    struct line line = {.parent_len = strlen(parent), .is_side = kind == 1};
    if (kind == 2) line.raw[LINE_TYPE] = SPAN("\"progress\"");
    line.raw[LINE_UUID] = span_str(id);
    line.raw[LINE_PARENT] = span_str(parent);
    CHECK_INT(transcript_add(t, &line), 0);
}

/* The rule */

enum { RULE_MAX = 16 };

struct rule {
    uint32_t n;
    uint32_t id[RULE_MAX], parent[RULE_MAX];
    bool can_refer[RULE_MAX], is_side[RULE_MAX], is_left_out[RULE_MAX];
    bool broken[RULE_MAX];
    uint64_t orphans, cycles;
};

static uint32_t rule_index(const struct rule *r, uint32_t id) {
    for (uint32_t i = r->n; i-- > 0;)
        if (r->id[i] == id) return i;
    return MESSAGE_NONE;
}

static uint32_t rule_link(const struct rule *r, uint32_t i) {
    return r->parent[i] == ID_FALSY ? MESSAGE_NONE : rule_index(r, r->parent[i]);
}

static bool rule_leads_to(const struct rule *r, uint32_t from, uint32_t to) {
    for (uint32_t steps = 0; from != MESSAGE_NONE && steps <= r->n; steps++, from = rule_link(r, from))
        if (from == to) return true;
    return false;
}

static void rule_read(struct rule *r, const struct transcript *t) {
    *r = (struct rule){.n = transcript_count(t)};
    for (uint32_t i = 0; i < r->n; i++) {
        r->id[i] = transcript_at(t, i)->id;
        r->parent[i] = transcript_at(t, i)->parent;
        r->can_refer[i] = ids_can_refer(&t->ids, r->id[i]);
        r->is_side[i] = transcript_at(t, i)->is_side;
        r->is_left_out[i] = transcript_at(t, i)->is_left_out;
    }
    for (uint32_t i = 0; i < r->n; i++) {
        bool orphan = r->parent[i] != ID_FALSY && rule_link(r, i) == MESSAGE_NONE;
        /* On a cycle, and no earlier message of it is there. */
        uint32_t next = rule_link(r, i);
        bool closes = next != MESSAGE_NONE && rule_leads_to(r, next, i);
        for (uint32_t k = 0; k < i && closes; k++)
            closes = !(rule_leads_to(r, i, k) && rule_leads_to(r, k, i));
        r->orphans += orphan;
        r->cycles += closes;
        r->broken[i] = orphan || closes;
    }
}

static uint64_t rule_depth(const struct rule *r) {
    bool counted[RULE_MAX] = {false};
    uint64_t depth = 0;
    for (uint32_t i = r->n ? r->n - 1 : MESSAGE_NONE; i != MESSAGE_NONE && !counted[i]; i = rule_link(r, i)) {
        counted[i] = true;
        depth++;
    }
    return depth;
}

static void rule_mend(struct rule *r) {
    for (uint32_t i = 0; i < r->n; i++)
        if (r->broken[i]) r->parent[i] = ID_FALSY;
    for (uint32_t b = 0; b < r->n; b++) {
        if (!r->broken[b]) continue;
        for (uint32_t j = b; j-- > 0 && r->parent[b] == ID_FALSY;)
            if (r->can_refer[j] && r->id[j] != r->id[b] && r->is_side[j] == r->is_side[b] &&
                (r->is_left_out[b] || !r->is_left_out[rule_index(r, r->id[j])]) &&
                !rule_leads_to(r, rule_index(r, r->id[j]), b))
                r->parent[b] = r->id[j];
    }
}

static void check_against_rule(struct transcript *t) {
    struct rule r;
    struct scan_verdict v;
    AUTO(plan) struct plan plan = PLAN_INIT;
    AUTO(plan) struct plan again = PLAN_INIT;
    rule_read(&r, t);
    CHECK_INT(chain_judge(t, &v), 0);
    CHECK_INT(v.depth, rule_depth(&r));
    CHECK_INT(v.orphans, r.orphans);
    CHECK_INT(v.cycles, r.cycles);
    rule_mend(&r);
    CHECK_INT(chain_mend(t, false, &plan), 0);
    size_t edits = 0;
    for (uint32_t i = 0; i < r.n; i++) {
        CHECK_INT(transcript_at(t, i)->parent, r.parent[i]);
        if (!r.broken[i]) continue;
        CHECK(edits < plan_count(&plan));
        CHECK_INT(plan_at(&plan, edits)->message, i);
        CHECK_INT(plan_at(&plan, edits++)->parent, r.parent[i]);
    }
    CHECK_INT(plan_count(&plan), edits);
    CHECK_INT(chain_judge(t, &v), 0);
    CHECK_INT(v.status, TRANSCRIPT_HEALTHY);
    CHECK_INT(v.depth, rule_depth(&r));
    CHECK_INT(chain_mend(t, true, &again), 0);
    CHECK_INT(plan_count(&again), 0);
}

static const char *const ids[] = {"\"a\"", "\"b\"", "{}", "\"c\"", "4", "true", "\"g\"", "\"h\""};
static const char *const parents[] = {"null", "\"a\"", "\"b\"", "\"x\"", "\"c\"",
                                      "4",    "true",  "\"g\"", "\"h\""};

/* All transcripts of `n` messages from the first ids and parents. */
static void check_all(uint32_t n, uint32_t id_n, uint32_t parent_n) {
    uint32_t kinds = id_n * parent_n, all = 1;
    for (uint32_t i = 0; i < n; i++)
        all *= kinds;
    for (uint32_t number = 0; number < all; number++) {
        AUTO(transcript) struct transcript t;
        transcript_init(&t, 1);
        for (uint32_t i = 0, rest = number; i < n; i++, rest /= kinds)
            add(&t, ids[rest % kinds / parent_n], parents[rest % kinds % parent_n], 0);
        check_against_rule(&t);
    }
}

TEST(all_small_transcripts) {
    check_all(1, 4, 5);
    check_all(2, 4, 5);
    check_all(3, 4, 5);
    check_all(4, 3, 4);
}

TEST(many_larger_transcripts) {
    uint64_t random = 7;
    for (int round = 0; round < 20000; round++) {
        AUTO(transcript) struct transcript t;
        transcript_init(&t, 1);
        uint32_t n = 5 + round % (RULE_MAX - 4), id_n = 3 + round % 6;
        for (uint32_t i = 0; i < n; i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            uint32_t kind = round % 2 ? (uint32_t)(random >> 40) % 8 : 0;
            add(&t, ids[(random >> 33) % id_n], parents[(random >> 48) % (id_n + 1)], kind);
        }
        check_against_rule(&t);
    }
}

TESTS(RUN(all_small_transcripts), RUN(many_larger_transcripts))
