#include "cli/wizard_run.h"

#include "app/daemon_end.h"
#include "base/cleanup.h"
#include "cli/ask.h"
#include "cli/hooks_check.h"
#include "cli/screen.h"
#include "cli/tty.h"
#include "cli/wizard.h"
#include "cli/wizard_apply.h"
#include "setup/here.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>

enum { LEFT = 130, ANSWER_BYTES = 5000 };

_Static_assert((int)ASK_PASSWORD_BYTES <= (int)ANSWER_BYTES, "answers are read into one buffer");

bool wizard_has_person(void) {
    return ask_has_person() && isatty(STDOUT_FILENO) && isatty(STDERR_FILENO);
}

/* What the machine has to say */

/* 0 when it can be had. */
static int try_port(uint16_t port) {
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    int one = 1;
    AUTO(fd) int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return 0;
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    bool ok = bind(fd, (const struct sockaddr *)&at, sizeof at) == 0 && listen(fd, 1) == 0;
    return ok ? 0 : -errno;
}

static bool port_trouble(void *user UNUSED, uint16_t port, char ret[WIZARD_WHO_BYTES]) {
    int64_t pid;
    char name[SOCK_NAME_BYTES];
    int r = try_port(port);
    if (r == 0) return false;
    if (r != -EADDRINUSE)
        (void)snprintf(ret, WIZARD_WHO_BYTES, "cannot be had (%s)", strerror(-r));
    else if (daemon_port_holder(port, &pid, name) < 0)
        (void)snprintf(ret, WIZARD_WHO_BYTES, "is taken by another program at the moment");
    else if (strcmp(name, "ostler") == 0)
        return false; /* it is ours */
    else
        (void)snprintf(ret, WIZARD_WHO_BYTES, "is taken by %s (pid %lld) at the moment", name,
                       (long long)pid);
    return true;
}

/* Saying and asking */

/* What it emphasises is ours; between that there may be words of others. */
static void show(struct buf *text) {
    static const char *const ours[] = {"\x1b[1m", "\x1b[0m"};
    struct span rest = buf_span(text);
    for (size_t i = 0; rest.n; i ^= 1) {
        const char *at = memmem(rest.p, rest.n, ours[i], strlen(ours[i]));
        screen_lines(at ? span_of(rest.p, (size_t)(at - rest.p)) : rest);
        if (!at) break;
        screen_literal(ours[i]);
        rest = span_skip(rest, (size_t)(at - rest.p) + strlen(ours[i]));
    }
    (void)fflush(stdout);
    buf_clear(text);
}

/* In a signal's handler. */
static void on_interrupt(int number UNUSED) {
    static const char words[] = "\nNothing was changed.\n";
    (void)!write(STDOUT_FILENO, words, sizeof words - 1);
    _exit(LEFT);
}

/* 0 with the answers, -ECANCELED when they leave. */
static int ask_all(struct wizard *w, struct err *err) {
    AUTO(buf) struct buf text = BUF_INIT(WIZARD_TEXT_MAX);
    char answer[ANSWER_BYTES];
    int r = 0;
    while (r == 0 && w->step < WIZARD_DONE) {
        wizard_ask(w, &text);
        show(&text);
        r = w->is_secret ? ask_password(w->prompt, answer, err)
                         : ask_line(w->prompt, w->preset, answer, sizeof answer, err);
        if (r == 0) wizard_take(w, span_str(answer), &text);
        show(&text);
        explicit_bzero(answer, sizeof answer);
    }
    return r == 0 && w->step == WIZARD_LEFT ? -ECANCELED : r;
}

static int ask_person(struct wizard *w, struct err *err) {
    struct sigaction act = {.sa_handler = on_interrupt}, before;
    screen_print("Setting up ostler, in six questions.\n"
                 "Enter takes what is in brackets,\n"
                 "b goes back, q leaves all as it is.\n");
    (void)sigaction(SIGINT, &act, &before);
    int r = ask_all(w, err);
    (void)sigaction(SIGINT, &before, NULL);
    return r;
}

static void tell_end(const struct cmd *c, const struct wizard *w) {
    screen_print("Saved in ");
    screen_path(w->facts->file);
    screen_print(".\n");
    if (c == &cmd_serve) return;
    screen_print("ostler serve starts it, on http://localhost:%u.\n"
                 "One that runs has to be started again.\n",
                 w->answers.port);
}

/* The answers are had: by asking, or as they are proposed. */
static int have_answers(struct wizard *w, bool yes, struct err *err) {
    if (!yes && wizard_has_person()) return ask_person(w, err);
    AUTO(buf) struct buf text = BUF_INIT(WIZARD_TEXT_MAX);
    wizard_summary(w, &text);
    show(&text);
    return 0;
}

static void gather(const struct setup_place *place, struct wizard_facts *ret) {
    ret->port_trouble = port_trouble;
    for (enum cli cli = 0; cli < CLI_N_; cli++) {
        ret->labels[cli] = hooks_cli_name(cli);
        ret->installed[cli] = setup_is_here(place, cli);
    }
    struct event_wish wish = {.cli = CLI_CLAUDE, .version = CLI_VERSION_NEWEST};
    for (wish.density = 0; wish.density < DENSITY_N_; wish.density++)
        ret->events[wish.density] = (unsigned)setup_event_count(&wish);
}

/* Asks and does; the exit status of what went well so far. */
static int run(const struct cmd *c, const struct setup_place *place, struct wizard *w, bool yes,
               struct err *err) {
    int r = have_answers(w, yes, err);
    if (r == 0) r = wizard_apply(c, place, w->facts->file, &w->answers, err);
    if (r >= 0) tell_end(c, w);
    if (r == -ECANCELED) screen_print("\nNothing was changed.\n");
    if (r == -ECANCELED) return LEFT;
    /* A daemon can do without the hooks of one agent; that they are missing was said. */
    return r < 0 ? cmd_fail(c, CMD_FAILED, "%s", err->msg) : r > 0 && c != &cmd_serve ? CMD_FAILED : CMD_OK;
}

int wizard_run(const struct cmd *c, const char *file, bool yes) {
    struct wizard_facts facts = {.file = file};
    struct paths paths;
    struct setup_place place;
    struct err err = {0};
    AUTO(config) struct config now = {0};
    if (config_load(file, &now, &err) < 0 || paths_resolve(&paths, &err) < 0 ||
        setup_place_resolve(&place, &paths, &err) < 0)
        return cmd_fail(c, CMD_FAILED, "%s", err.msg);
    gather(&place, &facts);
    unsigned cols, rows;
    tty_size(&cols, &rows);
    struct wizard w;
    wizard_init(&w, &facts, &now, cols, screen_has_colour());
    int status = run(c, &place, &w, yes, &err);
    wizard_fini(&w);
    return status;
}
