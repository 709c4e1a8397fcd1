/* The chain by hand: what is wrong with small transcripts, and what becomes of them. */
#include "repair/chain.h"

#include "read_text.h"

/* The lines of a transcript from "id parent, id parent, …": "-" is null, "." leaves the parent out, and what is no
 * word stands for itself. */
static void append_value(struct buf *out, struct span word) {
    if (span_eq_str(word, "-"))
        (void)buf_append_span(out, SPAN("null"));
    else if (strchr("{[0123456789\"", word.p[0]) || span_eq_str(word, "true"))
        (void)buf_append_span(out, word);
    else
        (void)buf_printf(out, "\"%.*s\"", SPAN_ARG(word));
}

static void make(struct transcript *t, const char *chain) {
    AUTO(buf) struct buf text = BUF_INIT(1 << 20);
    for (struct span rest = span_str(chain); rest.n;) {
        struct span parent = span_trim(span_split(&rest, ',')), id = span_split(&parent, ' ');
        (void)buf_append_span(&text, SPAN("{\"uuid\":"));
        append_value(&text, id);
        if (!span_eq_str(parent, ".")) {
            (void)buf_append_span(&text, SPAN(",\"parentUuid\":"));
            append_value(&text, parent);
        }
        (void)buf_append_span(&text, SPAN("}\n"));
    }
    read_text(t, buf_span(&text), SCAN_CHUNK);
}

static void check_judged(const char *chain, uint64_t depth, uint64_t orphans, uint64_t cycles) {
    AUTO(transcript) struct transcript t;
    make(&t, chain);
    struct scan_verdict v;
    CHECK_INT(chain_judge(&t, &v), 0);
    if (v.depth != depth || v.orphans != orphans || v.cycles != cycles)
        fail_msg("%s: depth %d, %d orphans, %d cycles", chain, (int)v.depth, (int)v.orphans, (int)v.cycles);
    CHECK_INT(v.status, orphans || cycles ? TRANSCRIPT_CORRUPTED : TRANSCRIPT_HEALTHY);
    CHECK_INT(v.messages, transcript_count(&t));
}

/* The edits as "id>parent id>parent"; afterwards all is well and stays as it is. */
static void check_mended(const char *chain, const char *edits, uint64_t depth) {
    AUTO(transcript) struct transcript t;
    AUTO(plan) struct plan plan = PLAN_INIT;
    AUTO(plan) struct plan again = PLAN_INIT;
    AUTO(buf) struct buf said = BUF_INIT(4096);
    struct scan_verdict before, after;
    make(&t, chain);
    CHECK_INT(chain_judge(&t, &before), 0);
    CHECK_INT(chain_mend(&t, false, &plan), 0);
    for (size_t i = 0; i < plan_count(&plan); i++) {
        const struct edit *e = plan_at(&plan, i);
        if (i) (void)buf_append_char(&said, ' ');
        const struct message *m = transcript_at(&t, e->message);
        if (ids_can_refer(&t.ids, m->id))
            (void)ids_write(&t.ids, m->id, &said);
        else
            (void)buf_append_span(&said, SPAN("{}"));
        (void)buf_append_char(&said, '>');
        (void)ids_write(&t.ids, e->parent, &said);
        CHECK_INT(m->parent, e->parent);
    }
    /* Without the quotes of names. */
    char plain[4096];
    size_t n = 0;
    for (size_t i = 0; i < said.n; i++)
        if (said.p[i] != '"') plain[n++] = said.p[i];
    if (!span_eq_str(span_of(plain, n), edits)) fail_msg("%s: %.*s, not %s", chain, (int)n, plain, edits);
    CHECK_INT(plan.orphans, before.orphans);
    CHECK_INT(plan.cycles, before.cycles);
    CHECK_INT(plan.stop_hooks, 0);
    CHECK_INT(chain_judge(&t, &after), 0);
    CHECK_INT(after.status, TRANSCRIPT_HEALTHY);
    CHECK_INT(after.depth, depth);
    CHECK_INT(chain_mend(&t, true, &again), 0);
    CHECK_INT(plan_count(&again), 0);
}

TEST(depth) {
    check_judged("", 0, 0, 0);
    check_judged("a -", 1, 0, 0);
    check_judged("a .", 1, 0, 0);
    check_judged("a -,b a,c b", 3, 0, 0);
    check_judged("a -,b a,c b,d a", 2, 0, 0); /* from the last one in the file */
    check_judged("c b,b a,a -", 1, 0, 0);
    check_judged("a -,c b,b a,d c", 4, 0, 0); /* parents may come later */
    check_judged("a -,b a,x -", 1, 0, 0);
}

TEST(roots_have_falsy_parents) {
    check_judged("a \"\",b 0,c \"\\u0000\"", 1, 1, 0);
    check_judged("a 0.0e5,b a", 2, 0, 0);
}

TEST(orphans) {
    check_judged("a x", 1, 1, 0);
    check_judged("a -,b x,c b", 2, 1, 0);
    check_judged("a x,b y,c z", 1, 3, 0);
    check_judged("a -,b x,c a", 2, 1, 0);
    check_judged("a -,b {}", 1, 1, 0); /* an object is nobody */
    check_judged("{} -,b {}", 1, 1, 0);
    check_judged("1 -,b \"1\"", 1, 1, 0);
    check_judged("1 -,b 1.0", 2, 0, 0);
    check_judged("true -,b true", 2, 0, 0);
    check_judged("{} x,a -", 1, 1, 0); /* but it may have no parent */
}

