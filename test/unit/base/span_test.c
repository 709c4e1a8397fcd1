#include "base/span.h"
#include "test.h"

TEST(splits) {
    struct span s = SPAN("a,b,,c");
    CHECK_SPAN(span_split(&s, ','), "a");
    CHECK_SPAN(span_split(&s, ','), "b");
    CHECK_SPAN(span_split(&s, ','), "");
    CHECK_SPAN(span_split(&s, ','), "c");
    CHECK_INT(s.n, 0);
}

TEST(words) {
    struct span s = SPAN("  a   bc ");
    CHECK_SPAN(span_word(&s), "a");
    CHECK_SPAN(span_word(&s), "bc");
    CHECK_SPAN(span_word(&s), "");
    CHECK_SPAN(span_word(&s), "");
}

TEST(compares) {
    CHECK(span_eq(SPAN("ab"), SPAN("ab")));
    CHECK(!span_eq(SPAN("ab"), SPAN("abc")));
    CHECK(span_eq(SPAN_NONE, SPAN("")));
    CHECK(span_ieq(SPAN("HoSt"), SPAN("host")));
    CHECK(span_icontains(SPAN("Apple_Terminal"), SPAN("terminal")));
    CHECK(!span_icontains(SPAN("x"), SPAN("xy")));
    CHECK(span_starts(SPAN("abc"), SPAN("ab")) && span_ends(SPAN("abc"), SPAN("bc")));
}

TEST(trims) {
    CHECK_SPAN(span_trim(SPAN(" \t a b\r\n")), "a b");
    CHECK_SPAN(span_trim(SPAN("  ")), "");
    CHECK_SPAN(span_trim(SPAN_NONE), "");
}

TEST(reads_numbers_without_overflow) {
    uint64_t v = 7;
    CHECK(span_u64(SPAN("18446744073709551615"), &v) && v == UINT64_MAX);
    CHECK(!span_u64(SPAN("18446744073709551616"), &v));
    CHECK(!span_u64(SPAN(""), &v) && !span_u64(SPAN("-1"), &v) && !span_u64(SPAN("1x"), &v));
}

TESTS(RUN(splits), RUN(words), RUN(compares), RUN(trims), RUN(reads_numbers_without_overflow))
