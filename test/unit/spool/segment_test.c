#include "spool/segment.h"
#include "test.h"

TEST(names_sort_like_numbers) {
    char a[SPOOL_SEALED_NAME_BYTES], b[SPOOL_SEALED_NAME_BYTES];
    segment_name(a, 999);
    segment_name(b, 1000);
    CHECK_STR(a, "00000000000000000999.seg");
    CHECK(strcmp(a, b) < 0);
    segment_name(b, UINT64_MAX);
    CHECK_STR(b, "18446744073709551615.seg");
}

TEST(a_number_comes_back_from_its_name) {
    const uint64_t numbers[] = {0, 1, 1794770780025417, UINT64_MAX};
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        char name[SPOOL_SEALED_NAME_BYTES];
        uint64_t back;
        segment_name(name, numbers[i]);
        CHECK(segment_number(name, &back));
        CHECK(back == numbers[i]);
    }
}

TEST(other_names_are_not_segments) {
    const char *const names[] = {"active",
                                 "",
                                 ".",
                                 "1.seg",
                                 "00000000000000000999.sea",
                                 "0000000000000000099x.seg",
                                 "00000000000000000999.seg~",
                                 "18446744073709551616.seg"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        uint64_t n = 42;
        CHECK(!segment_number(names[i], &n));
        CHECK_INT(n, 42);
    }
}

TEST(a_clock_that_goes_back_does_not_reorder) {
    CHECK_INT(segment_next_number(0, 1000), 1000);
    CHECK_INT(segment_next_number(999, 1000), 1000);
    CHECK_INT(segment_next_number(1000, 1000), 1001);
    CHECK_INT(segment_next_number(5000, 1000), 5001);
}

TESTS(RUN(names_sort_like_numbers), RUN(a_number_comes_back_from_its_name), RUN(other_names_are_not_segments),
      RUN(a_clock_that_goes_back_does_not_reorder))
