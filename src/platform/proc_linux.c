#include "platform/proc.h"

#include "base/cleanup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { STAT_BYTES = 1024 }; /* 52 numbers and a name of at most 64 bytes */

/* Positions behind the name, which is field 2 and the only one that may hold a blank. */
enum { FIELD_STATE = 3, FIELD_PARENT = 4, FIELD_TTY = 7, FIELD_FOREGROUND = 8, FIELD_START = 22 };

static bool parse_tty(struct span field, uint32_t *ret) {
    bool negative = field.n && field.p[0] == '-'; /* the kernel prints the number as a signed one */
    uint64_t v;
    if (!span_u64(span_skip(field, negative), &v) || v > UINT32_MAX) return false;
    *ret = negative ? (uint32_t)(0 - v) : (uint32_t)v;
    return true;
}

int proc_parse(struct span stat, struct proc *ret) {
    const char *open_paren = stat.n ? memchr(stat.p, '(', stat.n) : NULL;
    const char *close_paren = stat.n ? memrchr(stat.p, ')', stat.n) : NULL;
    if (!open_paren || !close_paren || close_paren < open_paren) return -EBADMSG;
    struct proc p = {0};
    uint64_t pid, parent = 0, foreground;
    if (!span_u64(span_trim(span_of(stat.p, (size_t)(open_paren - stat.p))), &pid)) return -EBADMSG;
    struct span comm =
        span_take(span_of(open_paren + 1, (size_t)(close_paren - open_paren - 1)), PROC_COMM_BYTES - 1);
    memcpy(p.comm, comm.p, comm.n);

    struct span rest = span_skip(stat, (size_t)(close_paren - stat.p) + 2);
    bool ok = true;
    for (int field = FIELD_STATE; ok && field <= FIELD_START; field++) {
        struct span s = span_split(&rest, ' ');
        if (field == FIELD_STATE)
            p.zombie = span_eq(s, SPAN("Z")) || span_eq(s, SPAN("X"));
        else if (field == FIELD_PARENT)
            ok = span_u64(s, &parent);
        else if (field == FIELD_TTY)
            ok = parse_tty(s, &p.tty);
        else if (field == FIELD_FOREGROUND)
            p.foreground = span_u64(s, &foreground) && foreground <= INT32_MAX ? (pid_t)foreground : 0;
        else if (field == FIELD_START)
            ok = span_u64(span_trim(s), &p.start);
    }
    if (!ok || pid > INT32_MAX || parent > INT32_MAX) return -EBADMSG;
    p.pid = (pid_t)pid;
    p.parent = (pid_t)parent;
    *ret = p;
    return 0;
}

int proc_usage_parse(struct span stat, struct proc_usage *ret) {
    enum { FIELD_SESSION = 6, FIELD_USER = 14, FIELD_SYSTEM = 15, FIELD_RESIDENT = 24 };
    struct proc_usage u = {0};
    int r = proc_parse(stat, &u.proc);
    if (r < 0) return r;
    const char *close_paren = stat.n ? memrchr(stat.p, ')', stat.n) : NULL;
    if (!close_paren) return -EBADMSG;
    struct span rest = span_skip(stat, (size_t)(close_paren - stat.p) + 2);
    uint64_t session = 0, user = 0, system = 0, pages = 0;
    bool ok = true;
    for (int field = FIELD_STATE; ok && field <= FIELD_RESIDENT; field++) {
        struct span s = span_split(&rest, ' ');
        if (field == FIELD_SESSION)
            ok = span_u64(s, &session) && session <= INT32_MAX;
        else if (field == FIELD_USER)
            ok = span_u64(s, &user);
        else if (field == FIELD_SYSTEM)
            ok = span_u64(s, &system);
        else if (field == FIELD_RESIDENT)
            ok = span_u64(s, &pages);
    }
    if (!ok) return -EBADMSG;
    u.session = (pid_t)session;
    u.cpu = user + system;
    u.memory_bytes = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    *ret = u;
    return 0;
}

/* "/proc/PID/name", without printf: the hook does this on every event. `name` has at most PROC_FILE_MAX bytes. */
enum { PROC_FILE_MAX = 8, PROC_PATH_BYTES = 32 };

static void proc_path(char out[PROC_PATH_BYTES], pid_t pid, const char *name) {
    char digits[SPAN_DIGITS];
    struct span number = span_digits(digits, (unsigned)pid);
    char *p = mempcpy(out, "/proc/", 6);
    p = mempcpy(p, number.p, number.n);
    *p++ = '/';
    size_t name_len = strlen(name);
    assert(name_len <= PROC_FILE_MAX);
    memcpy(p, name, name_len + 1);
}

