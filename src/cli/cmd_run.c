#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/strv.h"
#include "base/utf8.h"
#include "cli/attach.h"
#include "cli/client.h"
#include "cli/cmd.h"
#include "cli/screen.h"
#include "cli/tty.h"
#include "core/agent.h"
#include "setup/here.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <unistd.h>

enum { ANSWER_MAX = 1 << 20 };

struct request {
    const char *name;
    const char *wished;         /* the directory, as it was typed; NULL: where we are */
    char directory[PATH_BYTES]; /* absolute */
    char **env;                 /* NAME=value */
    char *const *argv;
    bool detach, json;
    char prefix;
};

/* "KEY": {"NAME": value, …}. What is no text cannot be told, and is said to be left out. */
static void write_env(struct jwrite *w, const char *key, char *const *env) {
    jwrite_key(w, key);
    jwrite_object(w);
    for (; env && *env; env++) {
        struct span value = span_str(*env), name = span_split(&value, '=');
        if (!utf8_valid(span_str(*env))) {
            (void)cmd_fail(&cmd_run, 0, "the variable %.*s is no UTF-8 text and was left out",
                           SPAN_ARG(name));
            continue;
        }
        if (!name.n) continue;
        jwrite_key_span(w, name);
        jwrite_str(w, value);
    }
    jwrite_object_end(w);
}

static void write_request(const struct request *r, struct buf *out) {
    struct jwrite w = JWRITE_INIT(out);
    unsigned cols, rows;
    tty_size(&cols, &rows);
    jwrite_object(&w);
    jwrite_kcstr(&w, "workingDir", r->directory);
    if (r->name) jwrite_kcstr(&w, "sessionTitle", r->name);
    if (r->argv[0]) {
        jwrite_key(&w, "argv");
        jwrite_array(&w);
        for (char *const *a = r->argv; *a; a++)
            jwrite_cstr(&w, *a);
        jwrite_array_end(&w);
    } else {
        jwrite_kcstr(&w, "command", "");
    }
    if (tty_is_one()) {
        jwrite_ku64(&w, "cols", cols);
        jwrite_ku64(&w, "rows", rows);
    }
    write_env(&w, "environment", environ);
    write_env(&w, "env", r->env);
    jwrite_object_end(&w);
}

static int start(const struct request *r, struct roster *roster) {
    AUTO(buf) struct buf json = BUF_INIT(CLIENT_REQUEST_MAX - 4096), body = BUF_INIT(ANSWER_MAX);
    AUTO(arena) struct arena arena = ARENA_INIT(ANSWER_MAX);
    struct err err = {0};
    write_request(r, &json);
    if (json.failed) return cmd_fail(&cmd_run, CMD_USAGE, "the command is too long");
    if (client_call(&roster->daemon, "POST", "/api/terminals", buf_span(&json), &body, NULL, &err) < 0)
        return cmd_fail(&cmd_run, CMD_FAILED, "%s", err.msg);
    struct jmember m[] = {JMEMBER("terminalId"), JMEMBER("sessionId")};
    struct roster_entry e = {0};
    if (jscan_object(buf_span(&body), m, ARRAY_LEN(m)) < 1 || jscan_string(m[0].value, &arena, &e.id) < 0)
        return cmd_fail(&cmd_run, CMD_FAILED,
                        "the daemon's answer is not understood: is it another version?");
    if (r->json) {
        screen_json(buf_span(&body));
        return CMD_OK;
    }
    if (!r->detach && tty_is_one()) return attach_terminal(&cmd_run, roster, &e, r->prefix);
    screen_print("%.*s\n", SPAN_ARG(e.id));
    return CMD_OK;
}

static int take_option(struct request *r, int option) {
    switch (option) {
    case 'n': r->name = optarg; break;
    case 'w': r->wished = optarg; break;
    case 'd': r->detach = true; break;
    case 'j': r->json = true; break;
    case 'c': return attach_chord(&cmd_run, optarg, &r->prefix) ? CMD_OK : CMD_USAGE;
    case 'e':
        if (!strchr(optarg, '=') || optarg[0] == '=')
            return cmd_fail(&cmd_run, CMD_USAGE, "--env takes NAME=VALUE, not \"%s\"", optarg);
        strv_push(&r->env, span_str(optarg));
        break;
    default: break;
    }
    return CMD_OK;
}

