#define LOG_TAG "test"
#include "base/log.h"

#include "base/err.h"
#include "base/path.h"
#include "temp_dir.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

enum { LIMIT = 64 << 10, THREADS = 4, LINES = 2000 };

/* Standard error is the file for as long as a test runs. */
static int saved = -1;

static void begin(const char *dir, char file[PATH_BYTES]) {
    struct err err = {0};
    saved = dup(STDERR_FILENO);
    CHECK_INT(path_join(file, dir, "log"), 0);
    CHECK_INT(log_to_file(file, LIMIT, &err), 0);
}

static void end(void) {
    (void)dup2(saved, STDERR_FILENO);
    (void)close(saved);
}

static off_t size_of(const char *file) {
    struct stat st;
    return stat(file, &st) < 0 ? -1 : st.st_size;
}

TEST(a_file_for_its_owner_that_is_appended_to) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char file[PATH_BYTES];
    begin(t.path, file);
    log_info("one");
    log_warn("two");
    end();
    begin(t.path, file);
    log_error("three");
    end();
    struct stat st;
    CHECK_INT(stat(file, &st), 0);
    CHECK_INT(st.st_mode & 0777, 0600);
    AUTO(fd) int fd = open(file, O_RDONLY | O_CLOEXEC);
    char text[4096] = "";
    CHECK(read(fd, text, sizeof text - 1) > 0);
    CHECK(strstr(text, "] [test] one\n") && strstr(text, "WARN two\n") && strstr(text, "ERROR three\n"));
}

static void *write_lines(void *name) {
    for (int i = 0; i < LINES; i++)
        log_info("%s %d %s", (const char *)name, i, "a line of some length that fills the file");
    return NULL;
}

/* Both files stay within the limit and a line, no line is torn, and the newest are there. */
TEST(threads_turn_it_over) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char file[PATH_BYTES], old[PATH_BYTES + 2];
    begin(t.path, file);
    pthread_t threads[THREADS];
    static char names[THREADS][2] = {"a", "b", "c", "d"};
    for (size_t i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, write_lines, names[i]), 0);
    for (size_t i = 0; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    log_info("the last line");
    end();
    (void)snprintf(old, sizeof old, "%s.1", file);
    enum { SLACK = THREADS * 512 };
    CHECK(size_of(file) > 0 && size_of(file) <= LIMIT + SLACK);
    CHECK(size_of(old) > LIMIT && size_of(old) <= LIMIT + SLACK);
    const char *const both[] = {old, file};
    char line[1024], last[1024] = "";
    for (size_t i = 0; i < ARRAY_LEN(both); i++) {
        AUTO(file) FILE *f = fopen(both[i], "re");
        while (fgets(line, sizeof line, f)) {
            if (line[0] != '[' || line[strlen(line) - 1] != '\n') fail_msg("torn: %s", line);
            memcpy(last, line, sizeof last);
        }
    }
    CHECK(strstr(last, "the last line\n"));
}

TEST(what_cannot_be_written_is_said) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct err err = {0};
    char file[PATH_BYTES], longest[2 * PATH_BYTES];
    CHECK_INT(path_join(file, t.path, "no/such/log"), 0);
    CHECK_INT(log_to_file(file, LIMIT, &err), -ENOENT);
    CHECK(strstr(err.msg, "no/such/log"));
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    CHECK_INT(log_to_file(longest, LIMIT, &err), -ENAMETOOLONG);
}

TESTS(RUN(a_file_for_its_owner_that_is_appended_to), RUN(threads_turn_it_over),
      RUN(what_cannot_be_written_is_said))
