#include "base/log.h"

#include "base/cleanup.h"
#include "test.h"

#include <fcntl.h>

/* What a line on standard error is, behind its time. */
static void check_word(enum log_level level, const char *word, const char *expected) {
    int ends[2];
    char line[256] = "";
    CHECK_INT(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
    int stderr_fd = dup(STDERR_FILENO);
    CHECK(dup2(ends[1], STDERR_FILENO) >= 0);
    log_line(level, "tag", "a %s", word);
    CHECK(dup2(stderr_fd, STDERR_FILENO) >= 0);
    ssize_t n = read(ends[0], line, sizeof line - 1);
    (void)close(stderr_fd), (void)close(ends[0]), (void)close(ends[1]);
    if (!expected) {
        CHECK_INT(n, -1);
        return;
    }
    CHECK(n > 27 && line[0] == '[' && line[11] == 'T' && line[20] == '.' && line[24] == 'Z');
    CHECK_STR(line + 25, expected);
}

static void check(enum log_level level, const char *expected) {
    check_word(level, "word", expected);
}

TEST(a_line_has_time_tag_level_and_message) {
    check(LOG_ERROR, "] [tag] ERROR a word\n");
    check(LOG_WARN, "] [tag] WARN a word\n");
    check(LOG_INFO, "] [tag] a word\n");
    check(LOG_DEBUG, NULL);
    log_set_level(LOG_DEBUG);
    check(LOG_DEBUG, "] [tag] DEBUG a word\n");
}

TEST(levels_have_colours_if_wanted) {
    log_set_level(LOG_DEBUG);
    log_set_colour(true);
    check(LOG_ERROR, "] [tag] \033[31mERROR\033[0m a word\n");
    check(LOG_WARN, "] [tag] \033[33mWARN\033[0m a word\n");
    check(LOG_INFO, "] [tag] a word\n");
    check(LOG_DEBUG, "] [tag] \033[35mDEBUG\033[0m a word\n");
    log_set_colour(false);
    check(LOG_WARN, "] [tag] WARN a word\n");
}

TEST(what_is_quoted_cannot_forge_a_line) {
    check_word(LOG_INFO, "x\r\n[2026-01-01T00:00:00.000Z] [net] ERROR forged",
               "] [tag] a x\\x0d\\n[2026-01-01T00:00:00.000Z] [net] ERROR forged\n");
    check_word(LOG_INFO,
               "\x1b]0;t\a \xc2\x9b"
               "6n \u202e \u200b \xff",
               "] [tag] a \\x1b]0;t\\x07 \\u009b6n \\u202e \\u200b \\xff\n");
    check_word(LOG_INFO, "caf\u00e9 \U0001f434", "] [tag] a caf\u00e9 \U0001f434\n");
}

TEST(a_long_line_is_cut) {
    char word[4000] = "";
    memset(word, 0x1b, sizeof word - 1);
    int ends[2], stderr_fd = dup(STDERR_FILENO);
    static char line[8192];
    CHECK_INT(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
    CHECK(dup2(ends[1], STDERR_FILENO) >= 0);
    log_line(LOG_INFO, "tag", "%s", word);
    CHECK(dup2(stderr_fd, STDERR_FILENO) >= 0);
    ssize_t n = read(ends[0], line, sizeof line);
    (void)close(stderr_fd), (void)close(ends[0]), (void)close(ends[1]);
    CHECK(n > 1900 && n <= 2048 && memchr(line, '\n', (size_t)n) == line + n - 1 &&
          !memchr(line, 0x1b, (size_t)n));
}

TESTS(RUN(a_line_has_time_tag_level_and_message), RUN(levels_have_colours_if_wanted),
      RUN(what_is_quoted_cannot_forge_a_line), RUN(a_long_line_is_cut))
