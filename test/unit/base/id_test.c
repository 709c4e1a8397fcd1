#include "base/id.h"
#include "test.h"

TEST(the_same_position_makes_the_same_id) {
    char id[ID_BYTES];
    id_from_position(id, 's', 0);
    CHECK_STR(id, "s0");
    id_from_position(id, 's', 36 * 36 + 35);
    CHECK_STR(id, "s10z");
    id_from_position(id, 'w', UINT64_MAX);
    CHECK_STR(id, "w3w5e11264sgsf");
}

TESTS(RUN(the_same_position_makes_the_same_id))
