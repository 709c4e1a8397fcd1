#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jscan.h"
#include "base/mem.h"
#include "cli/client.h"
#include "cli/cmd.h"
#include "cli/roster.h"
#include "cli/screen.h"

#include <stdio.h>
#include <stdlib.h>

enum { STATUS_WIDTH = 10, AGE_WIDTH = 5, ID_WIDTH = 6, PROJECT_WIDTH = 16, TITLE_WIDTH_MAX = 50 };

struct row {
    unsigned rank; /* who needs a person most comes first */
    int64_t since_ms;
    struct span status, id, project, title, detail;
    bool guessed; /* nobody said that it waits */
};

/* Why a person is wanted, then the statuses, by urgency, with the colour they are shown in. */
static const struct {
    const char *status;
    const char *colour;
} ranks[] = {
    {"approval", "\x1b[1;33m"},
    {"question", "\x1b[1;33m"},
    {"plan", "\x1b[1;33m"},
    {"input", "\x1b[1;33m"},
    {"error", "\x1b[1;31m"},
    {"finished", "\x1b[32m"},
    {"exited", "\x1b[31m"},
    {"waiting", ""},
    {"working", "\x1b[34m"},
    {"prompting", "\x1b[34m"},
    {"connecting", "\x1b[34m"},
    {"starting", "\x1b[34m"},
    {"live", ""},
    {"idle", "\x1b[2m"},
    {"restored", "\x1b[2m"},
    {"ended", "\x1b[2m"},
};

static unsigned rank_of(struct span status) {
    unsigned i = 0;
    while (i < ARRAY_LEN(ranks) - 1 && !span_eq_str(status, ranks[i].status))
        i++;
    return i;
}

static struct span text(struct span value, struct arena *arena) {
    struct span s;
    return jscan_string(value, arena, &s) == 0 ? s : SPAN_NONE;
}

/* The tool in flight, else what the agent said last, else the newest prompt. */
static struct span detail_of(struct span tool, struct span words, struct span prompt, struct arena *arena) {
    struct jmember m[] = {JMEMBER("tool"), JMEMBER("input")};
    if (jscan_kind(tool) == JKIND_OBJECT && jscan_object(tool, m, ARRAY_LEN(m)) > 0)
        return arena_printf(arena, "%.*s %.*s", SPAN_ARG(text(m[0].value, arena)),
                            SPAN_ARG(text(m[1].value, arena)));
    struct span s = text(words, arena);
    return s.n ? s : text(prompt, arena);
}

/* Why a person is wanted says more than the status. */
static void add_attention(struct row *r, struct span attention, struct arena *arena) {
    struct jmember m[] = {JMEMBER("kind"), JMEMBER("since"), JMEMBER("text"), JMEMBER("certain")};
    if (jscan_kind(attention) != JKIND_OBJECT || jscan_object(attention, m, ARRAY_LEN(m)) < 0) return;
    bool certain = true;
    (void)jscan_bool(m[3].value, &certain);
    r->guessed = !certain;
    r->status = text(m[0].value, arena);
    (void)jscan_i64(m[1].value, &r->since_ms);
    r->detail = text(m[2].value, arena);
}

/* "npm test in ~/alpha" */
static struct span terminal_detail(const struct roster_entry *e, struct arena *arena) {
    struct span home = span_str(getenv("HOME")), dir = e->directory;
    bool is_inside = home.n > 1 && span_starts(dir, home) && (dir.n == home.n || dir.p[home.n] == '/');
    if (is_inside) dir = span_skip(dir, home.n);
    return arena_printf(arena, "%.*s in %s%.*s", SPAN_ARG(e->command), is_inside ? "~" : "", SPAN_ARG(dir));
}

/* What is known of it by its terminal. */
static void add_terminal(struct row *r, const struct roster_entry *e, struct arena *arena) {
    bool is_agent = span_eq(e->kind, SPAN("agent"));
    r->id = roster_short(e->id);
    if (!is_agent || span_eq(e->connection, SPAN("restored"))) r->status = e->connection;
    if (!is_agent) r->since_ms = e->since_ms;
    if (r->detail.n == 0) r->detail = terminal_detail(e, arena);
    if (e->viewers > 0)
        r->detail = arena_printf(arena, "%.*s (%lld watching)", SPAN_ARG(r->detail), (long long)e->viewers);
}

