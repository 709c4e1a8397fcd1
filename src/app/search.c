#define LOG_TAG "search"
#include "app/search.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/log.h"
#include "base/mem.h"
#include "core/find.h"
#include "platform/proc.h"

#include <errno.h>
#include <stdlib.h>

/* The hook's clock and the process' start need not agree to the millisecond. */
enum { SLACK_MS = 1000, TEXT_BYTES_MAX = FIND_CANDIDATES_MAX * PATH_BYTES };

struct search {
    struct arena text;
    size_t n;
    struct find_candidate v[FIND_CANDIDATES_MAX];
};

/* A process that is gone meanwhile is none; of one that could not be read for want of descriptors nothing is known, and
 * then nobody can be said to be the only one. */
static int unless_gone(int r) {
    return r == -EMFILE || r == -ENFILE ? r : 0;
}

/* The command line first: it tells nearly all of them apart. */
static int on_process(void *user, pid_t pid) {
    struct search *s = user;
    char args[PROC_ARGS_BYTES], cwd[PATH_BYTES];
    struct find_candidate c = {.pid = pid};
    int n = proc_args(pid, args);
    if (n < 0) return unless_gone(n);
    if (!find_cli(span_of(args, (size_t)n), &c.cli, &c.script)) return 0;
    struct proc p;
    int r = proc_read(pid, &p);
    if (r < 0 || p.zombie) return unless_gone(r);
    if (s->n == ARRAY_LEN(s->v)) return -E2BIG;
    c.parent = p.parent;
    c.start = p.start;
    c.has_tty = p.tty != 0;
    if (proc_cwd(pid, cwd) == 0) c.cwd = arena_dup(&s->text, span_str(cwd));
    s->v[s->n++] = c;
    return 0;
}

static void claim(struct search *s, const struct conversation *c) {
    for (size_t i = 0; c->pid && i < s->n; i++)
        if (s->v[i].pid == c->pid && (c->pid_start == 0 || s->v[i].start == c->pid_start))
            s->v[i].claimed = true;
}

static void claim_all(struct search *s, const struct state *st) {
    find_claim_pairs(s->v, s->n);
    list_for_each(i, &st->sessions) {
        const struct session *session = list_entry(i, struct session, in_state);
        list_for_each(k, &session->workers)
            claim(s, &list_entry(k, struct worker, in_session)->conversation);
    }
}

static struct find_hit search_one(const struct search *s, const struct session *session, int64_t now_ms) {
    const struct conversation *c = &session->primary->conversation;
    struct find_query q = {.cli = c->cli, .dir = span_str(session->project_path)};
    /* 0 would say that it is not known; what was heard before the machine came up, nobody here has said. */
    if (c->last_activity_ms)
        q.born_by = MAX(proc_ticks_ago(now_ms - c->last_activity_ms - SLACK_MS), (uint64_t)1);
    return find_process(s->v, s->n, &q);
}

void search_match(struct search *s, const struct state *st, int64_t now_ms, struct search_want *wants,
                  size_t n) {
    AUTO(free) struct find_hit *hits = xcalloc(n, sizeof *hits);
    claim_all(s, st);
    for (size_t i = 0; i < n; i++)
        hits[i] = search_one(s, wants[i].session, now_ms);
    for (size_t i = 0; i < n; i++) {
        wants[i].pid = 0;
        if (!hits[i].rule || find_is_contested(hits, n, i)) continue;
        const struct find_candidate *c = &s->v[hits[i].index];
        wants[i].pid = c->pid;
        wants[i].start = c->start;
        log_debug("process %lld is taken for that of %s (rule %d)", (long long)c->pid, wants[i].session->id,
                  (int)hits[i].rule);
    }
}

struct search *search_new(void) {
    struct search *s = xmalloc(sizeof *s);
    s->text = ARENA_INIT(TEXT_BYTES_MAX);
    s->n = 0;
    return s;
}

void search_free(struct search *s) {
    arena_fini(&s->text);
    free(s);
}

int search_look(struct search *s) {
    return proc_each(on_process, s);
}
