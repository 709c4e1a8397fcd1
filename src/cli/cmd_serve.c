#include "app/serve.h"

#include "cli/cmd.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_PORT = 3333 };

/* Whoever reaches the port can read every prompt, so other machines have to wait for passwords. */
static bool is_loopback(const char *host) {
    return strcmp(host, "localhost") == 0 || strcmp(host, "::1") == 0 || strncmp(host, "127.", 4) == 0;
}

static bool parse_port(const char *option, const char *text, struct serve_options *o) {
    uint64_t port;
    if (!cmd_number(&cmd_serve, option, text, 0, UINT16_MAX, &port)) return false;
    o->port = (uint16_t)port;
    return true;
}

static int run(int argc, char **argv) {
    struct serve_options o = {.port = DEFAULT_PORT, .open_browser = true};
    const char *env_port = getenv("PORT");
    if (env_port && env_port[0] && !parse_port("the PORT environment variable", env_port, &o))
        return CMD_USAGE;

    uint64_t max;
    int option, status;
    while ((option = cmd_option(&cmd_serve, argc, argv, &status)) != -1) {
        switch (option) {
        case 'p':
            if (!parse_port("--port", optarg, &o)) return CMD_USAGE;
            break;
        case 'a': o.host = optarg; break;
        case 't':
            if (!cmd_number(&cmd_serve, "--max-terminals", optarg, 1, 10000, &max)) return CMD_USAGE;
            o.max_terminals = (unsigned)max;
            break;
        case 'n': o.open_browser = false; break;
        case 'd': o.debug = true; break;
        default: break;
        }
    }
    if (status >= 0) return status;
    if (o.host && !is_loopback(o.host))
        return cmd_fail(
            &cmd_serve, CMD_USAGE,
            "--host %s would let other machines read your agents' work: only 127.0.0.1 and ::1 are served "
            "until there are passwords; use ssh -L %u:localhost:%u meanwhile",
            o.host, o.port, o.port);
    if (o.host && strcmp(o.host, "localhost") == 0) o.host = NULL;

    struct err err = {0};
    int r = serve(&o, &err);
    return r < 0 ? cmd_fail(&cmd_serve, CMD_FAILED, "%s", err.msg) : CMD_OK;
}

static const struct cmd_opt options[] = {
    {"port", 'p', .value = "N", .help = "listen on this port (default: $PORT or 3333; 0 takes a free one)"},
    {"host", 'a', .value = "ADDR",
     .help = "listen on this address (default 127.0.0.1; only loopback addresses until there are passwords)"},
    {"max-terminals", 't', .value = "N", .help = "how many terminals may be open at once (default 100)"},
    {"no-open", 'n', .help = "do not open the board in a browser"},
    {"debug", 'd', .help = "log more"},
    {0},
};

const struct cmd cmd_serve = {
    .name = "serve",
    .summary = "run the daemon and the board",
    .about =
        "Runs the daemon: watches the agents of this machine and serves the board. Stops cleanly on SIGTERM or "
        "Ctrl-C; events that come while it is down wait in the spool.",
    .options = options,
    .run = run,
};