/* False for what is no session, and for one that has ended and that nobody asked for. */
static bool read_row(struct span session, const struct roster *terminals, bool all, struct arena *arena,
                     struct row *ret) {
    struct jmember m[] = {JMEMBER("status"),      JMEMBER("projectName"),    JMEMBER("title"),
                          JMEMBER("lastWords"),   JMEMBER("tool"),           JMEMBER("currentPrompt"),
                          JMEMBER("statusSince"), JMEMBER("lastActivityAt"), JMEMBER("id"),
                          JMEMBER("attention"),   JMEMBER("hidden")};
    if (jscan_object(session, m, ARRAY_LEN(m)) < 0) return false;
    bool hidden = false, wanted = jscan_kind(m[9].value) == JKIND_OBJECT;
    (void)jscan_bool(m[10].value, &hidden);
    if (hidden && !wanted && !all) return false;
    struct row r = {.status = text(m[0].value, arena),
                    .project = text(m[1].value, arena),
                    .title = text(m[2].value, arena)};
    r.detail = detail_of(m[4].value, m[3].value, m[5].value, arena);
    if (!jscan_i64(m[6].value, &r.since_ms)) (void)jscan_i64(m[7].value, &r.since_ms);
    const struct roster_entry *terminal = roster_of_card(terminals, text(m[8].value, arena));
    if (terminal) add_terminal(&r, terminal, arena);
    add_attention(&r, m[9].value, arena);
    bool done = span_eq(r.status, SPAN("finished"));
    r.rank = rank_of(r.guessed && !done ? SPAN("input") : r.status); /* behind what is certain */
    *ret = r;
    return true;
}

static int by_need(const void *a, const void *b) {
    const struct row *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return x->since_ms < y->since_ms ? -1 : x->since_ms > y->since_ms;
}

/* An automatic title begins with the project, which has a column of its own. */
static struct span short_title(const struct row *r) {
    bool repeats =
        span_starts(r->title, r->project) && span_starts(span_skip(r->title, r->project.n), SPAN(" #"));
    return repeats ? span_skip(r->title, r->project.n + 1) : r->title;
}

static void print_row(const struct row *r, bool colour, size_t title_width, size_t detail_width) {
    if (colour) screen_literal(ranks[r->rank].colour);
    char status[STATUS_WIDTH + 1];
    (void)snprintf(status, sizeof status, "%.*s%s", SPAN_ARG(r->status), r->guessed ? "?" : "");
    screen_column(span_str(status), STATUS_WIDTH);
    if (colour) screen_literal("\x1b[0m");
    (void)putchar(' ');
    screen_print("%4s  ", screen_age(usec_to_msec(clock_wall(&clock_system)) - r->since_ms).text);
    screen_column(r->id, ID_WIDTH);
    (void)putchar(' ');
    screen_column(r->project, PROJECT_WIDTH);
    (void)putchar(' ');
    screen_column(short_title(r), title_width);
    (void)putchar(' ');
    screen_cut(r->detail, detail_width);
    (void)putchar('\n');
}

static void print_rows(const struct row *rows, size_t count) {
    if (count == 0) {
        screen_print(
            "No sessions yet. ostler run -- claude starts an agent; those started elsewhere are seen through their\n"
            "hooks (ostler-hook). ostler demo shows what it looks like.\n");
        return;
    }
    bool colour = screen_has_colour();
    size_t left = screen_width() - STATUS_WIDTH - AGE_WIDTH - ID_WIDTH - PROJECT_WIDTH - 5;
    size_t title = MIN(left / 2, (size_t)TITLE_WIDTH_MAX);
    screen_print("%-*s %-*s %-*s %-*s %-*s %s\n", STATUS_WIDTH, "STATUS", AGE_WIDTH, "SINCE", ID_WIDTH, "ID",
                 PROJECT_WIDTH, "PROJECT", (int)title, "TITLE", "DETAIL");
    for (size_t i = 0; i < count; i++)
        print_row(&rows[i], colour, title, left - title);
}

struct rows {
    struct row *v;
    size_t n, room;
};

static struct row *add_row(struct rows *rows) {
    if (rows->n == rows->room) {
        rows->room = rows->room ? rows->room * 2 : 64;
        rows->v = xreallocarray(rows->v, rows->room, sizeof *rows->v);
    }
    return &rows->v[rows->n++];
}

/* The answer is an object of sessions by id. */
static void read_rows(struct span sessions, const struct roster *terminals, bool all, struct arena *arena,
                      struct rows *rows) {
    struct span rest = sessions, key, value;
    while (jscan_member_next(&rest, &key, &value) == 1)
        if (!read_row(value, terminals, all, arena, add_row(rows))) rows->n--;
}

