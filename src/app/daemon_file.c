#include "app/daemon_file.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/own.h"
#include "base/own_linked.h"
#include "platform/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_NAME "daemon.json"
#define LOCK_NAME "lock"

int daemon_is_busy(const struct paths *p, struct err *err) {
    struct daemon_info info = {0};
    struct daemon_process process = {0};
    bool is_told = daemon_file_read(p, &info) == 0;
    if (daemon_running(p, &process) == 0) {
        is_told = is_told && info.pid == process.pid; /* a crashed one may have left its own behind */
        info.pid = process.pid;
    }
    if (is_told)
        return err_set(
            err, -EBUSY,
            "an ostler already runs here (pid %lld): open %s, take over with --replace, or give this one its "
            "own OSTLER_HOME",
            (long long)info.pid, info.url);
    if (info.pid)
        return err_set(
            err, -EBUSY,
            "an ostler is just starting or stopping here (pid %lld): wait, take over with --replace, or give "
            "this one its own OSTLER_HOME",
            (long long)info.pid);
    return err_set(err, -EBUSY, "another ostler uses %s: stop it, or give this one its own OSTLER_HOME",
                   p->state);
}

int daemon_was_faster(const struct paths *p, struct err *err) {
    struct daemon_process other;
    char who[32] = "";
    if (daemon_running(p, &other) == 0) (void)snprintf(who, sizeof who, " (pid %lld)", (long long)other.pid);
    return err_set(err, -EBUSY,
                   "another ostler has taken over in the same moment%s: ostler status says where it is", who);
}

enum { FILE_MAX = 8192 };

/* Where nothing can be made or written, what is there can be locked all the same: the file, or else its directory. */
static int open_lock(const char *state, const char *path) {
    int fd = own_open(path, O_RDWR | O_CREAT, 0600);
    if (fd == -EROFS) fd = own_open(path, O_RDONLY, 0);
    return fd == -ENOSPC || fd == -EDQUOT || fd == -ENOENT || fd == -EROFS ? own_dir(state) : fd;
}

/*
 * A daemon that is killed in the moment in which it starts a program leaves a copy of its descriptors behind, the lock among
 * them, until that program has begun. So a lock that nobody living is named for is waited for.
 */
static int take_lock(const struct paths *p, int fd) {
    enum { PATIENCE_MS = 2000, LOOK_MS = 5 };
    struct daemon_process holder;
    for (int waited = 0; flock(fd, LOCK_EX | LOCK_NB) < 0; waited += LOOK_MS) {
        if (errno != EWOULDBLOCK || waited >= PATIENCE_MS || daemon_running(p, &holder) == 0) return -EBUSY;
        (void)poll(NULL, 0, LOOK_MS);
    }
    return 0;
}

int daemon_lock(const struct paths *p, struct err *err) {
    char path[PATH_BYTES];
    int r = path_join(path, p->state, LOCK_NAME);
    if (r < 0) return err_set(err, r, "the state directory's path is too long");
    AUTO(fd) int fd = open_lock(p->state, path);
    if (fd < 0) return err_set(err, fd, "cannot open %s: %s", path, own_why(fd));
    if (take_lock(p, fd) < 0) return daemon_is_busy(p, err);
    /* Who has it, for those who want to stop it. Without (the disk is full) the lock holds all the same. */
    struct proc self;
    if (proc_read(getpid(), &self) < 0) self.start = 0;
    if (ftruncate(fd, 0) == 0) (void)dprintf(fd, "%d %" PRIu64 "\n", (int)getpid(), self.start);
    return TAKE_FD(fd);
}

int daemon_running(const struct paths *p, struct daemon_process *ret) {
    char path[PATH_BYTES], text[64];
    int r = path_join(path, p->state, LOCK_NAME);
    if (r < 0) return r;
    AUTO(fd) int fd = own_open(path, O_RDONLY, 0);
    if (fd < 0) return fd;
    ssize_t n = read(fd, text, sizeof text);
    if (n < 0) return -errno;
    struct span rest = span_trim(span_of(text, (size_t)n));
    uint64_t pid, start;
    if (!span_u64(span_split(&rest, ' '), &pid) || !span_u64(rest, &start) || start == 0 ||
        !proc_alive((int64_t)pid, start))
        return -ENOENT;
    *ret = (struct daemon_process){.pid = (int64_t)pid, .start = start};
    return 0;
}

int daemon_file_write(const struct paths *p, const struct daemon_info *info, struct err *err) {
    AUTO(buf) struct buf text = BUF_INIT(FILE_MAX);
    struct jwrite w = JWRITE_INIT(&text);
    jwrite_object(&w);
    jwrite_ki64(&w, "pid", info->pid);
    jwrite_ki64(&w, "port", info->port);
    jwrite_kcstr(&w, "url", info->url);
    jwrite_kcstr(&w, "version", info->version);
    if (info->socket[0]) jwrite_kcstr(&w, "socket", info->socket);
    if (info->fingerprint[0]) jwrite_kcstr(&w, "fingerprint", info->fingerprint);
    jwrite_object_end(&w);
    (void)buf_append_char(&text, '\n');

    char path[PATH_BYTES];
    if (path_join(path, p->run, FILE_NAME) < 0)
        return err_set(err, -ENAMETOOLONG, "the runtime directory's path is too long");
    int r = file_replace(path, buf_span(&text), 0600, false);
    return r < 0 ? err_set(err, r, "cannot write %s: %s", path, own_why(r)) : 0;
}

void daemon_file_remove(const struct paths *p) {
    char path[PATH_BYTES];
    if (path_join(path, p->run, FILE_NAME) == 0) (void)unlink(path);
}

int daemon_file_read(const struct paths *p, struct daemon_info *ret) {
    char path[PATH_BYTES], text[FILE_MAX];
    int r = path_join(path, p->run, FILE_NAME);
    if (r < 0) return r;
    AUTO(fd) int fd = own_open(path, O_RDONLY, 0);
    if (fd < 0) return fd;
    ssize_t n = read(fd, text, sizeof text);
    if (n < 0) return -errno;

    struct jmember m[] = {JMEMBER("pid"),     JMEMBER("port"),   JMEMBER("url"),
                          JMEMBER("version"), JMEMBER("socket"), JMEMBER("fingerprint")};
    AUTO(arena) struct arena arena = ARENA_INIT(FILE_MAX);
    struct daemon_info info = {0};
    struct span url, version, more;
    int64_t port;
    if (jscan_object(span_of(text, (size_t)n), m, ARRAY_LEN(m)) < 0 || !jscan_i64(m[0].value, &info.pid) ||
        !jscan_i64(m[1].value, &port) || port < 1 || port > UINT16_MAX ||
        jscan_string(m[2].value, &arena, &url) < 0 || jscan_string(m[3].value, &arena, &version) < 0)
        return -EINVAL;
    info.port = (uint16_t)port;
    (void)snprintf(info.url, sizeof info.url, "%.*s", SPAN_ARG(url));
    (void)snprintf(info.version, sizeof info.version, "%.*s", SPAN_ARG(version));
    if (jscan_string(m[4].value, &arena, &more) == 0)
        (void)snprintf(info.socket, sizeof info.socket, "%.*s", SPAN_ARG(more));
    if (jscan_string(m[5].value, &arena, &more) == 0)
        (void)snprintf(info.fingerprint, sizeof info.fingerprint, "%.*s", SPAN_ARG(more));
    *ret = info;
    return 0;
}
