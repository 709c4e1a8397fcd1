#include "base/utf8.h"
#include "test.h"

TEST(accepts_well_formed_text) {
    CHECK(utf8_valid(SPAN("plain")));
    CHECK(utf8_valid(SPAN("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x90\xB4")));
}

TEST(refuses_malformed_text) {
    CHECK(!utf8_valid(SPAN("\x80")));
    CHECK(!utf8_valid(SPAN("\xC0\xAF")));         /* overlong */
    CHECK(!utf8_valid(SPAN("\xED\xA0\x80")));     /* surrogate */
    CHECK(!utf8_valid(SPAN("\xF4\x90\x80\x80"))); /* past U+10FFFF */
    CHECK(!utf8_valid(SPAN("\xE2\x82")));         /* cut short */
}

TEST(cuts_by_utf16_units) {
    CHECK_SPAN(utf8_cut_units(SPAN("abcdef"), 3), "abc");
    CHECK_SPAN(utf8_cut_units(SPAN("\xC3\xA9\xC3\xA9\xC3\xA9"), 2), "\xC3\xA9\xC3\xA9");
    /* A horse is two units: it is kept whole or not at all. */
    CHECK_SPAN(utf8_cut_units(SPAN("a\xF0\x9F\x90\xB4z"), 2), "a");
    CHECK_SPAN(utf8_cut_units(SPAN("a\xF0\x9F\x90\xB4z"), 3), "a\xF0\x9F\x90\xB4");
}

TEST(cuts_by_bytes) {
    CHECK_SPAN(utf8_cut_bytes(SPAN("a\xF0\x9F\x90\xB4z"), 4), "a");
    CHECK_SPAN(utf8_cut_bytes(SPAN("a\xF0\x9F\x90\xB4z"), 5), "a\xF0\x9F\x90\xB4");
    CHECK_SPAN(utf8_cut_bytes(SPAN("abc"), 10), "abc");
}

TEST(encodes) {
    static const struct {
        uint32_t code;
        const char *text;
    } cases[] = {{'a', "a"}, {0xE9, "\xC3\xA9"}, {0x20AC, "\xE2\x82\xAC"}, {0x1F434, "\xF0\x9F\x90\xB4"}};
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char out[4];
        CHECK_SPAN(span_of(out, utf8_encode(cases[i].code, out)), cases[i].text);
    }
}

TESTS(RUN(accepts_well_formed_text), RUN(refuses_malformed_text), RUN(cuts_by_utf16_units),
      RUN(cuts_by_bytes), RUN(encodes))