static void show(struct rows *rows) {
    if (rows->n) qsort(rows->v, rows->n, sizeof *rows->v, by_need);
    print_rows(rows->v, rows->n);
    free(rows->v);
}

/* No daemon: what it left behind and who goes on. */
static int list_disk(const struct roster *terminals, bool json) {
    int status = cmd_fail(&cmd_ls, CMD_FAILED, "%s", terminals->no_daemon.msg);
    if (json || terminals->n == 0) return status;
    AUTO(arena) struct arena arena = ARENA_INIT(ROSTER_BYTES_MAX);
    struct rows rows = {0};
    for (size_t i = 0; i < terminals->n; i++) {
        const struct roster_entry *e = &terminals->entries[i];
        struct row *r = add_row(&rows);
        const char *slash = e->directory.n ? memrchr(e->directory.p, '/', e->directory.n) : NULL;
        *r = (struct row){.title = e->title, .since_ms = e->since_ms};
        if (slash) r->project = span_skip(e->directory, (size_t)(slash - e->directory.p) + 1);
        add_terminal(r, e, &arena);
        r->status = e->connection;
        r->rank = rank_of(r->status);
    }
    show(&rows);
    return status;
}

/* Each session as it is, with its terminal at its end. */
static void print_json(struct span sessions, const struct roster *terminals) {
    AUTO(arena) struct arena arena = ARENA_INIT(CLIENT_BODY_MAX);
    struct span rest = sessions, key, value;
    const char *before = "{";
    for (; jscan_member_next(&rest, &key, &value) == 1; before = ",\n") {
        struct jmember m[] = {JMEMBER("id")};
        (void)jscan_object(value, m, ARRAY_LEN(m));
        const struct roster_entry *e = roster_of_card(terminals, text(m[0].value, &arena));
        screen_literal(before);
        screen_json_part(key);
        screen_literal(":");
        value = span_trim(value);
        screen_json_part(e ? span_take(value, value.n - 1) : value);
        if (!e) continue;
        screen_literal(",\"terminal\":");
        screen_json_part(e->json);
        screen_literal("}");
    }
    screen_literal(before[0] == '{' ? "{}\n" : "}\n");
}

static int list_sessions(const struct roster *terminals, bool json, bool all) {
    AUTO(buf) struct buf body = BUF_INIT(CLIENT_BODY_MAX);
    struct err err = {0};
    const char *path = all || !json ? "/api/sessions?ended=1" : "/api/sessions";
    if (client_call(&terminals->daemon, "GET", path, SPAN_NONE, &body, NULL, &err) < 0)
        return cmd_fail(&cmd_ls, CMD_FAILED, "%s", err.msg);
    if (json) {
        print_json(buf_span(&body), terminals);
        return CMD_OK;
    }
    AUTO(arena) struct arena arena = ARENA_INIT(CLIENT_BODY_MAX);
    struct rows rows = {0};
    read_rows(buf_span(&body), terminals, all, &arena, &rows);
    show(&rows);
    return CMD_OK;
}

static int run(int argc, char **argv) {
    bool json = false, all = false;
    int option, status;
    while ((option = cmd_option(&cmd_ls, argc, argv, &status)) != -1) {
        json |= option == 'j';
        all |= option == 'a';
    }
    if (status >= 0) return status;

    AUTO(roster) struct roster terminals;
    struct err err = {0};
    if (roster_load(&terminals, &err) < 0) return cmd_fail(&cmd_ls, CMD_FAILED, "%s", err.msg);
    return terminals.has_daemon ? list_sessions(&terminals, json, all) : list_disk(&terminals, json);
}

static const struct cmd_opt options[] = {
    {"all", 'a', .has_letter = true, .help = "with the sessions of the last day that have ended"},
    {"json", 'j', .help = "whole sessions, as GET /api/sessions answers them, each with its \"terminal\""},
    {0}};

const struct cmd cmd_ls = {
    .name = "ls",
    .group = CMD_AGENTS,
    .summary = "list sessions and terminals, those that need you first",
    .about =
        "Lists the sessions on the board, those that need you first: an approval, a question, a plan, an error, work that is "
        "finished or broke off and that nobody has seen yet. A ? says that it is only likely. Those with an ID run in a terminal of ours: "
        "ostler attach ID shows it. Without a daemon it lists the terminals that go on without one, and the exit "
        "status is 1.",
    .options = options,
    .run = run,
};
