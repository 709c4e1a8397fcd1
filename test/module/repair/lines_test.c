/* Lines of real files, short and very long. */
#include "repair/lines.h"

#include "tree.h"

enum { LONG = LINES_LINE_MAX + (3 << 20) };

static int open_file(const struct temp_dir *t) {
    int fd = open(tree_at(t, "f").p, O_RDONLY | O_CLOEXEC);
    CHECK(fd >= 0);
    return fd;
}

static void fill(const struct temp_dir *t, size_t n) {
    AUTO(file) FILE *f = fopen(tree_at(t, "f").p, "ae");
    char chunk[4096];
    memset(chunk, 'x', sizeof chunk);
    for (; n; n -= MIN(n, sizeof chunk))
        CHECK(fwrite(chunk, 1, MIN(n, sizeof chunk), f) == MIN(n, sizeof chunk));
}

TEST(one_after_the_other) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    tree_write(&t, "f", "one\n\ntwo\r\nlast");
    AUTO(fd) int fd = open_file(&t);
    AUTO(lines) struct lines l;
    lines_init(&l, fd, 0, UINT64_MAX);
    static const char *const want[] = {"one", "", "two\r", "last"};
    static const int behind[] = {4, 5, 10, 10};
    for (int i = 0; i < 4; i++) {
        struct span line;
        bool whole;
        CHECK_INT(lines_next(&l, &line, &whole), 1);
        CHECK_SPAN(line, want[i]);
        CHECK_INT(whole, i < 3);
        CHECK_INT(l.at, behind[i]);
    }
    CHECK_INT(lines_next(&l, &(struct span){0}, &(bool){0}), 0);
    CHECK_INT(lines_next(&l, &(struct span){0}, &(bool){0}), 0);
}

TEST(from_the_middle_and_not_past_the_limit) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    tree_write(&t, "f", "one\ntwo\nthree\n");
    AUTO(fd) int fd = open_file(&t);
    AUTO(lines) struct lines l;
    struct span line;
    bool whole;
    lines_init(&l, fd, 4, 11);
    CHECK_INT(lines_next(&l, &line, &whole), 1);
    CHECK_SPAN(line, "two");
    CHECK_INT(lines_next(&l, &line, &whole), 0);
}

TEST(lines_longer_than_a_chunk) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    fill(&t, 5 << 20);
    tree_append(&t, "f", "\nshort\n");
    AUTO(fd) int fd = open_file(&t);
    AUTO(lines) struct lines l;
    struct span line;
    bool whole;
    lines_init(&l, fd, 0, UINT64_MAX);
    CHECK_INT(lines_next(&l, &line, &whole), 1);
    CHECK_INT(line.n, 5 << 20);
    CHECK_INT(lines_next(&l, &line, &whole), 1);
    CHECK_SPAN(line, "short");
    CHECK_INT(lines_next(&l, &line, &whole), 0);
}

TEST(a_line_that_is_too_long_is_passed_over) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    tree_write(&t, "f", "first\n");
    fill(&t, LONG);
    tree_append(&t, "f", "\nafter\n");
    fill(&t, LONG);
    AUTO(fd) int fd = open_file(&t);
    AUTO(lines) struct lines l;
    struct span line;
    bool whole;
    lines_init(&l, fd, 0, UINT64_MAX);
    CHECK_INT(lines_next(&l, &line, &whole), 1);
    CHECK_SPAN(line, "first");
    CHECK_INT(lines_next(&l, &line, &whole), 1);
    CHECK_SPAN(line, "after");
    CHECK_INT(l.at, 6 + LONG + 1 + 6);
    CHECK_INT(lines_next(&l, &line, &whole), 0);
}

TEST(what_was_appended_since_is_seen) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    tree_write(&t, "f", "one\ntw");
    AUTO(fd) int fd = open_file(&t);
    AUTO(lines) struct lines l;
    struct span line;
    bool whole;
    lines_init(&l, fd, 0, UINT64_MAX);
    CHECK_INT(lines_next(&l, &line, &whole), 1);
    CHECK_INT(lines_next(&l, &line, &whole), 1);
    CHECK_SPAN(line, "tw");
    tree_append(&t, "f", "o\n");
    AUTO(lines) struct lines again;
    lines_init(&again, fd, l.at, UINT64_MAX);
    CHECK_INT(lines_next(&again, &line, &whole), 1);
    CHECK_SPAN(line, "two");
    CHECK(whole);
}

TESTS(RUN(one_after_the_other), RUN(from_the_middle_and_not_past_the_limit), RUN(lines_longer_than_a_chunk),
      RUN(a_line_that_is_too_long_is_passed_over), RUN(what_was_appended_since_is_seen))
