#include "cli/masked.h"
#include "test.h"

static void check(const char *keys, enum masked_state state, const char *text, const char *shown) {
    char room[16];
    struct masked m = {.text = room, .room = sizeof room};
    struct buf echo = BUF_INIT(1000);
    enum masked_state is = MASKED_MORE;
    for (const char *k = keys; *k && is == MASKED_MORE; k++)
        is = masked_feed(&m, *k, &echo);
    CHECK_INT(is, state);
    CHECK_SPAN(span_of(m.text, m.n), text);
    CHECK_STR(echo.n ? echo.p : "", shown);
    buf_fini(&echo);
}

TEST(a_star_for_each_character) {
    check("", MASKED_MORE, "", "");
    check("abc", MASKED_MORE, "abc", "***");
    check("abc\rd", MASKED_DONE, "abc", "***");
    check("abc\n", MASKED_DONE, "abc", "***");
    check("pä€😀\r", MASKED_DONE, "pä€😀", "****");
    check(" a b \r", MASKED_DONE, " a b ", "*****");
}

TEST(a_character_is_taken_back_whole) {
    check("ab\x7f", MASKED_MORE, "a", "**\b \b");
    check("a€\x7f\bx", MASKED_MORE, "x", "**\b \b\b \b*");
    check("\x7f\x7f", MASKED_MORE, "", "");
    check("abc\x15x", MASKED_MORE, "x", "***\b \b\b \b\b \b*");
    check("ab\x17", MASKED_MORE, "", "**\b \b\b \b");
}

TEST(giving_up) {
    check("abc\x03", MASKED_CANCELED, "abc", "***");
    check("\x04", MASKED_CANCELED, "", "");
    check("a\x04\r", MASKED_DONE, "a", "*");
    check("a\x1b[\x03", MASKED_CANCELED, "a", "*");
}

TEST(other_keys_do_nothing) {
    check("a\tb\x1a\r", MASKED_DONE, "ab", "**");
    check("a\x1b[Ab\x1b[1;5Cc\x1bOPd\x1bxe\r", MASKED_DONE, "abcde", "*****");
}

TEST(what_does_not_fit_is_not_taken) {
    check("0123456789abcdefgh\r", MASKED_DONE, "0123456789abcdef", "****************\a\a");
    check("0123456789ab😀\r", MASKED_DONE, "0123456789ab😀", "*************");
    check("0123456789abc😀\x7f€d\r", MASKED_DONE, "0123456789ab€d", "*************\a\b \b**");
    check("\x80\xbf"
          "a\r",
          MASKED_DONE, "a", "*");
}

TESTS(RUN(a_star_for_each_character), RUN(a_character_is_taken_back_whole), RUN(giving_up),
      RUN(other_keys_do_nothing), RUN(what_does_not_fit_is_not_taken))