static int open_file(pid_t pid, const char *name) {
    char path[PROC_PATH_BYTES];
    proc_path(path, pid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static int read_stat(pid_t pid, char text[STAT_BYTES], struct span *ret) {
    AUTO(fd) int fd = open_file(pid, "stat");
    if (fd < 0) return fd;
    ssize_t n = read(fd, text, STAT_BYTES);
    if (n < 0) return -errno;
    *ret = span_of(text, (size_t)n);
    return 0;
}

int proc_read(pid_t pid, struct proc *ret) {
    char text[STAT_BYTES];
    struct span stat = SPAN_NONE;
    int r = read_stat(pid, text, &stat);
    return r < 0 ? r : proc_parse(stat, ret);
}

int proc_usage_read(pid_t pid, struct proc_usage *ret) {
    char text[STAT_BYTES];
    struct span stat = SPAN_NONE;
    int r = read_stat(pid, text, &stat);
    return r < 0 ? r : proc_usage_parse(stat, ret);
}

long proc_ticks_per_second(void) {
    return sysconf(_SC_CLK_TCK);
}

bool proc_alive(int64_t pid, uint64_t start) {
    if (pid <= 0 || pid > INT32_MAX) return false;
    struct proc p = {0};
    int r = proc_read((pid_t)pid, &p);
    if (r < 0) return r != -ENOENT && r != -ESRCH;
    return !p.zombie && (start == 0 || p.start == start);
}

static int each_of(bool everybody, int (*each)(void *user, pid_t pid), void *user) {
    AUTO(dir) DIR *all = opendir("/proc");
    if (!all) return -errno;
    uid_t me = geteuid();
    for (struct dirent *e; (e = readdir(all));) {
        uint64_t pid;
        struct stat st;
        if (!span_u64(span_str(e->d_name), &pid) || pid > INT32_MAX) continue;
        /* The directory's owner is the process' user; its files may be root's even so. */
        if (!everybody && (fstatat(dirfd(all), e->d_name, &st, 0) < 0 || st.st_uid != me)) continue;
        int r = each(user, (pid_t)pid);
        if (r != 0) return r;
    }
    return 0;
}

int proc_each(int (*each)(void *user, pid_t pid), void *user) {
    return each_of(false, each, user);
}

int proc_each_user(int (*each)(void *user, pid_t pid), void *user) {
    return each_of(true, each, user);
}

int proc_cwd(pid_t pid, char ret[PATH_BYTES]) {
    char path[PROC_PATH_BYTES];
    proc_path(path, pid, "cwd");
    ssize_t n = readlink(path, ret, PATH_BYTES);
    if (n < 0) return -errno;
    if (n == PATH_BYTES) return -ENAMETOOLONG;
    ret[n] = '\0';
    return 0;
}

int proc_args(pid_t pid, char ret[PROC_ARGS_BYTES]) {
    AUTO(fd) int fd = open_file(pid, "cmdline");
    if (fd < 0) return fd;
    ssize_t n = read(fd, ret, PROC_ARGS_BYTES);
    return n < 0 ? -errno : (int)n;
}

bool proc_tty_path(uint32_t tty, char ret[PROC_TTY_BYTES]) {
    enum { MAJOR_TTY = 4, MAJOR_PTS = 136, MAJOR_PTS_LAST = 143, FIRST_SERIAL = 64 };
    uint32_t major = tty >> 8 & 0xfff, minor = (tty & 0xff) | (tty >> 12 & 0xfff00);
    if (major >= MAJOR_PTS && major <= MAJOR_PTS_LAST) {
        (void)snprintf(ret, PROC_TTY_BYTES, "/dev/pts/%u", minor + (major - MAJOR_PTS) * 256);
    } else if (major == MAJOR_TTY && minor < FIRST_SERIAL) {
        (void)snprintf(ret, PROC_TTY_BYTES, "/dev/tty%u", minor);
    } else if (major == MAJOR_TTY) {
        (void)snprintf(ret, PROC_TTY_BYTES, "/dev/ttyS%u", minor - FIRST_SERIAL);
    } else {
        return false;
    }
    return true;
}

/* A child of a thread of `pid` that began at `since` ticks or later; 0 when there is none. */
static pid_t thread_child(pid_t pid, const char *thread, uint64_t since) {
    char path[300], text[4096];
    (void)snprintf(path, sizeof path, "/proc/%lld/task/%s/children", (long long)pid, thread);
    AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text);
    struct span rest = span_of(text, n > 0 ? (size_t)n : 0);
    /* Of more children than fit the last number may be cut; every number is followed by a blank. */
    while (rest.n && rest.p[rest.n - 1] != ' ')
        rest.n--;
    while (rest.n) {
        uint64_t child;
        struct proc p = {0};
        if (!span_u64(span_split(&rest, ' '), &child) || child > INT32_MAX) continue;
        if (proc_read((pid_t)child, &p) == 0 && p.start >= since) return (pid_t)child;
    }
    return 0;
}

pid_t proc_child(pid_t pid, uint64_t since) {
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%lld/task", (long long)pid);
    AUTO(dir) DIR *threads = opendir(path);
    pid_t child = 0;
    for (struct dirent *e; threads && !child && (e = readdir(threads));)
        if (e->d_name[0] != '.') child = thread_child(pid, e->d_name, since);
    return child;
}

/* Of one thread, as above. */
static int thread_has_child(pid_t pid, const char *thread) {
    char path[300], byte;
    (void)snprintf(path, sizeof path, "/proc/%lld/task/%s/children", (long long)pid, thread);
    AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, &byte, 1);
    return n < 0 ? -errno : n > 0;
}

int proc_has_child(pid_t pid) {
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%lld/task", (long long)pid);
    AUTO(dir) DIR *threads = opendir(path);
    int r = threads ? 0 : -errno;
    for (struct dirent *e; threads && r == 0 && (e = readdir(threads));)
        if (e->d_name[0] != '.') r = thread_has_child(pid, e->d_name);
    return r;
}

uint64_t proc_namespace(void) {
    struct stat st;
    return stat("/proc/self/ns/pid", &st) < 0 ? 0 : st.st_ino;
}

static int64_t since_boot_ms(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_BOOTTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t proc_age_ms(uint64_t start) {
    return since_boot_ms() - (int64_t)(start * 1000 / (uint64_t)sysconf(_SC_CLK_TCK));
}

uint64_t proc_ticks_ago(int64_t ms) {
    int64_t then = since_boot_ms() - ms;
    return then <= 0 ? 0 : (uint64_t)then * (uint64_t)sysconf(_SC_CLK_TCK) / 1000;
}
