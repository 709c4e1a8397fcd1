#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/str.h"
#include "cli/client.h"
#include "cli/cmd.h"
#include "cli/meant.h"
#include "cli/screen.h"
#include "cli/tap.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <unistd.h>

/* The keeper waits 3 seconds before it kills. */
#define PATIENCE_US (10 * USEC_PER_SEC)

struct killing {
    bool attached, ended;
    struct ending ending;
};

static void on_screen(void *user, const struct tap_screen *s UNUSED) {
    ((struct killing *)user)->attached = true;
}

static void on_output(void *user UNUSED, uint64_t epoch UNUSED, uint64_t offset UNUSED,
                      struct span bytes UNUSED) {}
static void on_resized(void *user UNUSED, unsigned cols UNUSED, unsigned rows UNUSED) {}
static void on_gap(void *user UNUSED) {}

static void on_exited(void *user, struct ending e) {
    struct killing *k = user;
    k->ended = k->attached = true;
    k->ending = e;
}

static const struct tap_events tap_events = {
    .screen = on_screen, .output = on_output, .resized = on_resized, .gap = on_gap, .exited = on_exited};

static int wait_until(struct tap *tap, const bool *condition, usec_t deadline, struct err *err) {
    while (!*condition) {
        struct pollfd fd = {.fd = tap->fd, .events = tap_wants(tap)};
        usec_t left = deadline - clock_mono(&clock_system);
        int n = left > 0 ? poll(&fd, 1, (int)usec_to_msec(left) + 1) : 0;
        if (n == 0)
            return err_set(err, -ETIMEDOUT,
                           "it still lives after 10 seconds: please look at it with ostler attach");
        int r = n > 0 ? tap_ready(tap, fd.revents, err) : 0;
        if (r < 0 && !*condition) return r;
    }
    return 0;
}

/* Looks on first, so that its end is not missed. */
static int end_terminal(const struct roster *r, const struct roster_entry *e, struct ending *ret,
                        struct err *err) {
    char dir[PATH_BYTES];
    if (roster_dir(r, e, dir) < 0) return err_set(err, -EINVAL, "its id makes no sense");
    AUTO(free) char *id = str_dup(e->id);
    AUTO(free) char *session = str_dup(e->card.n ? e->card : e->id);
    const struct tap_target target = {.terminal = id, .session = session, .dir = dir};
    struct killing k = {0};
    struct tap *tap;
    usec_t deadline = clock_mono(&clock_system) + PATIENCE_US;
    int result = r->has_daemon ? tap_open_daemon(&r->daemon, &target, NULL, &tap_events, &k, &tap, err)
                               : tap_open_keeper(&target, NULL, &tap_events, &k, &tap, err);
    if (result < 0) return result;
    result = wait_until(tap, &k.attached, deadline, err);
    if (result == 0) result = tap_end(tap, err);
    if (result == 0) result = wait_until(tap, &k.ended, deadline, err);
    tap_close(tap);
    if (result == 0) *ret = k.ending;
    return result;
}

static int tell(bool json, struct span id, const struct ending *ending, const char *wrong) {
    if (!json) {
        if (wrong) return cmd_fail(&cmd_kill, CMD_FAILED, "%.*s: %s", SPAN_ARG(id), wrong);
        screen_print("%.*s %s\n", SPAN_ARG(id), ending ? ending_text(*ending).text : "was told to end");
        return CMD_OK;
    }
    AUTO(buf) struct buf line = BUF_INIT(4096);
    struct jwrite w = JWRITE_INIT(&line);
    jwrite_object(&w);
    jwrite_kstr(&w, "id", id);
    if (wrong) jwrite_kcstr(&w, "error", wrong);
    if (ending) {
        if (ending->code >= 0)
            jwrite_ki64(&w, "exitCode", ending->code);
        else
            jwrite_knull(&w, "exitCode");
        jwrite_kcstr(&w, "signal", ending->signal > 0 ? ending_signal(*ending).text : NULL);
    }
    jwrite_object_end(&w);
    screen_json(buf_span(&line));
    return wrong ? CMD_FAILED : CMD_OK;
}

