#include "core/find.h"

static struct span next_word(struct span *args) {
    return span_split(args, '\0');
}

struct span find_program_name(struct span path) {
    while (path.n && memchr(path.p, '/', path.n))
        (void)span_split(&path, '/');
    const char *dot = path.n ? memrchr(path.p, '.', path.n) : NULL;
    return dot ? span_take(path, (size_t)(dot - path.p)) : path;
}

static bool is_interpreter(struct span name) {
    static const char *const known[] = {"node", "nodejs", "bun", "deno", "python", "python3"};
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (span_eq_str(name, known[i])) return true;
    return false;
}

/* What an interpreter was told to run: its first word that is no option. Bun and Deno may say "run" before it. */
static struct span script_name(struct span args) {
    bool told = false;
    while (args.n) {
        struct span word = next_word(&args);
        bool run = !told && span_eq(word, SPAN("run"));
        told |= run;
        if (word.n && word.p[0] != '-' && !run) return find_program_name(word);
    }
    return SPAN_NONE;
}

/* Codex' shared server is no agent: many windows may use it. */
static bool is_server(struct span args) {
    while (args.n)
        if (span_eq(next_word(&args), SPAN("app-server"))) return true;
    return false;
}

bool find_cli(struct span args, enum cli *ret_cli, bool *ret_script) {
    struct span name = find_program_name(next_word(&args));
    bool script = is_interpreter(name);
    if (script) name = script_name(args);
    if (!cli_from_str(name, ret_cli)) return false;
    if (is_server(args)) return false;
    *ret_script = script;
    return true;
}

void find_claim_pairs(struct find_candidate *v, size_t n) {
    for (size_t child = 0; child < n; child++)
        for (size_t parent = 0; parent < n; parent++)
            if (v[child].parent == v[parent].pid && v[child].cli == v[parent].cli)
                v[v[parent].script ? parent : child].claimed = true;
}

static bool fits(const struct find_candidate *c, const struct find_query *q) {
    return !c->claimed && c->cli == q->cli && (q->born_by == 0 || c->start <= q->born_by);
}

struct find_hit find_process(const struct find_candidate *v, size_t n, const struct find_query *q) {
    size_t all = 0, here = 0, with_tty = 0;
    struct find_hit any = {FIND_ONLY, 0}, in_dir = {FIND_DIRECTORY, 0}, at_tty = {FIND_TERMINAL, 0};
    for (size_t i = 0; i < n; i++) {
        if (!fits(&v[i], q)) continue;
        all++;
        any.index = i;
        if (q->dir.n == 0 || !span_eq(v[i].cwd, q->dir)) continue;
        here++;
        in_dir.index = i;
        if (!v[i].has_tty) continue;
        with_tty++;
        at_tty.index = i;
    }
    if (here == 1) return in_dir;
    if (here > 1 && with_tty == 1) return at_tty;
    if (here == 0 && all == 1) return any;
    return (struct find_hit){FIND_NONE, 0};
}

bool find_is_contested(const struct find_hit *hits, size_t n, size_t i) {
    for (size_t k = 0; k < n; k++)
        if (k != i && hits[k].index == hits[i].index && hits[k].rule >= hits[i].rule) return true;
    return false;
}
