/* A few threads over many items: each is worked on once and told in order, and a Ctrl-C ends it cleanly. */
#include "cli/crew.h"
#include "test.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>

enum { ITEMS = 500, STOP_AT = 100 };

struct run {
    atomic_int worked[ITEMS];
    int told[ITEMS];
    int count;
    bool stops;
};

static uint64_t size(void *user, size_t item) {
    (void)user;
    return item + 1;
}

static void *work(void *user, size_t item, const struct progress *progress) {
    struct run *r = user;
    atomic_fetch_add(&r->worked[item], 1);
    if (r->stops && item == STOP_AT) (void)raise(SIGINT);
    while (r->stops && item > STOP_AT && !crew_is_stopped()) {
    } /* the others are not faster than the signal */
    for (uint64_t done = 0; done <= item; done += 10)
        if (!progress->fn(progress->user, done, item + 1)) return NULL;
    size_t *result = malloc(sizeof *result);
    if (!result) abort();
    *result = item;
    return result;
}

static void tell(void *user, size_t item, void *result) {
    struct run *r = user;
    CHECK_INT(*(size_t *)result, item);
    r->told[r->count++] = (int)item;
    free(result);
}

static int run(struct run *r, size_t count) {
    return crew_run(&(struct crew_job){
        .verb = "Working", .count = count, .size = size, .work = work, .tell = tell, .user = r});
}

TEST(every_item_once_and_in_order) {
    struct run r = {0};
    CHECK_INT(run(&r, ITEMS), 0);
    CHECK_INT(r.count, ITEMS);
    for (int i = 0; i < ITEMS; i++) {
        CHECK_INT(r.told[i], i);
        CHECK_INT(atomic_load(&r.worked[i]), 1);
    }
}

TEST(nothing_to_do) {
    struct run r = {0};
    CHECK_INT(run(&r, 0), 0);
    CHECK_INT(r.count, 0);
    CHECK_INT(run(&r, 1), 0);
    CHECK_INT(r.count, 1);
}

TEST(a_stop_leaves_the_rest_alone) {
    struct run r = {.stops = true};
    CHECK_INT(run(&r, ITEMS), -ECANCELED);
    CHECK(crew_is_stopped());
    CHECK(r.count < ITEMS);
    for (int i = 1; i < r.count; i++)
        CHECK(r.told[i - 1] < r.told[i]);
    int worked = 0;
    for (int i = 0; i < ITEMS; i++)
        worked += atomic_load(&r.worked[i]);
    CHECK(worked <= STOP_AT + CREW_MAX);

    struct run again = {0};
    CHECK_INT(run(&again, ITEMS), 0);
    CHECK_INT(again.count, ITEMS);
}

TESTS(RUN(every_item_once_and_in_order), RUN(nothing_to_do), RUN(a_stop_leaves_the_rest_alone))