static int kill_terminal(const struct roster *r, const struct roster_entry *e, bool json) {
    struct err err = {0};
    struct ending ending = {0};
    if (!roster_is_live(e)) return tell(json, roster_short(e->id), NULL, "it has ended already");
    int result = end_terminal(r, e, &ending, &err);
    return tell(json, roster_short(e->id), result < 0 ? NULL : &ending, result < 0 ? err.msg : NULL);
}

static bool confirmed(const struct roster_entry *e) {
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO)) return false;
    screen_print_to(stderr, "End the agent \"%.*s\", which runs in a terminal that is not ours? [y/N] ",
                    SPAN_ARG(e->title));
    char line[16];
    return fgets(line, sizeof line, stdin) && (line[0] == 'y' || line[0] == 'Y');
}

/* One that is only watched. */
static int kill_session(const struct roster *r, const struct roster_entry *e, bool yes, bool json) {
    if (!yes && !confirmed(e)) return tell(json, e->id, NULL, "left alone: -y ends it without asking");
    AUTO(buf) struct buf path = BUF_INIT(4096), body = BUF_INIT(1 << 20);
    struct err err = {0};
    (void)buf_printf(&path, "/api/sessions/");
    client_path_append(&path, e->card);
    (void)buf_printf(&path, "/kill");
    if (path.failed) return tell(json, e->id, NULL, "its id is too long");
    int result = client_call(&r->daemon, "POST", path.p, SPAN("{\"confirm\":true}"), &body, NULL, &err);
    return tell(json, e->id, NULL, result < 0 ? err.msg : NULL);
}

static int kill_word(const struct roster *terminals, const struct roster *sessions, const char *word,
                     bool yes, bool json) {
    const struct roster_entry *meant[ROSTER_MEANT_MAX], *e;
    size_t n;
    if (roster_find(terminals, span_str(word), meant, &n) == -ENOENT &&
        roster_find(sessions, span_str(word), meant, &n) == 0)
        return kill_session(sessions, meant[0], yes, json);
    int status = meant_find(&cmd_kill, terminals, word, &e);
    return status == CMD_OK ? kill_terminal(terminals, e, json) : status;
}

static int run(int argc, char **argv) {
    bool yes = false, json = false;
    int option, status;
    while ((option = cmd_option(&cmd_kill, argc, argv, &status)) != -1) {
        yes |= option == 'y';
        json |= option == 'j';
    }
    if (status >= 0) return status;
    if (optind == argc) return cmd_fail(&cmd_kill, CMD_USAGE, "which one? ostler ls lists them");

    AUTO(roster) struct roster terminals = {0}, sessions = {0};
    struct err err = {0};
    if (roster_load(&terminals, &err) < 0 || roster_load_sessions(&sessions, &terminals, &err) < 0)
        return cmd_fail(&cmd_kill, CMD_FAILED, "%s", err.msg);
    status = CMD_OK;
    for (int i = optind; i < argc; i++)
        if (kill_word(&terminals, &sessions, argv[i], yes, json) != CMD_OK) status = CMD_FAILED;
    return status;
}

static const struct cmd_opt options[] = {
    {"yes", 'y', .has_letter = true, .help = "do not ask"},
    {"json", 'j', .help = "one object a line: {id, exitCode, signal} or {id, error}"},
    {0},
};

const struct cmd cmd_kill = {
    .name = "kill",
    .group = CMD_AGENTS,
    .summary = "end the programs of terminals",
    .words = "ID…",
    .complete = "@terminal",
    .about =
        "Ends the programs of terminals (SIGHUP, and SIGKILL 3 seconds later if they still live), waits for them, "
        "and says how they ended. What they printed is kept. An agent that is only watched, in a terminal that is "
        "not ours, gets SIGTERM; that is asked about before.",
    .options = options,
    .examples = "ostler kill x7f3ab\n"
                "ostler kill build tests",
    .run = run,
};
