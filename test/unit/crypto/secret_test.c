#include "crypto/secret.h"

#include "test.h"

TEST(each_is_another) {
    char a[SECRET_BYTES], b[SECRET_BYTES];
    CHECK_INT(secret_draw(a), 0);
    CHECK_INT(secret_draw(b), 0);
    CHECK_INT(strlen(a), SECRET_HEX);
    CHECK(secret_is_one(span_str(a)));
    CHECK(secret_eq(span_str(a), span_str(a)));
    CHECK(!secret_eq(span_str(a), span_str(b)));
    CHECK(!secret_eq(span_str(a), span_take(span_str(a), 63)));
    CHECK(!secret_eq(SPAN_NONE, SPAN_NONE));
}

TEST(what_is_none) {
    char a[SECRET_BYTES];
    CHECK_INT(secret_draw(a), 0);
    CHECK(!secret_is_one(SPAN_NONE));
    CHECK(!secret_is_one(span_take(span_str(a), 63)));
    a[5] = 'A';
    CHECK(!secret_is_one(span_str(a)));
    a[5] = 'g';
    CHECK(!secret_is_one(span_str(a)));
    a[5] = '\0';
    CHECK(!secret_is_one(span_of(a, SECRET_HEX)));
}

TESTS(RUN(each_is_another), RUN(what_is_none))
