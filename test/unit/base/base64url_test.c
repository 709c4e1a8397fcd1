#include "base/base64url.h"

#include "base/cleanup.h"
#include "test.h"

/* RFC 4648, section 10, without padding. */
static const struct {
    const char *bytes, *text;
} rows[] = {{"", ""},           {"f", "Zg"},          {"fo", "Zm8"},          {"foo", "Zm9v"},
            {"foob", "Zm9vYg"}, {"fooba", "Zm9vYmE"}, {"foobar", "Zm9vYmFy"}, {"\xfb\xff", "-_8"}};

TEST(both_ways) {
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf) struct buf text = BUF_INIT(64);
        char bytes[16];
        CHECK_INT(base64url_put(&text, rows[i].bytes, strlen(rows[i].bytes)), 0);
        CHECK_SPAN(buf_span(&text), rows[i].text);
        int n = base64url_read(span_str(rows[i].text), bytes, sizeof bytes);
        CHECK_INT(n, strlen(rows[i].bytes));
        CHECK(memcmp(bytes, rows[i].bytes, (size_t)n) == 0);
    }
}

TEST(padding_is_taken) {
    char bytes[4];
    CHECK_INT(base64url_read(SPAN("Zg=="), bytes, sizeof bytes), 1);
    CHECK_INT(base64url_read(SPAN("Zm8="), bytes, sizeof bytes), 2);
}

TEST(what_is_none_is_refused) {
    static const char *const wrong[] = {"Z", "Zg===", "Zm9+", "Zm9/", "Zm 9", "Zh", "Zm9", "Zm9vZ"};
    char bytes[16];
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        CHECK(base64url_read(span_str(wrong[i]), bytes, sizeof bytes) < 0);
    CHECK(base64url_read(span_of("Zm\0v", 4), bytes, sizeof bytes) < 0);
    CHECK(base64url_read(SPAN("Zm9v"), bytes, 2) < 0);
}

TESTS(RUN(both_ways), RUN(padding_is_taken), RUN(what_is_none_is_refused))
