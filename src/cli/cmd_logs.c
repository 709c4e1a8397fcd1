#include "base/cleanup.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/cmd.h"
#include "cli/daemon_log.h"
#include "cli/filter.h"
#include "cli/log_follow.h"
#include "cli/log_play.h"
#include "cli/logtext.h"
#include "cli/meant.h"
#include "cli/screen.h"
#include "cli/tty.h"
#include "pty/journal.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { LINES_MAX = 1000000, QUICK_LINES = 2000, RAW_BYTES_MAX = 64 << 20, COLS = 80, ROWS = 24 };

struct logs {
    const struct log_sink *sink;
    bool follow, raw;
    bool on_terminal, wrote; /* raw bytes go to somebody's; some did */
    struct filter filter;
    uint64_t lines; /* 0: all */
    bool begun, exited;
    struct tape_place place;
    struct logtext text;
    char **kept; /* the newest `lines`, in a ring, until they are printed */
    uint64_t count;
    bool keeps;
};

static void print_line(struct span line) {
    screen_text(line);
    (void)putchar('\n');
}

static void on_line(void *user, struct span line) {
    struct logs *l = user;
    if (!l->keeps) {
        print_line(line);
        return;
    }
    char **slot = &l->kept[l->count++ % l->lines];
    free(*slot);
    *slot = str_dup(line);
}

/* From now on lines are printed as they come. */
static void print_kept(struct logs *l) {
    if (!l->keeps) return;
    l->keeps = false;
    for (uint64_t i = l->count > l->lines ? l->count - l->lines : 0; i < l->count; i++)
        print_line(span_str(l->kept[i % l->lines]));
}

static void text_begin(void *user, struct vt *screen) {
    struct logs *l = user;
    l->begun = true;
    logtext_init(&l->text, screen, on_line, l);
}

static void text_output(void *user, struct span bytes) {
    logtext_feed(&((struct logs *)user)->text, bytes);
}

static void text_resized(void *user, unsigned cols, unsigned rows) {
    logtext_resize(&((struct logs *)user)->text, cols, rows);
}

static void text_gap(void *user) {
    logtext_gap(&((struct logs *)user)->text);
}

static void text_restart(void *user) {
    logtext_restart(&((struct logs *)user)->text);
}

static void text_replace(void *user, struct vt *screen) {
    logtext_replace(&((struct logs *)user)->text, screen);
}

static const struct log_sink text_sink = {.begin = text_begin,
                                          .replace = text_replace,
                                          .output = text_output,
                                          .resized = text_resized,
                                          .gap = text_gap,
                                          .restart = text_restart};

static void raw_begin(void *user UNUSED, struct vt *screen) {
    vt_free(screen);
}

/* A person's terminal gets no more of it than with ostler attach. */
static void raw_output(void *user, struct span bytes) {
    struct logs *l = user;
    AUTO(buf) struct buf passed = BUF_INIT(RAW_BYTES_MAX);
    if (l->on_terminal) filter_feed(&l->filter, bytes, &passed);
    l->wrote = true;
    screen_bytes(l->on_terminal ? buf_span(&passed) : bytes);
}

static void raw_resized(void *user UNUSED, unsigned cols UNUSED, unsigned rows UNUSED) {}
static void raw_nothing(void *user UNUSED) {}

static const struct log_sink raw_sink = {.begin = raw_begin,
                                         .replace = raw_begin,
                                         .output = raw_output,
                                         .resized = raw_resized,
                                         .gap = raw_nothing,
                                         .restart = raw_nothing};

/* The end of the newest bytes, from the beginning of the last but `lines`. */
static struct span last_lines(struct span bytes, uint64_t lines) {
    size_t at = bytes.n;
    while (at > 0 && (bytes.p[at - 1] != '\n' || at == bytes.n || lines-- > 1))
        at--;
    return span_skip(bytes, at);
}

/* Few lines are on the journal's newest screen, with its scrollback: there is no need to play all of it. */
static int play_tail(struct logs *l, const char *dir, struct err *err) {
    struct journal_tail tail;
    int r = journal_load(dir, VT_SCROLLBACK, &tail, err);
    if (r < 0) return r;
    l->place = (struct tape_place){.epoch = tail.epoch, .offset = tail.offset};
    l->exited = tail.exited;
    if (l->raw)
        raw_output(l, last_lines(buf_span(&tail.recent), l->lines));
    else
        text_begin(l, TAKE(tail.vt));
    journal_tail_fini(&tail);
    return 0;
}

static int play(struct logs *l, const char *dir, struct err *err) {
    if (l->lines && (l->raw || l->lines <= QUICK_LINES)) return play_tail(l, dir, err);
    return log_play(dir, l->sink, l, &l->place, &l->exited, err);
}

static int follow(struct logs *l, const struct roster *r, const struct roster_entry *e, struct err *err) {
    if (!l->raw) logtext_follow(&l->text);
    (void)fflush(stdout);
    return l->exited ? 0 : log_follow(r, e, l->place, l->sink, l, err);
}

