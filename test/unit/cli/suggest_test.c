#include "cli/suggest.h"
#include "test.h"

static unsigned distance(const char *a, const char *b) {
    unsigned there = suggest_distance(span_str(a), span_str(b));
    CHECK_INT(suggest_distance(span_str(b), span_str(a)), there); /* whichever was meant */
    return there;
}

TEST(distances) {
    CHECK_INT(distance("", ""), 0);
    CHECK_INT(distance("stop", "stop"), 0);
    CHECK_INT(distance("", "stop"), 4);
    CHECK_INT(distance("stp", "stop"), 1);   /* left out */
    CHECK_INT(distance("stoop", "stop"), 1); /* added */
    CHECK_INT(distance("step", "stop"), 1);  /* changed */
    CHECK_INT(distance("sotp", "stop"), 1);  /* swapped */
    CHECK_INT(distance("tsop", "stop"), 1);
    CHECK_INT(distance("ca", "abc"), 3); /* no letter is touched twice */
    CHECK_INT(distance("kitten", "sitting"), 3);
}

TEST(words_without_end) {
    char longest[SUGGEST_WORD_MAX + 2];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    CHECK_INT(distance(longest, "a"), SUGGEST_FAR);
    CHECK_INT(distance(longest, longest), SUGGEST_FAR);
    longest[SUGGEST_WORD_MAX] = '\0';
    CHECK_INT(distance(longest, longest), 0);
    CHECK_INT(distance(longest, ""), SUGGEST_WORD_MAX);
}

static void check_meant(const char *word, const char *expected) {
    static const char *const all[] = {"archive", "attach",  "restart", "repair", "run",
                                      "serve",   "service", "status",  "stop"};
    struct suggest s = {.word = span_str(word)};
    char text[SUGGEST_TEXT_BYTES];
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        suggest_offer(&s, all[i]);
    suggest_text(&s, "", text);
    CHECK_STR(text, expected);
}

TEST(what_is_meant) {
    check_meant("sttus", "; did you mean status?");
    check_meant("repiar", "; did you mean repair?");
    check_meant("stat", "; did you mean status?"); /* a beginning */
    check_meant("ser", "; did you mean serve or service?");
    check_meant("rnu", "; did you mean run?");
    check_meant("frobnicate", "");
    check_meant("x", "");
    check_meant("", "");
    check_meant("\033[31m", "");
}

TEST(dashes) {
    struct suggest s = {.word = SPAN("prot")};
    char text[SUGGEST_TEXT_BYTES];
    suggest_offer(&s, "port");
    suggest_text(&s, "--", text);
    CHECK_STR(text, "; did you mean --port?");
}

TESTS(RUN(distances), RUN(words_without_end), RUN(what_is_meant), RUN(dashes))
