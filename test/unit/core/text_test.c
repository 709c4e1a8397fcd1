/* What agents write, as people read it. */
#include "core/text.h"

#include "base/cleanup.h"
#include "base/utf8.h"
#include "test.h"

#define CHECK_TEXT(span, text) CHECK(span_eq_str(span, text))

TEST(a_cut_says_that_it_is_one) {
    AUTO(arena) struct arena arena = ARENA_INIT(1 << 20);
    CHECK_TEXT(text_cut(SPAN("abc"), 3, &arena), "abc");
    CHECK_TEXT(text_cut(SPAN("abcd"), 3, &arena), "abc…");
    CHECK_TEXT(text_cut(SPAN("a🐴b"), 2, &arena), "a…"); /* a horse is two units, and not cut in two */
}

TEST(what_would_not_be_seen_is_spelled_out) {
    AUTO(arena) struct arena arena = ARENA_INIT(1 << 20);
    CHECK_TEXT(text_visible(SPAN("plain é\tand\nlines\r\n"), &arena), "plain é\tand\nlines\r\n");
    CHECK_TEXT(text_visible(SPAN("\x1b[2K\r\x7f"), &arena), "\\x1b[2K\\x0d\\x7f");
    CHECK_TEXT(text_visible(SPAN("a\xc2\x9b"
                                 "b\u202ec\u200b\U000E0041"),
                            &arena),
               "a\\u009bb\\u202ec\\u200b\\ue0041");
    CHECK_TEXT(text_visible(SPAN("\u0645\u06cc\u200c\u062e \U0001f469\u200d\U0001f467"), &arena),
               "\u0645\u06cc\u200c\u062e \U0001f469\u200d\U0001f467"); /* joiners are part of what is seen */
    CHECK_TEXT(text_visible(SPAN("no \xff utf-8 \x81"), &arena), "no \\xff utf-8 \\x81");
}

TEST(a_whole_text_says_how_much_is_missing) {
    enum { MAX_BYTES = 100 };
    AUTO(arena) struct arena arena = ARENA_INIT(1 << 20);
    char text[150];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = "é"[i % 2];
    CHECK_INT(text_whole(span_of(text, MAX_BYTES), MAX_BYTES, &arena).n, MAX_BYTES);
    struct span cut = text_whole(span_of(text, sizeof text), MAX_BYTES, &arena);
    CHECK(cut.n <= MAX_BYTES && utf8_valid(cut));
    CHECK(span_ends(cut, SPAN("é\n… (cut here, 114 bytes follow)")));
    AUTO(arena) struct arena small = ARENA_INIT(64);
    CHECK_TEXT(text_whole(span_of(text, sizeof text), MAX_BYTES, &small),
               "(too large to be shown here: look at it where the agent runs)");
    CHECK_INT(text_whole(SPAN_NONE, MAX_BYTES, &arena).n, 0);
}

TEST(what_is_spelled_out_takes_no_room_from_the_rest) {
    enum { MAX_BYTES = 200 };
    AUTO(arena) struct arena arena = ARENA_INIT(1 << 20);
    char text[MAX_BYTES + 1];
    memset(text, 0x1b, sizeof text);
    struct span whole = text_whole(span_of(text, MAX_BYTES), MAX_BYTES, &arena);
    CHECK_INT(whole.n, 4 * MAX_BYTES);
    CHECK(span_ends(text_whole(span_of(text, sizeof text), MAX_BYTES, &arena),
                    SPAN("\\x1b\n… (cut here, 65 bytes follow)")));
}

TESTS(RUN(a_cut_says_that_it_is_one), RUN(what_would_not_be_seen_is_spelled_out),
      RUN(a_whole_text_says_how_much_is_missing), RUN(what_is_spelled_out_takes_no_room_from_the_rest))
