#include "app/usage.h"

#include "base/mem.h"

#include <stdlib.h>
#include <time.h>

void usage_fini(struct usage *u) {
    free(u->v);
    *u = (struct usage){0};
}

void usage_add(struct usage *u, const struct proc_usage *p) {
    if (u->n == USAGE_PROCESSES_MAX) return;
    if (u->n == u->room) {
        u->room = u->room ? u->room * 2 : 256;
        u->v = xreallocarray(u->v, u->room, sizeof *u->v);
    }
    u->v[u->n++] = *p;
}

static int on_process(void *user, pid_t pid) {
    struct proc_usage p;
    if (proc_usage_read(pid, &p) == 0 && !p.proc.zombie) usage_add(user, &p);
    return 0; /* one that is gone meanwhile is none */
}

static int by_pid(const void *a, const void *b) {
    const struct proc_usage *x = a, *y = b;
    return (x->proc.pid > y->proc.pid) - (x->proc.pid < y->proc.pid);
}

int usage_look(struct usage *u) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    u->at_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    int r = proc_each(on_process, u);
    if (u->n) qsort(u->v, u->n, sizeof *u->v, by_pid);
    return r;
}

static const struct proc_usage *find(const struct usage *u, pid_t pid) {
    const struct proc_usage key = {.proc.pid = pid};
    return u->n ? bsearch(&key, u->v, u->n, sizeof *u->v, by_pid) : NULL;
}

/* Is it the root, of the session that this one leads, or below it? A chain of parents is short; a broken one ends. */
static bool belongs(const struct usage *u, const struct proc_usage *p, pid_t root) {
    enum { GENERATIONS = 256 };
    for (int i = 0; p && i < GENERATIONS; i++) {
        if (p->proc.pid == root || p->session == root) return true;
        p = p->proc.parent > 1 ? find(u, p->proc.parent) : NULL;
    }
    return false;
}

/* What it has had since then. */
static uint64_t cpu_since(const struct usage *before, const struct proc_usage *p) {
    const struct proc_usage *was = before ? find(before, p->proc.pid) : NULL;
    bool same = was && was->proc.start == p->proc.start && was->cpu <= p->cpu;
    return same ? p->cpu - was->cpu : p->cpu;
}

struct usage_tree usage_of(const struct usage *now, const struct usage *before, pid_t root, uint64_t start,
                           long ticks_per_second, int64_t age_ms) {
    struct usage_tree tree = {0};
    const struct proc_usage *first = find(now, root);
    if (root <= 0 || (first && start && first->proc.start != start)) return tree;
    const struct usage *since = before && before->n && before->at_ms < now->at_ms ? before : NULL;
    uint64_t cpu = 0;
    for (size_t i = 0; i < now->n; i++) {
        if (!belongs(now, &now->v[i], root)) continue;
        tree.processes++;
        tree.memory_bytes += now->v[i].memory_bytes;
        cpu += cpu_since(since, &now->v[i]);
    }
    int64_t elapsed_ms = since ? now->at_ms - since->at_ms : age_ms;
    if (elapsed_ms > 0 && ticks_per_second > 0)
        tree.cpu_percent = (double)cpu * 100000.0 / ((double)ticks_per_second * (double)elapsed_ms);
    return tree;
}
