#include "app/serve.h"

#include "app/daemon_end.h"
#include "base/cleanup.h"
#include "base/log.h"
#include "base/own_linked.h"
#include "base/strv.h"
#include "cli/cmd.h"
#include "cli/detach.h"
#include "cli/screen.h"
#include "cli/wizard_run.h"
#include "config/config.h"
#include "platform/self.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REPLACE_MS = 10000, LOG_BYTES_MAX = 4 << 20 };

static bool parse_port(const char *option, const char *text, struct serve_options *o) {
    uint64_t port;
    if (!cmd_number(&cmd_serve, option, text, 0, UINT16_MAX, &port)) return false;
    o->port = (uint16_t)port;
    return true;
}

/* How it is started, beside what it serves. */
struct start {
    bool detach, replace;
    bool setup, no_setup;      /* the questions of ostler setup first, or not even at the first start */
    bool has_port;             /* the command line names one */
    const char *log;           /* NULL: standard error, or in the background the one in the state directory */
    char log_path[PATH_BYTES]; /* room for that */
    char program
        [PATH_BYTES]; /* this one: after an upgrade another may be there, and that is the one to start anew */
    char **again;     /* the words that start the same once more */
};

/* Options that say how it is started, which are not said again when it starts anew. True when it was one. */
static bool take_start_option(struct start *s, int option) {
    switch (option) {
    case 'D': return s->detach = true;
    case 'R': return s->replace = true;
    case 'l': s->log = optarg; return true;
    case 'S': return s->setup = true;
    case 'Q': return s->no_setup = true;
    case 'n': return false;
    default: detach_remember(&cmd_serve, option, optarg, &s->again); return false;
    }
}

/* Ends the daemon of this home, and the ostler that has the port, if there are such; nobody when the port is somebody else's. */
static int replace_others(uint16_t port, struct err *err) {
    struct paths paths;
    struct daemon_process here, there;
    int r = paths_resolve(&paths, err);
    if (r < 0) return r;
    int on_port = port ? daemon_on_port(port, &there, err) : -ENOENT;
    if (on_port == -EADDRINUSE) return on_port;
    if (daemon_running(&paths, &here) == 0) r = daemon_end(&here, SIGTERM, REPLACE_MS, err);
    if (r == 0 && on_port == 0) r = daemon_end(&there, SIGTERM, REPLACE_MS, err);
    return r;
}

static int start_detached(struct start *s, struct err *err) {
    struct paths paths;
    struct daemon_process other;
    int r = paths_resolve(&paths, err);
    if (r == 0 && !s->replace && daemon_running(&paths, &other) == 0) r = daemon_is_busy(&paths, err);
    if (r == 0 && (r = path_make_dirs(paths.state)) < 0)
        (void)err_set(err, r, "cannot create the directory %s: %s", paths.state, own_why(r));
    return r < 0 ? cmd_fail(&cmd_serve, CMD_FAILED, "%s", err->msg)
                 : detach_start(s->program, s->again, s->log, s->replace);
}

/* Returns an exit status, unless it becomes the daemon that comes after. */
static int serve_in_place(const struct serve_options *o, const struct start *s, struct err *err) {
    int r = s->log ? log_to_file(s->log, LOG_BYTES_MAX, err) : 0;
    log_set_colour(screen_wants_colour(STDERR_FILENO));
    if (r == 0) r = serve(o, err);
    if (r == SERVE_AGAIN) {
        (void)execv(s->program, s->again);
        r = err_sys(err, -errno, "cannot start %s anew", s->program);
    }
    return r < 0 ? cmd_fail(&cmd_serve, CMD_FAILED, "%s", err->msg) : CMD_OK;
}

/* Here or in the background, after others were asked to leave. */
static int start(const struct serve_options *o, struct start *s) {
    struct err err = {0};
    int r = self_path(s->program);
    if (r < 0) (void)err_sys(&err, r, "cannot tell which program this is");
    if (r == 0 && s->detach && !s->log && (r = detach_log_path(s->log_path, &err)) == 0) s->log = s->log_path;
    if (r == 0 && s->replace && !s->detach) r = replace_others(o->port, &err);
    if (r < 0) return cmd_fail(&cmd_serve, CMD_FAILED, "%s", err.msg);
    strv_push(&s->again, SPAN("--no-open"));
    strv_push(&s->again, SPAN("--no-setup"));
    if (s->log) detach_remember(&cmd_serve, 'l', s->log, &s->again);
    if (s->detach && s->replace) detach_remember(&cmd_serve, 'R', NULL, &s->again); /* that one does it */
    return s->detach ? start_detached(s, &err) : serve_in_place(o, s, &err);
}

static int read_options(int argc, char **argv, struct serve_options *o, struct start *s) {
    uint64_t max;
    int option, status;
    while ((option = cmd_option(&cmd_serve, argc, argv, &status)) != -1) {
        if (take_start_option(s, option)) continue;
        switch (option) {
        case 'p':
            if (!parse_port("--port", optarg, o)) return CMD_USAGE;
            s->has_port = true;
            break;
        case 'a': o->host = optarg; break;
        case 't':
            if (!cmd_number(&cmd_serve, "--max-terminals", optarg, 1, 10000, &max)) return CMD_USAGE;
            o->max_terminals = (unsigned)max;
            break;
        case 's': o->tls = true; break;
        case 'c': o->tls_cert = optarg; break;
        case 'k': o->tls_key = optarg; break;
        case 'n': o->open_browser = false; break;
        case 'd': o->debug = true; break;
        default: break;
        }
    }
    if (status < 0 && !o->tls_cert != !o->tls_key)
        return cmd_fail(&cmd_serve, CMD_USAGE, "--tls-cert and --tls-key go together");
    return status;
}

