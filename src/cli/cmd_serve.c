#include "app/serve.h"

#include "cli/cmd.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_PORT = 3333 };

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
        case 's': o.tls = true; break;
        case 'c': o.tls_cert = optarg; break;
        case 'k': o.tls_key = optarg; break;
        case 'n': o.open_browser = false; break;
        case 'd': o.debug = true; break;
        default: break;
        }
    }
    if (status >= 0) return status;
    if (!o.tls_cert != !o.tls_key)
        return cmd_fail(&cmd_serve, CMD_USAGE, "--tls-cert and --tls-key go together");
    if (o.host && strcmp(o.host, "localhost") == 0) o.host = NULL;

    struct err err = {0};
    int r = serve(&o, &err);
    return r < 0 ? cmd_fail(&cmd_serve, CMD_FAILED, "%s", err.msg) : CMD_OK;
}

static const struct cmd_opt options[] = {
    {"port", 'p', .value = "N", .help = "listen on this port (default: $PORT or 3333; 0 takes a free one)"},
    {"host", 'a', .value = "ADDR",
     .help =
         "listen on this address (default 127.0.0.1; 0.0.0.0 and :: are all; others than loopback need a password)"},
    {"tls", 's', .help = "speak https, with a certificate of this machine's own if no files are given"},
    {"tls-cert", 'c', .value = "FILE", .complete = "@file",
     .help = "the certificate for https, with its chain (PEM)"},
    {"tls-key", 'k', .value = "FILE", .complete = "@file", .help = "its private key (PEM)"},
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
