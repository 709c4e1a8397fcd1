#include "base/cleanup.h"
#include "base/jscan.h"
#include "cli/client.h"
#include "cli/cmd.h"

#include <stdio.h>

static void print_uptime(int64_t ms) {
    int64_t s = ms / 1000;
    if (s < 60)
        (void)printf("%llds", (long long)s);
    else if (s < 3600)
        (void)printf("%lldm %llds", (long long)(s / 60), (long long)(s % 60));
    else
        (void)printf("%lldh %lldm", (long long)(s / 3600), (long long)(s / 60 % 60));
}

static int print_health(const struct daemon_info *daemon, struct span health) {
    struct jmember m[] = {JMEMBER("status"), JMEMBER("version"), JMEMBER("uptimeMs"), JMEMBER("problems")};
    AUTO(arena) struct arena arena = ARENA_INIT(64 << 10);
    struct span status, version;
    int64_t uptime;
    if (jscan_object(health, m, ARRAY_LEN(m)) < (int)ARRAY_LEN(m) ||
        jscan_string(m[0].value, &arena, &status) < 0 || jscan_string(m[1].value, &arena, &version) < 0 ||
        !jscan_i64(m[2].value, &uptime))
        return cmd_fail(&cmd_status, CMD_FAILED,
                        "the daemon's answer is not understood: is it another version?");
    (void)printf("ostler %.*s is %s at %s (pid %lld, up ", SPAN_ARG(version),
                 span_eq(status, SPAN("ok")) ? "well" : "in trouble", daemon->url, (long long)daemon->pid);
    print_uptime(uptime);
    (void)printf(")\n");
    if (daemon->fingerprint[0]) (void)printf("  certificate: %s (SHA-256)\n", daemon->fingerprint);
    struct span rest = m[3].value, problem, sentence;
    while (jscan_array_next(&rest, &problem) == 1)
        if (jscan_string(problem, &arena, &sentence) == 0)
            (void)printf("  problem: %.*s\n", SPAN_ARG(sentence));
    return CMD_OK;
}

static int run(int argc, char **argv) {
    bool json = false;
    int option, status;
    while ((option = cmd_option(&cmd_status, argc, argv, &status)) != -1)
        json |= option == 'j';
    if (status >= 0) return status;

    struct daemon_info daemon;
    struct err err = {0};
    AUTO(buf) struct buf body = BUF_INIT(CLIENT_BODY_MAX);
    if (client_find(&daemon, &err) < 0 || client_get(&daemon, "/api/health", &body, &err) < 0)
        return cmd_fail(&cmd_status, CMD_FAILED, "%s", err.msg);
    if (!json) return print_health(&daemon, buf_span(&body));
    (void)printf("%.*s\n", SPAN_ARG(buf_span(&body)));
    return CMD_OK;
}

static const struct cmd_opt options[] = {{"json", 'j', .help = "the daemon's own answer"}, {0}};

const struct cmd cmd_status = {
    .name = "status",
    .group = CMD_DAEMON,
    .summary = "is the daemon running, and is all well?",
    .about =
        "Says whether the daemon runs, where, and whether all is well. Exit status 1 when it does not run.",
    .options = options,
    .run = run,
};
