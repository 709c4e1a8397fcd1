#include "term/redact.h"
#include "term/redact_literal.h"
#include "test.h"

/* The literals, with blanks between them; "" when there are none. */
static const char *literals(const char *pattern) {
    static char out[REDACT_LITERALS_MAX * (REDACT_LITERAL_BYTES + 1) + 1];
    struct redact_literal v[REDACT_LITERALS_MAX];
    size_t n = redact_literals(span_str(pattern), v), at = 0;
    for (size_t i = 0; i < n; i++) {
        if (i) out[at++] = ' ';
        memcpy(out + at, v[i].text, v[i].n);
        at += v[i].n;
    }
    out[at] = 0;
    return out;
}

TEST(what_a_match_begins_with) {
    CHECK_STR(literals("token"), "token");
    CHECK_STR(literals("(?i)ToKen=\\S+"), "token=");
    CHECK_STR(literals("\\bkey\\.x"), "key.x");
    CHECK_STR(literals("^top"), "top");
    CHECK_STR(literals("(?<![A-Za-z0-9_(])(?=x|y)ghp_[0-9]+"), "ghp_");
    CHECK_STR(literals("a much longer beginning"), "a much longe");
}

TEST(alternatives_and_options_multiply) {
    CHECK_STR(literals("abc|defg"), "abc defg");
    CHECK_STR(literals("(?:AKIA|ASIA)[A-Z0-9]{16}"), "AKIA ASIA");
    CHECK_STR(literals("gh[pos]_"), "ghp_ gho_ ghs_");
    CHECK_STR(literals("api[_-]?key"), "api_key api-key apikey");
    CHECK_STR(literals("(?<secret>ab(?:c|d)?)ef"), "abcef abdef abef");
    CHECK_STR(literals("ab(?:cd|)e"), "abcde abe");
    CHECK_STR(literals("abc|abcdef|ab"), "ab"); /* the shorter one finds them all */
}

TEST(quantifiers_end_what_is_certain) {
    CHECK_STR(literals("abc+d"), "abc");
    CHECK_STR(literals("abc*d"), "ab");
    CHECK_STR(literals("abc{2,}d"), "abc");
    CHECK_STR(literals("abc{0,3}d"), "ab");
    CHECK_STR(literals("(?:abc)*de"), ""); /* it may begin with either */
    CHECK_STR(literals("ab(?:cd)+?e"), "abcd");
    CHECK_STR(literals("abc?+d"), "abcd abd");
}

TEST(nothing_is_said_that_is_not_certain) {
    static const char *const patterns[] = {
        "",           "a",           "\\d+token",    ".*token",           "[^a]token",
        "[a-z]token", "token|\\d+",  "token.*|x",    "token(?:x|y.*)|z?", "(?x)to ken",
        "(?#token)",  "(*UTF)token", "\\Qto|ken\\E", "token\\Q|\\E",      "token{|x",
        "x?",         "(?:token)?",  "(?|token|x)",  "\\x41bc",           "(?R)",
        "tok[",
    };
    for (size_t i = 0; i < ARRAY_LEN(patterns); i++)
        if (*literals(patterns[i])) fail_msg("%s begins with %s?", patterns[i], literals(patterns[i]));
}

TEST(strange_ends_do_not_hide_another_alternative) {
    CHECK_STR(literals("token[^|)]x|key"), "token key");
    CHECK_STR(literals("token\\d(?:a|b)|key"), "token key");
    CHECK_STR(literals("(?:token.|key\\d)x|other"), "token key other");
    CHECK_STR(literals("token\\||key"), "token| key");
}

TEST(ours_all_have_one) {
    for (struct span left = span_str(REDACT_DEFAULTS); left.n;) {
        struct redact_literal v[REDACT_LITERALS_MAX];
        struct span line = span_split(&left, '\n');
        if (line.n && line.p[0] != '#' && !redact_literals(line, v)) fail_msg("%.*s", SPAN_ARG(line));
    }
}

TESTS(RUN(what_a_match_begins_with), RUN(alternatives_and_options_multiply),
      RUN(quantifiers_end_what_is_certain), RUN(nothing_is_said_that_is_not_certain),
      RUN(strange_ends_do_not_hide_another_alternative), RUN(ours_all_have_one))