static int show(struct logs *l, const struct roster *r, const struct roster_entry *e, struct err *err) {
    char dir[PATH_BYTES], journal[PATH_BYTES];
    if (roster_dir(r, e, dir) < 0 || path_join(journal, dir, "journal") < 0)
        return err_set(err, -EINVAL, "the terminal's id makes no sense");
    l->sink = l->raw ? &raw_sink : &text_sink;
    l->keeps = l->lines && !l->raw;
    if (l->keeps) l->kept = xcalloc(l->lines, sizeof *l->kept);
    int result = play(l, journal, err);
    bool nothing = result == -ENOENT && l->follow;
    if (nothing) l->sink->begin(l, vt_new(COLS, ROWS, VT_SCROLLBACK, NULL, NULL));
    if (result < 0 && !nothing) return result;
    if (l->begun && !l->follow) logtext_end(&l->text);
    print_kept(l);
    if (!l->follow) return 0;
    result = follow(l, r, e, err);
    if (l->begun) logtext_end(&l->text);
    return result;
}

/* Modes that a program has left on are not left on for the shell, not even when somebody has seen enough. */
#define RAW_END TTY_RESET "\x1b[?1049l" TTY_RESET_MARGINS "\x1b[999;1H\n"

static void on_signal(int number) {
    (void)!write(STDOUT_FILENO, RAW_END, sizeof RAW_END - 1);
    _exit(128 + number);
}

static void begin_raw(struct logs *l) {
    l->on_terminal = l->raw && isatty(STDOUT_FILENO);
    if (!l->on_terminal) return;
    struct sigaction act = {.sa_handler = on_signal};
    (void)sigaction(SIGINT, &act, NULL);
    (void)sigaction(SIGTERM, &act, NULL);
}

static void logs_fini(struct logs *l) {
    for (uint64_t i = 0; l->kept && i < l->lines; i++)
        free(l->kept[i]);
    free(l->kept);
    if (l->begun) logtext_fini(&l->text);
}

static int run_on(struct logs *l, const char *word) {
    AUTO(roster) struct roster roster;
    struct err err = {0};
    if (roster_load(&roster, &err) < 0) return cmd_fail(&cmd_logs, CMD_FAILED, "%s", err.msg);
    const struct roster_entry *e;
    int status = word ? meant_find(&cmd_logs, &roster, word, &e) : meant_only(&cmd_logs, &roster, &e);
    if (status != CMD_OK) return status;
    return show(l, &roster, e, &err) < 0 ? cmd_fail(&cmd_logs, CMD_FAILED, "%s", err.msg) : CMD_OK;
}

static int run(int argc, char **argv) {
    struct logs l = {0};
    bool daemon = false;
    int option, status;
    while ((option = cmd_option(&cmd_logs, argc, argv, &status)) != -1) {
        l.follow |= option == 'f';
        l.raw |= option == 'r';
        daemon |= option == 'd';
        if (option == 'n' && !cmd_number(&cmd_logs, "-n", optarg, 1, LINES_MAX, &l.lines)) return CMD_USAGE;
    }
    if (status >= 0) return status;
    if (daemon && (l.raw || optind < argc))
        return cmd_fail(&cmd_logs, CMD_USAGE, "--daemon goes with -f and -n only");
    if (daemon) return daemon_log_print(&cmd_logs, l.lines, l.follow);
    if (argc - optind > 1) return cmd_fail(&cmd_logs, CMD_USAGE, "one terminal at a time, please");
    begin_raw(&l);
    status = run_on(&l, optind < argc ? argv[optind] : NULL);
    if (l.on_terminal && l.wrote) screen_literal(RAW_END);
    logs_fini(&l);
    return status;
}

static const struct cmd_opt options[] = {
    {"follow", 'f', .has_letter = true, .help = "go on as it prints more, until it ends"},
    {"lines", 'n', .has_letter = true, .value = "LINES", .help = "only the last ones"},
    {"raw", 'r',
     .help = "the bytes as they were printed; a terminal gets only what ostler attach would show it"},
    {"daemon", 'd', .help = "the log of a daemon in the background (ostler serve --detach) instead"},
    {0},
};

const struct cmd cmd_logs = {
    .name = "logs",
    .group = CMD_AGENTS,
    .summary = "print what a terminal has printed, or the daemon's log",
    .words = "[TERMINAL]",
    .complete = "@terminal",
    .about =
        "Prints what a terminal has printed, as text: lines that it wrapped are joined again, colours and the like "
        "are left out, secrets are masked as they are on the disk. TERMINAL is an id, a name, or the beginning of "
        "one; without it the only one that runs. It works without a daemon, and for programs that have ended.",
    .options = options,
    .examples = "ostler logs x7f3ab | less\n"
                "ostler logs -n 100 build\n"
                "ostler logs -f build | grep -i error\n"
                "ostler logs --daemon -n 50",
    .run = run,
};
