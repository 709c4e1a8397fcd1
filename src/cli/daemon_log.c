#include "cli/daemon_log.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/own.h"
#include "base/own_linked.h"
#include "cli/detach.h"
#include "cli/screen.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LOG_BYTES_MAX = 64 << 20, PIECE = 64 << 10, LOOK_MS = 200 };

static int open_file(const char *file) {
    return own_open_at(AT_FDCWD, file, O_RDONLY, 0);
}

/* Everything from where it is to the end. */
static void read_on(int fd, struct buf *to) {
    for (;;) {
        char *room = buf_reserve(to, PIECE);
        ssize_t n = room ? read(fd, room, PIECE) : -1;
        if (n < 0 && errno == EINTR && room) continue;
        if (n <= 0) return;
        buf_grew(to, (size_t)n);
    }
}

static struct span last_lines(struct span text, uint64_t lines) {
    if (!lines) return text;
    size_t at = text.n;
    while (at > 0 && (at == text.n || text.p[at - 1] != '\n' || lines-- > 1))
        at--;
    return span_skip(text, at);
}

/* What is complete of it; the rest of a line stays for the next time. */
static void print_new(int fd, struct buf *pending) {
    read_on(fd, pending);
    const char *end = pending->n ? memrchr(pending->p, '\n', pending->n) : NULL;
    if (!end) return;
    size_t n = (size_t)(end - pending->p) + 1;
    screen_lines(span_of(pending->p, n));
    buf_consume(pending, n);
    (void)fflush(stdout);
}

/* A file that was renamed is read to its end; then the one that took its name. */
static void follow_file(const char *file, int fd) {
    AUTO(buf) struct buf pending = BUF_INIT(LOG_BYTES_MAX);
    for (;;) {
        struct stat open_one, named;
        bool renamed =
            fstat(fd, &open_one) == 0 && stat(file, &named) == 0 && open_one.st_ino != named.st_ino;
        print_new(fd, &pending);
        int next = renamed ? open_file(file) : -1;
        if (next >= 0) {
            (void)dup2(next, fd);
            (void)close(next);
            continue;
        }
        (void)nanosleep(&(struct timespec){.tv_nsec = LOOK_MS * 1000000L}, NULL);
    }
}

int daemon_log_print(const struct cmd *c, uint64_t lines, bool follow) {
    char file[PATH_BYTES], old[PATH_BYTES + 2];
    struct err err = {0};
    if (detach_log_path(file, &err) < 0) return cmd_fail(c, CMD_FAILED, "%s", err.msg);
    (void)snprintf(old, sizeof old, "%s.1", file);
    AUTO(fd) int before = open_file(old);
    AUTO(fd) int now = open_file(file);
    if (now < 0 && now != -ENOENT) return cmd_fail(c, CMD_FAILED, "cannot read %s: %s", file, own_why(now));
    if (now < 0)
        return cmd_fail(
            c, CMD_FAILED,
            "there is no %s: only ostler serve --detach writes one. A service logs to journalctl --user -u "
            "ostler, a daemon in a terminal to that terminal",
            file);
    AUTO(buf) struct buf text = BUF_INIT(LOG_BYTES_MAX);
    if (before >= 0) read_on(before, &text);
    read_on(now, &text);
    screen_lines(last_lines(buf_span(&text), lines));
    (void)fflush(stdout);
    if (follow) follow_file(file, now);
    return CMD_OK;
}