/* The first start at a terminal begins with questions. -1 to go on, otherwise the exit status. */
static int set_up(const char *file, const struct start *s, struct config *config) {
    struct err err = {0};
    int r = config_load(file, config, &err);
    if (r == 0 && (s->setup || (!config->exists && !s->no_setup && wizard_has_person()))) {
        int status = wizard_run(&cmd_serve, file, false);
        if (status != CMD_OK) return status;
        config_fini(config);
        r = config_load(file, config, &err);
    }
    return r < 0 ? cmd_fail(&cmd_serve, CMD_FAILED, "%s", err.msg) : -1;
}

/* What the command line does not say, the environment does, and then the configuration. */
static bool settle(struct serve_options *o, const struct start *s, const struct config *config) {
    const char *env_port = getenv("PORT");
    if (!s->has_port) o->port = config->port;
    if (!s->has_port && env_port && env_port[0] && !parse_port("the PORT environment variable", env_port, o))
        return false;
    if (!o->host) o->host = config->host;
    if (o->host && strcmp(o->host, "localhost") == 0) o->host = NULL;
    if (!o->max_terminals) o->max_terminals = config->max_terminals;
    o->rest_minutes = config->rest_minutes;
    o->away_minutes = config->away_minutes;
    o->debug |= config->debug;
    o->check_ms = config->process_check_ms;
    o->shell_seconds = config->shell_seconds;
    o->history_hours = config->history_hours;
    o->hook_clis = config->exists ? config->clis : (1U << CLI_N_) - 1;
    o->has_hook_density = config->exists;
    o->hook_density = config->density;
    o->is_set_up = config->exists;
    o->replaces = s->replace;
    return true;
}

static int set_up_and_start(struct serve_options *o, struct start *s) {
    char file[PATH_BYTES];
    struct paths paths;
    struct err err = {0};
    AUTO(config) struct config config = {0};
    if (paths_resolve(&paths, &err) < 0) return cmd_fail(&cmd_serve, CMD_FAILED, "%s", err.msg);
    if (config_path(&paths, file) < 0)
        return cmd_fail(&cmd_serve, CMD_FAILED, "the configuration file's path is too long");
    int status = set_up(file, s, &config);
    if (status >= 0) return status;
    return settle(o, s, &config) ? start(o, s) : CMD_USAGE;
}

static int run(int argc, char **argv) {
    struct serve_options o = {.open_browser = true};
    struct start s = {0};
    strv_push(&s.again, SPAN("ostler"));
    strv_push(&s.again, span_str(cmd_serve.name));
    int status = read_options(argc, argv, &o, &s);
    if (status < 0) status = set_up_and_start(&o, &s);
    strv_free(s.again);
    return status;
}

static const struct cmd_opt options[] = {
    {"port", 'p', .value = "N",
     .help = "listen on this port (default: $PORT, the configuration's, or 3333; 0 takes a free one)"},
    {"host", 'a', .value = "ADDR",
     .help =
         "listen on this address (default: the configuration's, or 127.0.0.1; 0.0.0.0 and :: are all; others than loopback need a password)"},
    {"tls", 's', .help = "speak https, with a certificate of this machine's own if no files are given"},
    {"tls-cert", 'c', .value = "FILE", .complete = "@file",
     .help = "the certificate for https, with its chain (PEM)"},
    {"tls-key", 'k', .value = "FILE", .complete = "@file", .help = "its private key (PEM)"},
    {"max-terminals", 't', .value = "N",
     .help = "how many terminals may be open at once (default: the configuration's, or 100)"},
    {"no-open", 'n', .help = "do not open the board in a browser"},
    {"setup", 'S', .help = "ask the questions of ostler setup first"},
    {"no-setup", 'Q', .help = "do not, even if this is the first start"},
    {"detach", 'D', .help = "run in the background; comes back when it listens, or says why it does not"},
    {"replace", 'R',
     .help = "stop the ostler that runs here, or has the port, and take its place; terminals stay"},
    {"log", 'l', .value = "FILE", .complete = "@file",
     .help = "log to this file (at most 4 MiB, and one older) instead of standard error"},
    {"debug", 'd', .help = "log more, and what agents report: one line each, cut, secrets masked"},
    {0},
};

const struct cmd cmd_serve = {
    .name = "serve",
    .group = CMD_DAEMON,
    .summary = "run the daemon and the board",
    .about =
        "Runs the daemon: watches the agents of this machine and serves the board. Stops cleanly on SIGTERM or "
        "Ctrl-C, and at once on a second one; events that come while it is down wait in the spool, and terminals go on "
        "without it.\n\n"
        "The first start at a terminal begins with the questions of ostler setup. Without a terminal nothing is asked.\n\n"
        "A port that is taken is never freed by force: the message says who has it. In the background it logs to "
        "ostler.log in the state directory: see ostler logs --daemon. ostler service has it started with the machine.",
    .options = options,
    .examples = "ostler serve\n"
                "ostler serve --detach --port 4000\n"
                "ostler serve --replace",
    .run = run,
};
