#include "base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static _Atomic int max_level = LOG_INFO;

void log_set_level(enum log_level level) {
    atomic_store(&max_level, (int)level);
}

void log_line(enum log_level level, const char *tag, const char *fmt, ...) {
    if ((int)level > atomic_load(&max_level)) return;
    static const char *const words[] = {"ERROR ", "WARN ", "", "DEBUG "};

    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    struct tm tm;
    (void)gmtime_r(&now.tv_sec, &tm);

    char line[2048];
    size_t len = strftime(line, sizeof line, "[%Y-%m-%dT%H:%M:%S", &tm);
    int n =
        snprintf(line + len, sizeof line - len, ".%03ldZ] [%s] %s", now.tv_nsec / 1000000, tag, words[level]);
    len += n > 0 ? (size_t)n : 0;

    va_list ap;
    va_start(ap, fmt);
    n = vsnprintf(line + len, sizeof line - len - 1, fmt, ap);
    va_end(ap);
    if (n > 0) len = MIN(len + (size_t)n, sizeof line - 2);
    line[len++] = '\n';
    /* One write a line, so that lines of several threads never mix. */
    ssize_t ignored = write(STDERR_FILENO, line, len);
    (void)ignored;
}
