#include "base/buf.h"
#include "base/cleanup.h"
#include "test.h"

#include <errno.h>

TEST(grows_and_stays_terminated) {
    AUTO(buf) struct buf b = BUF_INIT(1000);
    for (int i = 0; i < 100; i++)
        CHECK_INT(buf_append(&b, "0123456789", 10), 0);
    CHECK_INT(b.n, 1000);
    CHECK_INT(b.p[1000], 0);
}

TEST(refuses_past_the_cap_and_remembers) {
    AUTO(buf) struct buf b = BUF_INIT(4);
    CHECK_INT(buf_append(&b, "abc", 3), 0);
    CHECK_INT(buf_append(&b, "de", 2), -ENOBUFS);
    CHECK(b.failed);
    CHECK_SPAN(buf_span(&b), "abc");
    buf_clear(&b);
    CHECK(!b.failed);
    CHECK_INT(buf_append(&b, "abcd", 4), 0);
    CHECK_INT(buf_append_char(&b, 'e'), -ENOBUFS);
}

TEST(formats) {
    AUTO(buf) struct buf b = BUF_INIT(64);
    CHECK_INT(buf_printf(&b, "%d-%s", 42, "x"), 0);
    CHECK_SPAN(buf_span(&b), "42-x");
}

TEST(consumes_from_the_front) {
    AUTO(buf) struct buf b = BUF_INIT(64);
    buf_append(&b, "hello", 5);
    buf_consume(&b, 2);
    CHECK_SPAN(buf_span(&b), "llo");
}

TESTS(RUN(grows_and_stays_terminated), RUN(refuses_past_the_cap_and_remembers), RUN(formats),
      RUN(consumes_from_the_front))
