#include "base/log.h"

#include "base/cleanup.h"
#include "base/err.h"
#include "base/own.h"
#include "base/own_linked.h"
#include "base/path.h"
#include "base/shown.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LINE_BYTES = 2048 };

static _Atomic int max_level = LOG_INFO;
static _Atomic bool has_colour;

void log_set_level(enum log_level level) {
    atomic_store(&max_level, (int)level);
}

bool log_wants(enum log_level level) {
    return (int)level <= atomic_load(&max_level);
}

void log_set_colour(bool on) {
    atomic_store(&has_colour, on);
}

/* ---- a file ---------------------------------------------------------------------------------------------------- */

static struct {
    pthread_mutex_t lock; /* two threads find it too large at the same moment */
    _Atomic bool used;
    size_t limit;
    char path[PATH_BYTES], old[PATH_BYTES];
} file = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int begin_file(void) {
    AUTO(fd) int fd = own_open_at(AT_FDCWD, file.path, O_WRONLY | O_APPEND | O_CREAT, 0600);
    if (fd < 0) return fd;
    return dup2(fd, STDERR_FILENO) < 0 ? -errno : 0;
}

/* What cannot be renamed or begun anew goes on as it is: a log that grows is better than none. */
static void turn_over(void) {
    struct stat st;
    (void)pthread_mutex_lock(&file.lock);
    if (fstat(STDERR_FILENO, &st) == 0 && (size_t)st.st_size > file.limit) {
        (void)rename(file.path, file.old);
        (void)begin_file();
    }
    (void)pthread_mutex_unlock(&file.lock);
}

int log_to_file(const char *path, size_t limit, struct err *err) {
    int n = snprintf(file.old, sizeof file.old, "%s.1", path);
    if (n < 0 || (size_t)n >= sizeof file.old)
        return err_set(err, -ENAMETOOLONG, "the path of the log is too long");
    (void)snprintf(file.path, sizeof file.path, "%s", path);
    file.limit = limit;
    int r = begin_file();
    if (r < 0) return err_set(err, r, "cannot write the log %s: %s", path, own_why(r));
    atomic_store(&file.used, true);
    turn_over();
    return 0;
}

/* ---- lines ----------------------------------------------------------------------------------------------------- */

void log_line(enum log_level level, const char *tag, const char *fmt, ...) {
    if (!log_wants(level)) return;
    static const char *const plain[] = {"ERROR ", "WARN ", "", "DEBUG "};
    static const char *const coloured[] = {"\033[31mERROR\033[0m ", "\033[33mWARN\033[0m ", "",
                                           "\033[35mDEBUG\033[0m "};
    const char *const *words = atomic_load(&has_colour) ? coloured : plain;

    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    struct tm tm;
    (void)gmtime_r(&now.tv_sec, &tm);

    char line[LINE_BYTES], message[LINE_BYTES];
    size_t len = strftime(line, sizeof line, "[%Y-%m-%dT%H:%M:%S", &tm);
    int n =
        snprintf(line + len, sizeof line - len, ".%03ldZ] [%s] %s", now.tv_nsec / 1000000, tag, words[level]);
    len += n > 0 ? (size_t)n : 0;

    va_list ap;
    va_start(ap, fmt);
    n = vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    /* What it quotes cannot end the line, nor speak to whoever reads the log in a terminal. */
    struct span said = span_of(message, MIN((size_t)MAX(n, 0), sizeof message - 1));
    len += shown_copy(said, SHOWN_SPELLED, line + len, sizeof line - len - 1);
    line[len++] = '\n';
    /* One write a line, so that lines of several threads never mix. */
    ssize_t ignored = write(STDERR_FILENO, line, len);
    (void)ignored;
    if (atomic_load(&file.used)) turn_over();
}
