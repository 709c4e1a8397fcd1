/* What of a text from outside is shown, and how the rest is told. */
#include "base/shown.h"
#include "base/utf8.h"
#include "test.h"

static void check(enum shown_style style, const char *text, const char *expected) {
    char out[256];
    size_t n = shown_copy(span_str(text), style, out, sizeof out);
    CHECK_STR(out, expected);
    CHECK_INT(n, strlen(expected));
}

static void check_same(const char *text) {
    check(SHOWN_PLAIN, text, text);
    check(SHOWN_SPELLED, text, text);
    check(SHOWN_JSON, text, text);
}

TEST(what_people_write_is_shown) {
    check_same("plain ASCII, ~`!@#$%^&*()_+{}|\":<>?");
    check_same("café naïve Ærøskøbing Straße ελληνικά русский 中文 日本語 한국어 العربية עברית हिन्दी ไทย");
    check_same("→ ✓ ▌ ─ “quotes” … €");
    check_same(
        "\U0001f434 \U0001f469\u200d\U0001f467 \u2764\ufe0f 1\ufe0f\u20e3 \U0001f1e9\U0001f1ea \U0001f44d\U0001f3fd");
    check_same("\u0645\u06cc\u200c\u062e"); /* a joiner that Persian needs */
    check_same("e\u0301\u0302");
    check_same("a\u00a0b\u3000c\u202fd");
    check_same("\ue0b0 \uf115"); /* icons of fonts */
}

TEST(what_steers_is_not) {
    check(SHOWN_PLAIN, "a\x1b[31mb\a\x7f\x01", "a\ufffd[31mb\ufffd\ufffd\ufffd");
    check(SHOWN_PLAIN, "a\nb\tc\r\v\f", "a b c   ");
    check(SHOWN_PLAIN,
          "\xc2\x9b"
          "6n \xc2\x9d"
          "0;t\xc2\x9c \xc2\x85",
          "\ufffd6n \ufffd0;t\ufffd \ufffd");
    check(SHOWN_PLAIN,
          "\x9b"
          "6n\xff\xc0\xaf",
          "\ufffd6n\ufffd\ufffd\ufffd");
    check(SHOWN_SPELLED, "a\x1b\n\r\xc2\x9b\xff", "a\\x1b\\n\\x0d\\u009b\\xff");
    check(SHOWN_JSON, "{\"a\":\"\x7f\xc2\x9b\xff\"}\n", "{\"a\":\"\\u007f\\u009b\\ufffd\"}\n");
}

TEST(what_misleads_or_hides_is_not) {
    static const char *const hidden[] = {
        "\u202e", "\u202a", "\u2066",     "\u2069",     "\u200e", "\u061c",     "\u200b", "\u2060",
        "\ufeff", "\u00ad", "\u180e",     "\u2028",     "\u2029", "\u3164",     "\u115f", "\uffa0",
        "\u2800", "\u034f", "\U000e0041", "\U000e0100", "\ufffe", "\U0001fffe", "\u0378", "\ufff9"};
    for (size_t i = 0; i < ARRAY_LEN(hidden); i++) {
        struct shown s = SHOWN_INIT(span_str(hidden[i]));
        CHECK(shown_next(&s));
        if (s.is_shown) fail_msg("U+%04X is shown", (unsigned)s.code);
        CHECK(!shown_next(&s));
    }
    check(SHOWN_PLAIN, "user\u202etxt.exe", "user\ufffdtxt.exe");
    check(SHOWN_SPELLED, "user\u202etxt.exe\U000e0041", "user\\u202etxt.exe\\ue0041");
    check(SHOWN_JSON, "\u202e\U000e0041", "\\u202e\\udb40\\udc41");
}

TEST(joiners_and_marks_have_their_places) {
    check(SHOWN_PLAIN, "\u0301x", "\ufffdx");   /* would join what is before the text */
    check(SHOWN_PLAIN, "a\u200db", "a\ufffdb"); /* between letters that need none */
    check(SHOWN_PLAIN, "\u200d\ufe0f", "\ufffd\ufffd");
    check(SHOWN_PLAIN, "a\ufe0f", "a\ufffd");
    check(SHOWN_PLAIN, "\u2764\ufe0f\ufe0f\ufe01",
          "\u2764\ufe0f\ufffd\ufffd"); /* bytes hidden in selectors */
    check(SHOWN_PLAIN, "\U0001f469\u200d\u200d\U0001f467", "\U0001f469\u200d\ufffd\U0001f467");
    check(SHOWN_PLAIN, "x\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301y",
          "x\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\ufffdy");
    check(SHOWN_PLAIN, "\x1b\u0301", "\ufffd\ufffd");
}

/* Whatever it is given, what comes out is shown as it is. */
TEST(all_code_points) {
    static const enum shown_style styles[] = {SHOWN_PLAIN, SHOWN_SPELLED, SHOWN_JSON};
    for (uint32_t code = 1; code < 0x110000; code += code == 0xd7ff ? 0x801 : 1) {
        char text[8] = {0}, out[32];
        size_t n = utf8_encode(code, text);
        for (size_t i = 0; i < ARRAY_LEN(styles); i++) {
            struct shown s =
                SHOWN_INIT(span_of(out, shown_copy(span_of(text, n), styles[i], out, sizeof out)));
            while (shown_next(&s)) {
                bool is_json_white = styles[i] == SHOWN_JSON && s.code && strchr("\n\t\r", (int)s.code);
                if (!s.is_shown && !is_json_white) fail_msg("U+%04X", (unsigned)code);
            }
        }
    }
}

TEST(a_copy_is_cut_between_characters) {
    char out[8];
    CHECK_INT(shown_copy(SPAN("aé\U0001f434\U0001f434"), SHOWN_PLAIN, out, sizeof out), 7);
    CHECK_STR(out, "aé\U0001f434");
    CHECK_INT(shown_copy(SPAN("\x1b\x1b"), SHOWN_SPELLED, out, sizeof out), 4);
    CHECK_INT(shown_copy(SPAN("abc"), SHOWN_PLAIN, out, 1), 0);
    CHECK_STR(out, "");
}

TESTS(RUN(what_people_write_is_shown), RUN(what_steers_is_not), RUN(what_misleads_or_hides_is_not),
      RUN(joiners_and_marks_have_their_places), RUN(all_code_points), RUN(a_copy_is_cut_between_characters))
