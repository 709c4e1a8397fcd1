#include "hook/proc.h"

#include "base/cleanup.h"
#include "hook/out.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { STAT_BYTES = 1024 }; /* 52 numbers and a name of at most 64 bytes */

/* Positions behind the name, which is field 2 and the only one that may hold a blank. */
enum { FIELD_PARENT = 4, FIELD_TTY = 7, FIELD_START = 22 };

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
    uint64_t pid, parent = 0;
    if (!span_u64(span_trim(span_of(stat.p, (size_t)(open_paren - stat.p))), &pid)) return -EBADMSG;
    struct span comm =
        span_take(span_of(open_paren + 1, (size_t)(close_paren - open_paren - 1)), PROC_COMM_BYTES - 1);
    memcpy(p.comm, comm.p, comm.n);

    struct span rest = span_skip(stat, (size_t)(close_paren - stat.p) + 2);
    bool ok = true;
    for (int field = 3; ok && field <= FIELD_START; field++) {
        struct span s = span_split(&rest, ' ');
        if (field == FIELD_PARENT)
            ok = span_u64(s, &parent);
        else if (field == FIELD_TTY)
            ok = parse_tty(s, &p.tty);
        else if (field == FIELD_START)
            ok = span_u64(span_trim(s), &p.start);
    }
    if (!ok || pid > INT32_MAX || parent > INT32_MAX) return -EBADMSG;
    p.pid = (pid_t)pid;
    p.parent = (pid_t)parent;
    *ret = p;
    return 0;
}

int proc_read(pid_t pid, struct proc *ret) {
    char path[32], text[STAT_BYTES];
    struct out o = {.p = path, .cap = sizeof path - 1};
    out_raw(&o, SPAN("/proc/"));
    out_u64(&o, (uint64_t)pid);
    out_raw(&o, SPAN("/stat"));
    path[o.n] = '\0';
    AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return -errno;
    ssize_t n = read(fd, text, sizeof text);
    return n < 0 ? -errno : proc_parse(span_of(text, (size_t)n), ret);
}

static bool is_shell(const char *comm) {
    static const char *const shells[] = {"sh",  "bash", "dash", "zsh",     "fish", "ash",
                                         "ksh", "mksh", "yash", "busybox", "tcsh", "csh"};
    for (size_t i = 0; i < ARRAY_LEN(shells); i++)
        if (strcmp(comm, shells[i]) == 0) return true;
    return false;
}

void proc_agent(pid_t parent, struct proc *ret) {
    *ret = (struct proc){.pid = parent};
    if (proc_read(parent, ret) < 0 || !is_shell(ret->comm) || ret->parent <= 1) return;
    struct proc before;
    if (proc_read(ret->parent, &before) == 0) *ret = before;
}

bool proc_tty_path(uint32_t tty, char ret[PROC_TTY_BYTES]) {
    enum { MAJOR_TTY = 4, MAJOR_PTS = 136, MAJOR_PTS_LAST = 143, FIRST_SERIAL = 64 };
    uint32_t major = tty >> 8 & 0xfff, minor = (tty & 0xff) | (tty >> 12 & 0xfff00);
    struct out o = {.p = ret, .cap = PROC_TTY_BYTES - 1};
    if (major >= MAJOR_PTS && major <= MAJOR_PTS_LAST) {
        out_raw(&o, SPAN("/dev/pts/"));
        out_u64(&o, minor + (major - MAJOR_PTS) * 256);
    } else if (major == MAJOR_TTY && minor < FIRST_SERIAL) {
        out_raw(&o, SPAN("/dev/tty"));
        out_u64(&o, minor);
    } else if (major == MAJOR_TTY) {
        out_raw(&o, SPAN("/dev/ttyS"));
        out_u64(&o, minor - FIRST_SERIAL);
    } else {
        return false;
    }
    ret[o.n] = '\0';
    return true;
}