TEST(cycles) {
    check_judged("a a", 1, 0, 1);
    check_judged("a b,b a", 2, 0, 1);
    check_judged("a c,b a,c b", 3, 0, 1);
    check_judged("a b,b a,c a", 3, 0, 1); /* one that leads into it counts each once */
    check_judged("a b,b a,c d,d c", 2, 0, 2);
    check_judged("a b,b a,c -,d x,e d", 2, 1, 1);
    check_judged("a b,b a,c c,d c,e -", 1, 0, 2);
}

TEST(of_the_same_id_the_last_counts) {
    check_judged("a -,a -,b a", 2, 0, 0);
    check_judged("a -,b a,a b", 2, 0, 1); /* b follows the second a, and that one b */
    check_judged("a a,a -", 1, 0, 0);     /* the first follows the second */
    check_judged("a -,a a", 1, 0, 1);
    check_judged("a x,b a,a -,c b", 3, 1, 0);
}

TEST(healthy_ones_are_left_alone) {
    check_mended("", "", 0);
    check_mended("a -,b a,c b", "", 3);
    check_mended("c b,b a,a -", "", 1);
    check_mended("a -,a a,b a", "a>null", 2);
}

TEST(an_orphan_follows_the_nearest_earlier_message) {
    check_mended("a -,b x", "b>a", 2);
    check_mended("a -,b a,c x", "c>b", 3);
    check_mended("a -,b a,c a,d x", "d>c", 3); /* on whatever branch it is */
    check_mended("a -,b -,c x,d c", "c>b", 3);
    check_mended("1.50 -,b x", "b>1.5", 2);
    check_mended("true -,b x", "b>true", 2);
}

TEST(without_an_earlier_one_it_begins_a_chain) {
    check_mended("a x", "a>null", 1);
    check_mended("a x,b a", "a>null", 2);
    check_mended("{} -,a x", "a>null", 1); /* nobody can name an object */
    check_mended("{} x,{} y", "{}>null {}>null", 1);
    check_mended("a -,{} -,[] -,b x", "b>a", 2);
    check_mended("a -,{} x,b a", "{}>a", 2);
}

TEST(a_run_of_orphans_becomes_a_chain) {
    check_mended("a -,b x,c y,d z", "b>a c>b d>c", 4);
    check_mended("a x,b x,c x", "a>null b>a c>b", 3);
    check_mended("a x,b a,c y,d c", "a>null c>b", 4);
}

TEST(never_one_that_leads_back) {
    check_mended("a b,b x", "b>null", 1);
    check_mended("r -,a b,b x", "b>r", 2);
    check_mended("r -,a c,b a,c x,d c", "c>r", 3);
    check_mended("r -,s r,a c,b a,q b,c x,d c", "c>s", 4);
    /* b is taken only after it was mended itself. */
    check_mended("a b,b x,c y", "b>null c>b", 2);
    /* Those that lead to one which is mended later are fine until it is. */
    check_mended("a c,b x,c y", "b>a c>null", 1);
    check_mended("r -,a c,b x,c y", "b>a c>r", 2);
    /* What was passed over for one is passed over for the next, up to where that one found its parent, and beyond. */
    check_mended("x2 o3,x1 o2,b o1,o1 n,c o2,o2 n,d o3,o3 n", "o1>x1 o2>x2 o3>null", 1);
    check_mended("r -,x2 o3,x1 o2,b o1,o1 n,c o2,o2 n,d o3,o3 n,e d", "o1>x1 o2>x2 o3>r", 4);
}

TEST(never_itself_nor_its_namesake) {
    check_mended("a -,a x", "a>null", 1);
    check_mended("r -,a -,a x", "a>r", 2);
    check_mended("r -,a -,a -,a x,b a", "a>r", 3);
    /* A namesake comes later, which is the one that others lead to. */
    check_mended("r -,a x,a -", "a>r", 1);
    check_mended("r -,a x,a y", "a>r a>r", 2);
    check_mended("r -,a x,b a,a -,c b", "a>r", 3);
    check_mended("a x,a y,a z", "a>null a>null a>null", 1);
    check_mended("r -,a x,a y,b z,a w", "a>r a>r b>a a>r", 2);
    /* Whom a candidate's name leads to is what counts, not the candidate. */
    check_mended("r -,c -,b x,c b", "b>r", 3);
}

TEST(of_a_cycle_the_earliest_lets_go) {
    check_mended("a a", "a>null", 1);
    check_mended("r -,a a", "a>r", 2);
    check_mended("a b,b a", "a>null", 2);
    check_mended("r -,a b,b a", "a>r", 3);
    check_mended("r -,c a,a b,b c", "c>r", 3);
    check_mended("r -,b a,a b,x a,y x", "b>r", 5);
    check_mended("a b,b a,c d,d c", "a>null c>b", 4);
    check_mended("r -,a b,c d,b a,d c", "a>r c>a", 4);
    check_mended("r -,a b,x y,b a", "a>r x>a", 3);
}

TESTS(RUN(depth), RUN(roots_have_falsy_parents), RUN(orphans), RUN(cycles),
      RUN(of_the_same_id_the_last_counts), RUN(healthy_ones_are_left_alone),
      RUN(an_orphan_follows_the_nearest_earlier_message), RUN(without_an_earlier_one_it_begins_a_chain),
      RUN(a_run_of_orphans_becomes_a_chain), RUN(never_one_that_leads_back),
      RUN(never_itself_nor_its_namesake), RUN(of_a_cycle_the_earliest_lets_go))
