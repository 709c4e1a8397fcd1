#include "keeper/say.h"
#include "test.h"

#include <errno.h>

TEST(puts_sentences_together) {
    struct say s = {0};
    CHECK_INT(say_wrong(&s, "cannot run ", "x", ""), -EINVAL);
    say_why(&s, -ENOENT);
    say_text(&s, " ");
    say_number(&s, 0);
    say_text(&s, " ");
    say_number(&s, UINT64_MAX);
    CHECK_STR(s.text, "cannot run x: No such file or directory 0 18446744073709551615");
}

TEST(is_one_line_whatever_it_is_given) {
    struct say s = {0};
    say_text(&s, "a\nb\rc\x1b[31m\x7f\tü");
    CHECK_STR(s.text, "a?b?c?[31m??ü");
}

TEST(is_cut_where_it_is_full) {
    struct say s = {0};
    char many[SAY_MAX + 100];
    memset(many, 'x', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    say_text(&s, many);
    say_text(&s, "more");
    say_number(&s, 12345);
    CHECK_INT(s.n, SAY_MAX);
    CHECK_INT(strlen(s.text), SAY_MAX);
}

TESTS(RUN(puts_sentences_together), RUN(is_one_line_whatever_it_is_given), RUN(is_cut_where_it_is_full))
