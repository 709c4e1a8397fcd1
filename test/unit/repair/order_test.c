#include "repair/order.h"

#include "base/cleanup.h"
#include "test.h"

static void cleanup_order(struct order *o) {
    order_fini(o);
}

static struct order_item *add(struct order *o, const char *id, enum mend_priority priority) {
    return order_add(o, span_str(id), NULL, false, priority);
}

static struct order_item *add_large(struct order *o, const char *id, enum mend_priority priority) {
    return order_add(o, span_str(id), NULL, true, priority);
}

/* The next one is this, and done at once. */
static void check_next(struct order *o, bool large, const char *id) {
    struct order_item *item = order_take(o, large, MEND_DISK);
    if (!id) {
        CHECK(item == NULL);
        return;
    }
    CHECK(item != NULL);
    CHECK_STR(item->session_id, id);
    CHECK(!order_done(o, item));
}

TEST(the_most_urgent_first_then_first_come) {
    AUTO(order) struct order o;
    order_init(&o);
    (void)add(&o, "disk 1", MEND_DISK);
    (void)add(&o, "background", MEND_BACKGROUND);
    (void)add(&o, "disk 2", MEND_DISK);
    (void)add(&o, "visible 1", MEND_VISIBLE);
    (void)add(&o, "active 1", MEND_ACTIVE);
    (void)add(&o, "visible 2", MEND_VISIBLE);
    (void)add(&o, "active 2", MEND_ACTIVE);
    static const char *const expected[] = {"active 1",   "active 2", "visible 1", "visible 2",
                                           "background", "disk 1",   "disk 2",    NULL};
    for (size_t i = 0; i < ARRAY_LEN(expected); i++)
        check_next(&o, false, expected[i]);
    CHECK_INT(o.items.count, 0);
}

TEST(only_what_is_urgent_enough) {
    AUTO(order) struct order o;
    order_init(&o);
    (void)add(&o, "d", MEND_DISK);
    (void)add(&o, "b", MEND_BACKGROUND);
    CHECK(order_take(&o, false, MEND_VISIBLE) == NULL);
    struct order_item *b = order_take(&o, false, MEND_BACKGROUND);
    CHECK(b != NULL);
    CHECK_STR(b->session_id, "b");
    CHECK(order_take(&o, false, MEND_BACKGROUND) == NULL);
    check_next(&o, false, "d");
}

TEST(one_that_waits_is_raised_but_never_lowered) {
    AUTO(order) struct order o;
    order_init(&o);
    struct order_item *x = add(&o, "x", MEND_BACKGROUND);
    (void)add(&o, "visible", MEND_VISIBLE);
    (void)add(&o, "background", MEND_BACKGROUND);
    CHECK(add(&o, "x", MEND_DISK) == x);
    CHECK_INT(x->priority, MEND_BACKGROUND);
    CHECK(add(&o, "x", MEND_BACKGROUND) == x); /* keeps its place */
    CHECK(add(&o, "x", MEND_VISIBLE) == x);    /* behind those that are there */
    CHECK_INT(o.items.count, 3);
    check_next(&o, false, "visible");
    check_next(&o, false, "x");
    check_next(&o, false, "background");
    check_next(&o, false, NULL);
}

TEST(asked_for_again_at_the_same_priority_it_keeps_its_place) {
    AUTO(order) struct order o;
    order_init(&o);
    (void)add(&o, "a", MEND_VISIBLE);
    (void)add(&o, "b", MEND_VISIBLE);
    (void)add(&o, "a", MEND_VISIBLE);
    check_next(&o, false, "a");
    check_next(&o, false, "b");
}

TEST(more_urgent_while_under_way_means_once_more) {
    AUTO(order) struct order o;
    order_init(&o);
    (void)add(&o, "x", MEND_DISK);
    struct order_item *x = order_take(&o, false, MEND_DISK);
    (void)add(&o, "y", MEND_VISIBLE);
    CHECK(add(&o, "x", MEND_VISIBLE) == x);
    CHECK(add(&o, "x", MEND_ACTIVE) == x);
    CHECK(add(&o, "x", MEND_BACKGROUND) == x);
    CHECK_INT(o.items.count, 2);
    CHECK(order_done(&o, x));
    CHECK(!x->running);
    check_next(&o, false, "x");
    check_next(&o, false, "y");
    check_next(&o, false, NULL);
}

TEST(as_urgent_while_under_way_is_answered_by_that) {
    AUTO(order) struct order o;
    order_init(&o);
    (void)add(&o, "x", MEND_VISIBLE);
    struct order_item *x = order_take(&o, false, MEND_DISK);
    CHECK(add(&o, "x", MEND_VISIBLE) == x);
    CHECK(add(&o, "x", MEND_DISK) == x);
    CHECK(!order_done(&o, x));
    check_next(&o, false, NULL);
    CHECK_INT(o.items.count, 0);
}

