/* Figures for people. What is printed is looked at by the tests of the commands. */
#include "cli/screen.h"
#include "test.h"

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

TESTS(RUN(sizes), RUN(counts))
