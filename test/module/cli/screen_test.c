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

static void check_column(const char *text, size_t width, const char *shown) {
    char *out = NULL;
    size_t n = 0;
    FILE *saved = stdout;
    stdout = open_memstream(&out, &n);
    screen_column(span_str(text), width);
    (void)fclose(stdout);
    stdout = saved;
    CHECK_STR(out, shown);
    free(out);
}

TEST(columns_are_filled_and_a_cut_is_marked) {
    check_column("make", 6, "make  ");
    check_column("make", 4, "make");
    check_column("make && rm -rf /var", 14, "make && rm -r…");
    check_column("héé", 2, "h…");
    check_column("a\x1b[31m", 3, "a …");
    check_column("x", 0, "");
}

TESTS(RUN(sizes), RUN(counts), RUN(columns_are_filled_and_a_cut_is_marked))