TEST(large_ones_have_queues_of_their_own) {
    AUTO(order) struct order o;
    order_init(&o);
    (void)add_large(&o, "L1", MEND_ACTIVE);
    (void)add_large(&o, "L2", MEND_ACTIVE);
    (void)add(&o, "s", MEND_DISK);
    check_next(&o, false, "s");
    check_next(&o, false, NULL);
    check_next(&o, true, "L1");
    check_next(&o, true, "L2");
    check_next(&o, true, NULL);
}

TEST(once_large_it_stays_large) {
    AUTO(order) struct order o;
    order_init(&o);
    (void)add_large(&o, "x", MEND_DISK);
    (void)add(&o, "x", MEND_ACTIVE);
    check_next(&o, false, NULL);
    check_next(&o, true, "x");
}

TEST(put_back_it_goes_to_the_end) {
    AUTO(order) struct order o;
    order_init(&o);
    (void)add(&o, "a", MEND_VISIBLE);
    (void)add(&o, "b", MEND_VISIBLE);
    (void)add(&o, "c", MEND_BACKGROUND);
    struct order_item *a = order_take(&o, false, MEND_DISK);
    order_put_back(&o, a, false);
    check_next(&o, false, "b");
    check_next(&o, false, "a");
    check_next(&o, false, "c");
}

TEST(put_back_for_its_size_it_is_the_next_large_one) {
    AUTO(order) struct order o;
    order_init(&o);
    (void)add_large(&o, "L", MEND_VISIBLE);
    (void)add_large(&o, "active", MEND_ACTIVE);
    (void)add(&o, "x", MEND_VISIBLE);
    struct order_item *x = order_take(&o, false, MEND_DISK);
    order_put_back(&o, x, true);
    check_next(&o, false, NULL);
    check_next(&o, true, "active");
    check_next(&o, true, "x");
    check_next(&o, true, "L");
}

TEST(put_back_with_what_was_asked_meanwhile) {
    AUTO(order) struct order o;
    order_init(&o);
    (void)add(&o, "x", MEND_DISK);
    struct order_item *x = order_take(&o, false, MEND_DISK);
    (void)add(&o, "y", MEND_BACKGROUND);
    (void)add(&o, "x", MEND_ACTIVE);
    order_put_back(&o, x, false);
    CHECK_INT(x->priority, MEND_ACTIVE);
    check_next(&o, false, "x"); /* and that was all: not once more */
    check_next(&o, false, "y");
    check_next(&o, false, NULL);
}

TEST(a_path_that_becomes_known) {
    AUTO(order) struct order o;
    order_init(&o);
    struct order_item *x = add(&o, "x", MEND_VISIBLE);
    CHECK(x->path == NULL);
    (void)order_add(&o, SPAN("x"), "/p/x.jsonl", false, MEND_DISK);
    CHECK_STR(x->path, "/p/x.jsonl");
    (void)add(&o, "x", MEND_ACTIVE);
    CHECK_STR(x->path, "/p/x.jsonl");
}

TEST(a_whole_disk) {
    enum { MANY = 50000 };
    AUTO(order) struct order o;
    order_init(&o);
    char id[32];
    for (int i = 0; i < MANY; i++) {
        (void)snprintf(id, sizeof id, "%d", i);
        (void)add(&o, id, MEND_DISK);
    }
    for (int i = MANY - 1; i >= 0; i -= 2) {
        (void)snprintf(id, sizeof id, "%d", i);
        (void)add(&o, id, MEND_VISIBLE);
    }
    for (int i = MANY - 1; i >= 0; i -= 2) {
        (void)snprintf(id, sizeof id, "%d", i);
        check_next(&o, false, id);
    }
    for (int i = 0; i < MANY; i += 2) {
        (void)snprintf(id, sizeof id, "%d", i);
        check_next(&o, false, id);
    }
    CHECK_INT(o.items.count, 0);
}

TESTS(RUN(the_most_urgent_first_then_first_come), RUN(only_what_is_urgent_enough),
      RUN(one_that_waits_is_raised_but_never_lowered),
      RUN(asked_for_again_at_the_same_priority_it_keeps_its_place),
      RUN(more_urgent_while_under_way_means_once_more), RUN(as_urgent_while_under_way_is_answered_by_that),
      RUN(large_ones_have_queues_of_their_own), RUN(once_large_it_stays_large),
      RUN(put_back_it_goes_to_the_end), RUN(put_back_for_its_size_it_is_the_next_large_one),
      RUN(put_back_with_what_was_asked_meanwhile), RUN(a_path_that_becomes_known), RUN(a_whole_disk))
