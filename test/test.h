/*
 * The one header that tests include: cmocka behind a few words of our own.
 *
 *     TEST(map_forgets_removed_keys) { …; CHECK_INT(map.count, 0); }
 *     TESTS(RUN(map_forgets_removed_keys))
 */
#pragma once

#include "base/span.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TEST(name) static void name(void **state_ UNUSED)
#define RUN(name) cmocka_unit_test(name)
#define TESTS(...)                                        \
    int main(void) {                                      \
        const struct CMUnitTest tests[] = {__VA_ARGS__};  \
        return cmocka_run_group_tests(tests, NULL, NULL); \
    }

#define CHECK(condition) assert_true(condition)
#define CHECK_INT(actual, expected)                                                                         \
    do {                                                                                                    \
        int64_t actual_ = (int64_t)(actual), expected_ = (int64_t)(expected);                               \
        if (actual_ != expected_) fail_msg("%s is %" PRId64 ", not %" PRId64, #actual, actual_, expected_); \
    } while (0)
#define CHECK_STR(actual, expected) assert_string_equal(actual, expected)
#define CHECK_SPAN(actual, literal)                                                      \
    do {                                                                                 \
        struct span actual_ = (actual);                                                  \
        if (!span_eq_str(actual_, literal))                                              \
            fail_msg("%s is \"%.*s\", not \"%s\"", #actual, SPAN_ARG(actual_), literal); \
    } while (0)
