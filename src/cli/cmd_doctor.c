#include "base/cleanup.h"
#include "base/jwrite.h"
#include "cli/cmd.h"
#include "cli/doctor.h"
#include "cli/screen.h"
#include "config/config.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_PORT = 3333, NAME_WIDTH = 15 };

static const struct {
    const char *word, *colour;
} states[] = {[DOCTOR_OK] = {"ok", "\x1b[32m"},
              [DOCTOR_WARN] = {"warn", "\x1b[33m"},
              [DOCTOR_BAD] = {"bad", "\x1b[1;31m"}};

struct report {
    bool json, colour;
    unsigned count[DOCTOR_BAD + 1];
};

static void print_json(const struct doctor_line *line) {
    AUTO(buf) struct buf out = BUF_INIT(64 << 10);
    struct jwrite w = JWRITE_INIT(&out);
    jwrite_object(&w);
    jwrite_kcstr(&w, "check", line->name);
    jwrite_kcstr(&w, "state", states[line->state].word);
    jwrite_kcstr(&w, "what", line->what);
    if (line->todo[0]) jwrite_kcstr(&w, "todo", line->todo);
    jwrite_object_end(&w);
    screen_json(buf_span(&out));
}

static void print_line(const struct report *r, const struct doctor_line *line) {
    screen_literal(r->colour ? states[line->state].colour : "");
    screen_print("%-4s", states[line->state].word);
    screen_literal(r->colour ? "\x1b[0m  " : "  ");
    screen_column(span_str(line->name), NAME_WIDTH);
    (void)putchar(' ');
    screen_text(span_str(line->what));
    (void)putchar('\n');
    if (!line->todo[0]) return;
    screen_print("      %*s → ", NAME_WIDTH - 2, "");
    screen_text(span_str(line->todo));
    (void)putchar('\n');
}

static void on_line(void *user, const struct doctor_line *line) {
    struct report *r = user;
    r->count[line->state]++;
    if (r->json)
        print_json(line);
    else
        print_line(r, line);
    (void)fflush(stdout);
}

static void sum_up(const struct report *r) {
    if (!r->count[DOCTOR_BAD] && !r->count[DOCTOR_WARN])
        screen_print("\nAll is well.");
    else
        screen_print("\n%u bad, %u to look at.", r->count[DOCTOR_BAD], r->count[DOCTOR_WARN]);
    screen_print("%s\n", cmd_find("hooks") ? " ostler hooks doctor looks at each CLI's hooks." : "");
}

/* Where a daemon would listen without an option. */
static uint16_t port_of(const struct paths *paths) {
    char file[PATH_BYTES];
    uint64_t port;
    const char *env_port = getenv("PORT");
    AUTO(config) struct config config = {0};
    if (env_port && span_u64(span_str(env_port), &port) && port > 0 && port <= UINT16_MAX)
        return (uint16_t)port;
    bool is_read = config_path(paths, file) == 0 && config_load(file, &config, NULL) == 0;
    return is_read && config.port ? config.port : DEFAULT_PORT;
}

static int run(int argc, char **argv) {
    struct report report = {.colour = screen_has_colour()};
    int option, status;
    while ((option = cmd_option(&cmd_doctor, argc, argv, &status)) != -1)
        report.json |= option == 'j';
    if (status >= 0) return status;

    struct doctor d = {.tell = on_line, .user = &report};
    struct err err = {0};
    if (paths_resolve(&d.paths, &err) < 0) return cmd_fail(&cmd_doctor, CMD_FAILED, "%s", err.msg);
    d.port = port_of(&d.paths);
    doctor_run(&d);
    if (!report.json) sum_up(&report);
    return report.count[DOCTOR_BAD] ? CMD_FAILED : CMD_OK;
}

static const struct cmd_opt options[] = {
    {"json", 'j', .help = "one object a line: {check, state: ok|warn|bad, what, todo}"},
    {0},
};

const struct cmd cmd_doctor = {
    .name = "doctor",
    .summary = "look for what is wrong, and say what to do",
    .about =
        "Looks at everything that ostler needs: its directories and the disk, the database, the hook and the keeper, "
        "the daemon and its port, and what the system allows. It changes nothing.",
    .options = options,
    .notes = "Exit status: 0 when nothing is bad, though there may be warnings; 1 otherwise.",
    .run = run,
};
