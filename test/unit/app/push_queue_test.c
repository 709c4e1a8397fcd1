#include "app/push_queue.h"

#include "test.h"

static const struct http_answer arrived = {.status = 201}, broken = {.status = 500},
                                slower = {.status = 429, .retry_after_s = 90}, gone = {.status = 410},
                                wrong = {.status = 400}, silent = {0};

static void put(struct push_queue *q, const char *sub, const char *topic, const char *text, int64_t now) {
    struct push_message m = {.ttl_s = 3600, .json = span_str(text)};
    (void)snprintf(m.topic, sizeof m.topic, "%s", topic);
    push_queue_put(q, span_str(sub), &m, now);
}

static struct push_item *launch(struct push_queue *q, int64_t now) {
    struct push_item *item = push_queue_next(q, now);
    if (item) push_queue_flies(q, item, q);
    return item;
}

TEST(a_newer_one_takes_the_place_of_one_that_waits) {
    struct push_queue q;
    push_queue_init(&q);
    put(&q, "a", "t", "one", 0);
    put(&q, "a", "u", "other", 0);
    put(&q, "a", "t", "two", 0);
    CHECK_INT(q.count, 2);
    CHECK_SPAN(launch(&q, 0)->message.json, "other");
    CHECK_SPAN(launch(&q, 0)->message.json, "two");
    CHECK(!launch(&q, 0));
    list_for_each(node, &q.items)
        list_entry(node, struct push_item, link)->flight = NULL;
    push_queue_fini(&q);
}

TEST(two_about_the_same_thing_are_never_under_way_at_once) {
    struct push_queue q;
    push_queue_init(&q);
    put(&q, "a", "t", "one", 0);
    struct push_item *one = launch(&q, 0);
    put(&q, "a", "t", "two", 0);
    CHECK(!launch(&q, 0));
    CHECK_INT(push_queue_due(&q), INT64_MAX);
    /* One that failed is not tried again when there is a newer one. */
    CHECK_INT(push_queue_landed(&q, one, &broken, 10), PUSH_LATER);
    CHECK_INT(q.count, 1);
    CHECK(!launch(&q, 10));
    CHECK_INT(push_queue_due(&q), 10 + PUSH_QUEUE_FIRST_MS);
    CHECK_SPAN(launch(&q, 10 + PUSH_QUEUE_FIRST_MS)->message.json, "two");
    list_first(&q.items, struct push_item, link)->flight = NULL;
    push_queue_fini(&q);
}

TEST(it_waits_longer_each_time_or_as_long_as_it_is_told) {
    struct push_queue q;
    push_queue_init(&q);
    put(&q, "a", "t", "one", 0);
    int64_t now = 0, waited = PUSH_QUEUE_FIRST_MS;
    for (unsigned i = 1; i < PUSH_QUEUE_TRIES; i++) {
        CHECK_INT(push_queue_landed(&q, launch(&q, now), &silent, now), PUSH_LATER);
        CHECK_INT(push_queue_due(&q), now + waited);
        now += waited;
        waited *= 2;
    }
    CHECK_INT(push_queue_landed(&q, launch(&q, now), &silent, now), PUSH_FAILED);
    CHECK_INT(q.count, 0);
    put(&q, "a", "t", "one", 0);
    put(&q, "a", "u", "two", 0);
    put(&q, "b", "u", "three", 0);
    CHECK_INT(push_queue_landed(&q, launch(&q, 0), &slower, 0), PUSH_LATER);
    CHECK_STR(launch(&q, 0)->sub, "b");
    CHECK(!launch(&q, 89999)); /* nothing for this browser, whatever it is about */
    CHECK(launch(&q, 90000));
    list_for_each(node, &q.items)
        list_entry(node, struct push_item, link)->flight = NULL;
    push_queue_fini(&q);
}

TEST(what_arrived_is_gone_or_wrong_is_not_tried_again) {
    struct push_queue q;
    push_queue_init(&q);
    const struct {
        const struct http_answer *answer;
        enum push_landing landing;
    } rows[] = {{&arrived, PUSH_ARRIVED}, {&gone, PUSH_GONE}, {&wrong, PUSH_FAILED}};
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        put(&q, "a", "t", "one", 0);
        CHECK_INT(push_queue_landed(&q, launch(&q, 0), rows[i].answer, 0), rows[i].landing);
        CHECK_INT(q.count, 0);
    }
}

TEST(it_has_an_end) {
    struct push_queue q;
    push_queue_init(&q);
    for (unsigned i = 0; i < PUSH_QUEUE_MAX + 10; i++) {
        char topic[16];
        (void)snprintf(topic, sizeof topic, "%u", i);
        put(&q, "a", topic, "one", 0);
    }
    CHECK_INT(q.count, PUSH_QUEUE_MAX);
    CHECK_STR(push_queue_next(&q, 0)->message.topic, "10");
    push_queue_forget(&q, SPAN("a"));
    CHECK_INT(q.count, 0);
}

TESTS(RUN(a_newer_one_takes_the_place_of_one_that_waits),
      RUN(two_about_the_same_thing_are_never_under_way_at_once),
      RUN(it_waits_longer_each_time_or_as_long_as_it_is_told),
      RUN(what_arrived_is_gone_or_wrong_is_not_tried_again), RUN(it_has_an_end))
