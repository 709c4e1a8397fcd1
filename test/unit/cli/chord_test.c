#include "cli/chord.h"
#include "test.h"

/* Feeds keys in pieces of `piece`; what went to the program, with actions as <1>, <2>, <3>. */
static void check(const char *keys, const char *expected) {
    for (size_t piece = 1; piece <= strlen(keys) + 1; piece++) {
        struct chord c = {.prefix = CHORD_PREFIX};
        struct buf out = BUF_INIT(1000);
        struct span rest = span_str(keys);
        while (rest.n) {
            struct span part = span_take(rest, piece);
            rest = span_skip(rest, piece);
            while (part.n) {
                enum chord_action action = chord_feed(&c, &part, &out);
                if (action != CHORD_NONE) CHECK_INT(buf_printf(&out, "<%d>", (int)action), 0);
            }
        }
        CHECK_STR(out.n ? out.p : "", expected);
        buf_fini(&out);
    }
}

TEST(keys_go_to_the_program) {
    check("", "");
    check("ls -l\r\x1b[A\x03\x1a\x1c\x04", "ls -l\r\x1b[A\x03\x1a\x1c\x04");
    check("dk?", "dk?");
}

TEST(the_prefix_makes_a_key_ours) {
    check("\x1d"
          "d",
          "<1>");
    check("ab\x1d?cd\x1dk\x1d"
          "d!",
          "ab<2>cd<3><1>!");
}

TEST(the_prefix_twice_sends_it_once) {
    check("\x1d\x1d", "\x1d");
    check("\x1d\x1d"
          "d",
          "\x1d"
          "d");
    check("\x1d\x1d\x1d"
          "d",
          "\x1d<1>");
}

TEST(with_another_key_both_are_the_programs) {
    check("\x1dx", "\x1dx");
    check("\x1d\x1b[A", "\x1d\x1b[A");
    check("\x1d\r\x1d"
          "D",
          "\x1d\r\x1d"
          "D");
}

TEST(names_of_prefixes) {
    static const struct {
        const char *text;
        char prefix;
    } good[] = {{"^]", 0x1d},      {"C-a", 1},   {"c-A", 1},  {"ctrl-B", 2},
                {"Ctrl+\\", 0x1c}, {"^_", 0x1f}, {"^^", 0x1e}};
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        char prefix = 0;
        CHECK(chord_parse(good[i].text, &prefix));
        CHECK_INT(prefix, good[i].prefix);
    }
    static const char *const bad[] = {"",   "a",  "^",  "^ab", "C-", "^[", "ctrl-m",
                                      "^I", "^j", "^H", "^1",  "^@", "]"};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        char prefix = 7;
        CHECK(!chord_parse(bad[i], &prefix));
        CHECK_INT(prefix, 7);
    }
    CHECK_STR(chord_name(CHORD_PREFIX).text, "Ctrl-]");
    CHECK_STR(chord_name(1).text, "Ctrl-A");
}

TESTS(RUN(keys_go_to_the_program), RUN(the_prefix_makes_a_key_ours), RUN(the_prefix_twice_sends_it_once),
      RUN(with_another_key_both_are_the_programs), RUN(names_of_prefixes))
