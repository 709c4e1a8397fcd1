#include "pty/salvage.h"

#include "base/str.h"
#include "base/strv.h"
#include "platform/proc.h"

#include <stdio.h>

struct words {
    char text[PROC_ARGS_BYTES];
    struct span rest;
    bool whole; /* nothing is cut off */
};

static bool read_words(pid_t keeper, struct words *w) {
    int n = keeper > 1 ? proc_args(keeper, w->text) : 0;
    if (n <= 0) return false;
    w->rest = span_of(w->text, (size_t)n);
    w->whole = n < PROC_ARGS_BYTES;
    struct span program = span_split(&w->rest, '\0');
    for (struct span part = program; part.n;)
        program = span_split(&part, '/');
    return span_starts(program, SPAN("ostler-keeper"));
}

/* The next option and its value; false behind the last, where the program's words begin. */
static bool next_option(struct words *w, struct span *ret_name, struct span *ret_value) {
    *ret_name = span_split(&w->rest, '\0');
    if (!span_starts(*ret_name, SPAN("--")) || ret_name->n == 2) return false;
    *ret_value = span_split(&w->rest, '\0');
    return true;
}

static bool find_option(pid_t keeper, struct words *w, const char *wanted, struct span *ret) {
    struct span name;
    if (!read_words(keeper, w)) return false;
    while (next_option(w, &name, ret))
        if (span_eq_str(name, wanted)) return true;
    return false;
}

bool salvage_name(pid_t keeper, const char *dir, char ret_id[TERMINAL_ID_BYTES]) {
    struct words w;
    struct span socket, inside = span_str(dir);
    if (!find_option(keeper, &w, "--socket", &socket) || !span_starts(socket, inside)) return false;
    socket = span_skip(socket, inside.n);
    if (!span_starts(socket, SPAN("/term-"))) return false;
    socket = span_skip(socket, 1);
    struct span id = span_split(&socket, '/');
    if (!span_eq(socket, SPAN("keeper.sock")) || id.n >= TERMINAL_ID_BYTES) return false;
    memcpy(ret_id, id.p, id.n);
    ret_id[id.n] = '\0';
    return true;
}

uint64_t salvage_epoch(pid_t keeper) {
    struct words w;
    struct span value;
    uint64_t epoch;
    return find_option(keeper, &w, "--epoch", &value) && span_u64(value, &epoch) ? epoch : 0;
}

static void take_size(struct span value, unsigned *to) {
    uint64_t n;
    if (span_u64(value, &n) && n > 0 && n <= VT_COLS_MAX) *to = (unsigned)n;
}

static void take_program(struct words *w, struct meta *m) {
    while (w->whole && w->rest.n)
        strv_push(&m->argv, span_split(&w->rest, '\0'));
    if (!m->argv) return;
    size_t n = strv_count((const char *const *)m->argv);
    m->kind = m->marked ? TERMINAL_AGENT : n == 1 ? TERMINAL_SHELL : TERMINAL_COMMAND;
    struct span name = SPAN_NONE;
    for (struct span part = span_str(m->argv[0]); part.n;)
        name = span_split(&part, '/');
    (void)str_set(&m->command, name);
}

void salvage_meta(const char *id, pid_t keeper, struct meta *ret) {
    struct meta m = {.cols = TERMINAL_COLS, .rows = TERMINAL_ROWS, .code = -1};
    (void)snprintf(m.id, sizeof m.id, "%s", id);
    struct span made = span_skip(span_str(id), sizeof "term-" - 1), name, value;
    uint64_t ms;
    if (span_u64(span_split(&made, '-'), &ms) && ms <= INT64_MAX) m.created_ms = m.started_ms = (int64_t)ms;
    struct words w;
    if (read_words(keeper, &w)) {
        while (next_option(&w, &name, &value)) {
            if (span_eq(name, SPAN("--epoch")) && span_u64(value, &m.epoch)) m.started_ms = (int64_t)m.epoch;
            if (span_eq(name, SPAN("--cols"))) take_size(value, &m.cols);
            if (span_eq(name, SPAN("--rows"))) take_size(value, &m.rows);
            if (span_eq(name, SPAN("--cwd"))) (void)str_set(&m.directory, value);
            if (span_eq(name, SPAN("--pid-variable"))) m.marked = true;
        }
        take_program(&w, &m);
    }
    if (!m.directory) (void)str_set(&m.directory, SPAN("/"));
    *ret = m;
}
