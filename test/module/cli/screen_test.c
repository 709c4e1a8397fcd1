/* Figures for people, and columns. What else is printed is looked at by the tests of the commands. */
#include "cli/screen.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

TEST(sizes) {
    static const struct {
        uint64_t bytes;
        const char *text;
    } sizes[] = {
        {0, "0 B"},
        {1, "1 B"},
        {999, "999 B"},
        {1000, "1.0 kB"},
        {1549, "1.5 kB"},
        {9949, "9.9 kB"},
        {9951, "10 kB"},
        {999499, "999 kB"},
        {999500, "1.0 MB"},
        {5100000, "5.1 MB"},
        {1000000000, "1.0 GB"},
        {3800000000, "3.8 GB"},
        {UINT64_MAX, "18 EB"},
    };
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
        CHECK_STR(screen_size(sizes[i].bytes).text, sizes[i].text);
}

TEST(counts) {
    CHECK_STR(screen_count(0, "file", "files").text, "0 files");
    CHECK_STR(screen_count(1, "file", "files").text, "1 file");
    CHECK_STR(screen_count(UINT64_MAX, "file", "files").text, "18446744073709551615 files");
}

static char *printed;
static size_t printed_n;
static FILE *real_stdout;

static void begin(void) {
    real_stdout = stdout;
    stdout = open_memstream(&printed, &printed_n);
}

static void check_printed(const char *expected) {
    (void)fclose(stdout);
    stdout = real_stdout;
    CHECK_STR(printed, expected);
    free(printed);
}

static void check_column(const char *text, size_t width, const char *shown) {
    begin();
    screen_column(span_str(text), width);
    check_printed(shown);
}

TEST(columns_are_filled_and_a_cut_is_marked) {
    check_column("make", 6, "make  ");
    check_column("make", 4, "make");
    check_column("make && rm -rf /var", 14, "make && rm -r…");
    check_column("héé", 2, "h…");
    check_column("a\x1b[31m", 3, "a\ufffd…");
    check_column("x", 0, "");
}

TEST(columns_are_cells) {
    check_column("中文字", 6, "中文字");
    check_column("中文字", 5, "中文…");
    check_column("中文字", 4, "中… ");
    check_column("e\u0301\u0301x", 4, "e\u0301\u0301x  ");
    check_column("\u202e\u202e\u202e", 3, "\ufffd\ufffd\ufffd"); /* what is told takes cells, too */
    check_column("\U0001f434a", 4, "\U0001f434a ");
}

TEST(the_format_is_ours_and_the_words_are_not) {
    begin();
    screen_print("\x1b[1m%s\x1b[0m\n%.*s|%-6s|%6s|%c\n", "a\x1b[31m\nb", 2, "cde", "中", "é\n", '\a');
    check_printed("\x1b[1ma\ufffd[31m b\x1b[0m\ncd|中    |    é |\ufffd\n");
    begin();
    screen_print("%d %5d %-5d| %05d %lld %zu %u %% %lu", -1, 42, -7, -42, (long long)INT64_MIN, (size_t)9,
                 4000000000U, 18446744073709551615UL);
    check_printed("-1    42 -7   | -0042 -9223372036854775808 9 4000000000 % 18446744073709551615");
    begin();
    screen_lines(SPAN("a\x1b\nb\r\nc"));
    check_printed("a\ufffd\nb \nc");
}

TEST(json_means_the_same) {
    begin();
    screen_json(SPAN("{\"t\":\"\u202e\xc2\x9b\x7f\\u001b é 中\U000e0041\xff\"}"));
    check_printed("{\"t\":\"\\u202e\\u009b\\u007f\\u001b é 中\\udb40\\udc41\\ufffd\"}\n");
}

TESTS(RUN(sizes), RUN(counts), RUN(columns_are_filled_and_a_cut_is_marked), RUN(columns_are_cells),
      RUN(the_format_is_ours_and_the_words_are_not), RUN(json_means_the_same))
