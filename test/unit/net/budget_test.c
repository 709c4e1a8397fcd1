#include "net/budget.h"

#include "test.h"

TEST(each_kind_has_its_share) {
    struct budget b = {.max = 100};
    CHECK(budget_fits(&b, CROWD_OTHER, 50));
    CHECK(!budget_fits(&b, CROWD_OTHER, 51));
    CHECK(budget_fits(&b, CROWD_PROXY, 50));
    CHECK(!budget_fits(&b, CROWD_PROXY, 51));
    CHECK(budget_fits(&b, CROWD_LOCAL, 75));
    CHECK(!budget_fits(&b, CROWD_LOCAL, 76));
    CHECK(budget_fits(&b, CROWD_OWNER, 100));
    CHECK(!budget_fits(&b, CROWD_OWNER, 101));
    CHECK(!budget_fits(&b, CROWD_OWNER, SIZE_MAX));
}

TEST(what_one_keeps_counts_for_all) {
    struct budget b = {.max = 100};
    budget_move(&b, 0, 50);
    CHECK(budget_fits(&b, CROWD_OTHER, 0));
    CHECK(!budget_fits(&b, CROWD_OTHER, 1));
    budget_move(&b, 0, 40);
    CHECK(!budget_fits(&b, CROWD_OTHER, 0));
    CHECK(!budget_fits(&b, CROWD_LOCAL, 0));
    CHECK(budget_fits(&b, CROWD_OWNER, 10));
    budget_move(&b, 50, 10);
    CHECK_INT(b.used, 50);
    budget_move(&b, 40, 0);
    budget_move(&b, 10, 0);
    CHECK_INT(b.used, 0);
}

TESTS(RUN(each_kind_has_its_share), RUN(what_one_keeps_counts_for_all))
