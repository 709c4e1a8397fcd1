#include "base/str.h"
#include "test.h"

TEST(set_tells_whether_it_changed_anything) {
    char *s = NULL;
    CHECK(!str_set(&s, SPAN("")));
    CHECK(str_set(&s, SPAN("a")));
    CHECK(!str_set(&s, SPAN("a")));
    CHECK_STR(s, "a");
    CHECK(str_set(&s, SPAN_NONE));
    CHECK(s == NULL);
}

TEST(set_may_take_a_piece_of_itself) {
    char *s = NULL;
    str_set(&s, SPAN("hello"));
    str_set(&s, span_of(s + 1, 3));
    CHECK_STR(s, "ell");
    free(s);
}

TEST(formats) {
    char *s = str_format("%s #%d", "alpha", 1);
    CHECK_STR(s, "alpha #1");
    free(s);
}

TESTS(RUN(set_tells_whether_it_changed_anything), RUN(set_may_take_a_piece_of_itself), RUN(formats))
