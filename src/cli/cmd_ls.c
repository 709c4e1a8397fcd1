#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jscan.h"
#include "base/mem.h"
#include "cli/client.h"
#include "cli/cmd.h"
#include "cli/screen.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

static const char help[] = "usage: ostler ls [--json]\n"
                           "\n"
                           "Lists the sessions on the board, those that need you first.\n"
                           "\n"
                           "  --json   whole sessions, as GET /api/sessions answers them\n"
                           "  --help   this text\n";

enum { STATUS_WIDTH = 10, AGE_WIDTH = 5, PROJECT_WIDTH = 16, TITLE_WIDTH_MAX = 50 };

struct row {
    unsigned rank; /* who needs a person most comes first */
    int64_t since_ms;
    struct span status, project, title, detail;
};

/* Status names by urgency, with the colour they are shown in. */
static const struct {
    const char *status;
    const char *colour;
} ranks[] = {
    {"approval", "\x1b[1;33m"}, {"input", "\x1b[1;33m"},    {"waiting", "\x1b[32m"}, {"working", "\x1b[34m"},
    {"prompting", "\x1b[34m"},  {"connecting", "\x1b[34m"}, {"idle", "\x1b[2m"},     {"ended", "\x1b[2m"},
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

/* What it waits for, else the tool in flight, else the newest prompt. */
static struct span detail_of(struct span waiting, struct span tool, struct span prompt, struct arena *arena) {
    struct span s = text(waiting, arena);
    if (s.n) return s;
    struct jmember m[] = {JMEMBER("tool"), JMEMBER("input")};
    if (jscan_kind(tool) == JKIND_OBJECT && jscan_object(tool, m, ARRAY_LEN(m)) > 0)
        return arena_printf(arena, "%.*s %.*s", SPAN_ARG(text(m[0].value, arena)),
                            SPAN_ARG(text(m[1].value, arena)));
    return text(prompt, arena);
}

static bool read_row(struct span session, struct arena *arena, struct row *ret) {
    struct jmember m[] = {JMEMBER("status"),        JMEMBER("projectName"),   JMEMBER("title"),
                          JMEMBER("waitingDetail"), JMEMBER("tool"),          JMEMBER("currentPrompt"),
                          JMEMBER("statusSince"),   JMEMBER("lastActivityAt")};
    if (jscan_object(session, m, ARRAY_LEN(m)) < 0) return false;
    struct row r = {.status = text(m[0].value, arena),
                    .project = text(m[1].value, arena),
                    .title = text(m[2].value, arena)};
    r.rank = rank_of(r.status);
    r.detail = detail_of(m[3].value, m[4].value, m[5].value, arena);
    if (!jscan_i64(m[6].value, &r.since_ms)) (void)jscan_i64(m[7].value, &r.since_ms);
    *ret = r;
    return true;
}

static int by_need(const void *a, const void *b) {
    const struct row *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return x->since_ms < y->since_ms ? -1 : x->since_ms > y->since_ms;
}

static void print_age(int64_t ms) {
    long long s = ms < 0 ? 0 : (long long)(ms / 1000);
    if (s < 60)
        (void)printf("%3llds ", s);
    else if (s < 3600)
        (void)printf("%3lldm ", s / 60);
    else
        (void)printf("%3lldh ", s / 3600);
}

/* An automatic title begins with the project, which has a column of its own. */
static struct span short_title(const struct row *r) {
    bool repeats =
        span_starts(r->title, r->project) && span_starts(span_skip(r->title, r->project.n), SPAN(" #"));
    return repeats ? span_skip(r->title, r->project.n + 1) : r->title;
}

static void print_row(const struct row *r, bool colour, size_t title_width, size_t detail_width) {
    if (colour) (void)fputs(ranks[r->rank].colour, stdout);
    screen_column(r->status, STATUS_WIDTH);
    if (colour) (void)fputs("\x1b[0m", stdout);
    (void)putchar(' ');
    print_age(usec_to_msec(clock_wall(&clock_system)) - r->since_ms);
    (void)putchar(' ');
    screen_column(r->project, PROJECT_WIDTH);
    (void)putchar(' ');
    screen_column(short_title(r), title_width);
    (void)putchar(' ');
    screen_column(r->detail, MIN(r->detail.n, detail_width));
    (void)putchar('\n');
}

static void print_rows(const struct row *rows, size_t count) {
    if (count == 0) {
        (void)printf("No sessions yet. Start an agent whose hooks run ostler-hook, or try ostler demo.\n");
        return;
    }
    bool colour = screen_has_colour();
    size_t left = screen_width() - STATUS_WIDTH - AGE_WIDTH - PROJECT_WIDTH - 4;
    size_t title = MIN(left / 2, (size_t)TITLE_WIDTH_MAX);
    (void)printf("%-*s %-*s %-*s %-*s %s\n", STATUS_WIDTH, "STATUS", AGE_WIDTH, "SINCE", PROJECT_WIDTH,
                 "PROJECT", (int)title, "TITLE", "DETAIL");
    for (size_t i = 0; i < count; i++)
        print_row(&rows[i], colour, title, left - title);
}

/* The answer is an object of sessions by id. */
static size_t read_rows(struct span sessions, struct arena *arena, struct row **ret) {
    size_t count = 0, room = 0;
    struct row *rows = NULL;
    struct span rest = sessions, key, value;
    while (jscan_member_next(&rest, &key, &value) == 1) {
        if (count == room) {
            room = room ? room * 2 : 64;
            rows = xreallocarray(rows, room, sizeof *rows);
        }
        if (read_row(value, arena, &rows[count])) count++;
    }
    *ret = rows;
    return count;
}

static int run(int argc, char **argv) {
    static const struct option options[] = {
        {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {0}};
    bool json = false;
    int option, status;
    while ((option = cmd_option(&cmd_ls, argc, argv, ":h", options, &status)) != -1)
        json |= option == 'j';
    if (status >= 0) return status;

    struct daemon_info daemon;
    struct err err = {0};
    AUTO(buf) struct buf body = BUF_INIT(CLIENT_BODY_MAX);
    if (client_find(&daemon, &err) < 0 || client_get(&daemon, "/api/sessions", &body, &err) < 0)
        return cmd_fail(&cmd_ls, CMD_FAILED, "%s", err.msg);
    if (json) {
        (void)fwrite(body.p, 1, body.n, stdout);
        (void)putchar('\n');
        return CMD_OK;
    }
    AUTO(arena) struct arena arena = ARENA_INIT(CLIENT_BODY_MAX);
    struct row *rows = NULL;
    size_t count = read_rows(buf_span(&body), &arena, &rows);
    if (count) qsort(rows, count, sizeof *rows, by_need);
    print_rows(rows, count);
    free(rows);
    return CMD_OK;
}

const struct cmd cmd_ls = {
    .name = "ls",
    .summary = "list the sessions, those that need you first",
    .help = help,
    .run = run,
};