/* Absolute, for a daemon that is elsewhere. */
static int resolve(struct request *r) {
    const char *wished = r->wished ? r->wished : ".";
    AUTO(free) char *real = realpath(wished, NULL);
    if (!real)
        return cmd_fail(&cmd_run, CMD_FAILED, "there is no directory \"%s\": %s", wished, strerror(errno));
    if (snprintf(r->directory, sizeof r->directory, "%s", real) >= (int)sizeof r->directory)
        return cmd_fail(&cmd_run, CMD_FAILED, "the directory's path is too long");
    return CMD_OK;
}

/* An agent that is not there: a shell in a terminal would only say that it has not found it. */
static int check_agent(const struct request *r) {
    char program[PATH_BYTES];
    const struct agent *agent = r->argv[0] ? agent_find(span_str(r->argv[0])) : NULL;
    if (!agent || agent->cli == CLI_N_ || strchr(r->argv[0], '/') ||
        setup_find_program(NULL, agent->cli, program))
        return CMD_OK;
    return cmd_fail(&cmd_run, CMD_FAILED, "%s is not installed: %s does that", r->argv[0],
                    setup_how_to_install(agent->cli));
}

static int run_request(struct request *r) {
    struct err err = {0};
    struct roster roster = {0};
    int status = check_agent(r);
    if (status == CMD_OK) status = resolve(r);
    if (status != CMD_OK) return status;
    if (paths_resolve(&roster.paths, &err) < 0 || client_find(&roster.daemon, &err) < 0)
        return cmd_fail(&cmd_run, CMD_FAILED, "%s", err.msg);
    return start(r, &roster);
}

static int run(int argc, char **argv) {
    struct request r = {.prefix = CHORD_PREFIX};
    int option, status, wrong = CMD_OK;
    while (wrong == CMD_OK && (option = cmd_option(&cmd_run, argc, argv, &status)) != -1)
        wrong = take_option(&r, option);
    if (wrong == CMD_OK && status < 0) {
        r.argv = argv + optind;
        status = run_request(&r);
    }
    strv_free(r.env);
    return wrong == CMD_OK ? status : wrong;
}

static const struct cmd_opt options[] = {
    {"name", 'n', .value = "NAME", .help = "what the board calls it, and what ostler attach takes"},
    {"cwd", 'w', .value = "DIR", .help = "where it runs; the directory you are in otherwise",
     .complete = "@dir"},
    {"env", 'e', .value = "NAME=VAL", .help = "added to its environment, which is yours; may be given again"},
    {"detach", 'd', .has_letter = true, .help = "do not attach; prints the terminal's id"},
    {"json", 'j', .help = "likewise, with the daemon's whole answer"},
    {"chord", 'c', .value = "KEY", .help = "another key than Ctrl-], like ^A"},
    {0},
};

const struct cmd cmd_run = {
    .name = "run",
    .group = CMD_AGENTS,
    .summary = "start a command in a terminal that outlives this one",
    .words = "[--] [COMMAND [ARGUMENT]…]",
    .complete = "@program",
    .stops_at_word = true,
    .about =
        "Starts a command (your shell, without one) in a terminal that outlives this one, and attaches to it. "
        "Closing the window or stopping the daemon does not end it; Ctrl-] d leaves it, and ostler attach comes "
        "back. Needs a daemon: ostler serve.\n\n"
        "It runs as it would here: in this directory, with the whole environment of this shell. What is kept of that, to start it "
        "again some day, is without the values of keys, tokens and passwords.",
    .options = options,
    .notes =
        "The exit status is the command's (128 + the signal's number when a signal ended it), 0 after a detach. "
        "Where standard input or output is no terminal it does not attach.",
    .examples = "ostler run -- claude\n"
                "ostler run --name build -d -- make -j4\n"
                "ostler run --cwd ~/src/alpha",
    .run = run,
};
