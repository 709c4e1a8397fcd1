#include "pty/runs.h"

#include "base/cleanup.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <unistd.h>

enum { ENVIRON_BYTES = 256 << 10, GENERATIONS = 256 };

/* Shells that edit their command line, and so switch the terminal's own editing off while they wait for one. */
static bool is_shell(const char *comm) {
    static const char *const shells[] = {"bash", "zsh",  "fish", "ksh",   "ksh93",
                                         "mksh", "tcsh", "nu",   "elvish"};
    for (size_t i = 0; i < ARRAY_LEN(shells); i++)
        if (strcmp(comm, shells[i]) == 0) return true;
    return false;
}

/* Does somebody read the terminal key by key? A shell does at its prompt, and not while it runs something, be it a loop or a `read`
 * of its own. */
static bool reads_keys(uint32_t tty) {
    char path[PROC_TTY_BYTES];
    struct stat st;
    struct termios t;
    if (!proc_tty_path(tty, path)) return false;
    AUTO(fd) int fd = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0 || !S_ISCHR(st.st_mode) || tcgetattr(fd, &t) < 0) return false;
    unsigned major_number = tty >> 8 & 0xfff, minor_number = (tty & 0xff) | (tty >> 12 & 0xfff00);
    return st.st_rdev == makedev(major_number, minor_number) && !(t.c_lflag & ICANON);
}

/* Everybody */

struct crowd {
    struct proc_usage *v;
    size_t n, room;
};

static int take(void *user, pid_t pid) {
    struct crowd *c = user;
    struct proc_usage p;
    if (proc_usage_read(pid, &p) < 0 || p.proc.zombie) return 0; /* gone meanwhile */
    if (c->n == c->room) {
        c->room = c->room ? c->room * 2 : 256;
        c->v = xreallocarray(c->v, c->room, sizeof *c->v);
    }
    c->v[c->n++] = p;
    return 0;
}

static int by_pid(const void *a, const void *b) {
    const struct proc_usage *x = a, *y = b;
    return (x->proc.pid > y->proc.pid) - (x->proc.pid < y->proc.pid);
}

static const struct proc_usage *find(const struct crowd *c, pid_t pid) {
    const struct proc_usage key = {.proc.pid = pid};
    return c->n ? bsearch(&key, c->v, c->n, sizeof *c->v, by_pid) : NULL;
}

static bool descends(const struct crowd *c, const struct proc_usage *p, pid_t root) {
    for (int i = 0; p && i < GENERATIONS; i++) {
        if (p->proc.parent == root) return true;
        p = p->proc.parent > 1 ? find(c, p->proc.parent) : NULL;
    }
    return false;
}

/* Is the terminal's name in its environment? Of others' processes that is not to be known. */
static bool carries(const struct proc_usage *p, const char *mark, char *room) {
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%lld/environ", (long long)p->proc.pid);
    AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t n = 0;
    for (ssize_t got; fd >= 0 && n < ENVIRON_BYTES && (got = read(fd, room + n, ENVIRON_BYTES - n)) > 0;)
        n += (size_t)got;
    struct span rest = span_of(room, n), wanted = span_str(mark);
    while (rest.n)
        if (span_eq(span_split(&rest, '\0'), wanted)) return true;
    return false;
}

/* The first process that belongs to the terminal beside `root`; NULL when there is none. The keeper has its environment. */
static const struct proc_usage *somebody(const struct crowd *c, const struct proc_usage *root,
                                         const char *id) {
    char mark[128];
    (void)snprintf(mark, sizeof mark, "OSTLER_TERMINAL=%s", id);
    AUTO(free) char *room = xmalloc(ENVIRON_BYTES);
    for (size_t i = 0; i < c->n; i++) {
        const struct proc_usage *p = &c->v[i];
        if (p->proc.pid == root->proc.pid || p->proc.pid == root->proc.parent) continue;
        if (p->session == root->proc.pid || (root->proc.tty && p->proc.tty == root->proc.tty) ||
            descends(c, p, root->proc.pid) || carries(p, mark, room))
            return p;
    }
    return NULL;
}

/* Everybody who belongs to it counts: jobs in the background, stopped ones, those that left its session, those of root (sudo),
 * servers that they started. */
static enum runs look_around(struct runs_look *l, const struct proc_usage *root) {
    struct crowd crowd = {0};
    int r = proc_each_user(take, &crowd);
    if (crowd.n) qsort(crowd.v, crowd.n, sizeof *crowd.v, by_pid);
    const struct proc_usage *other = r < 0 ? NULL : somebody(&crowd, root, l->id);
    if (other) memcpy(l->what, other->proc.comm, sizeof l->what);
    bool alone = r == 0 && !other && find(&crowd, root->proc.pid);
    free(crowd.v);
    return alone ? RUNS_NOTHING : RUNS_SOMETHING;
}

enum runs runs_look(struct runs_look *l) {
    struct proc_usage root;
    l->what[0] = '\0';
    if (l->pid <= 1 || l->pid > INT32_MAX || proc_usage_read((pid_t)l->pid, &root) < 0 || root.proc.zombie ||
        root.proc.start != l->start)
        return RUNS_SOMETHING;
    l->cpu = root.cpu;
    memcpy(l->what, root.proc.comm, sizeof l->what);
    if (!is_shell(root.proc.comm) || root.proc.foreground != root.proc.pid || !reads_keys(root.proc.tty))
        return RUNS_SOMETHING;
    /* The kernel tells children even where /proc hides those of other users. */
    if (proc_has_child((pid_t)l->pid) != 0) return RUNS_SOMETHING;
    return look_around(l, &root);
}
