#include "base/cleanup.h"
#include "base/jscan.h"
#include "cli/client.h"
#include "cli/cmd.h"
#include "cli/screen.h"

#include <stdio.h>

static void print_uptime(int64_t ms) {
    int64_t s = ms / 1000;
    if (s < 60)
        screen_print("%llds", (long long)s);
    else if (s < 3600)
        screen_print("%lldm %llds", (long long)(s / 60), (long long)(s % 60));
    else
        screen_print("%lldh %lldm", (long long)(s / 3600), (long long)(s / 60 % 60));
}

static void print_sentences(const char *word, struct span list, struct arena *arena) {
    struct span rest = list, item, sentence;
    while (list.n && jscan_array_next(&rest, &item) == 1) {
        if (jscan_string(item, arena, &sentence) < 0) continue;
        screen_print("  %s: ", word);
        screen_text(sentence);
        (void)putchar('\n');
    }
}

/* By `json`: the daemon's own words. The exit status is the same. */
static int print_health(const struct daemon_info *daemon, struct span health, bool json) {
    enum { REQUIRED = 4 };
    struct jmember m[] = {JMEMBER("status"), JMEMBER("version"), JMEMBER("uptimeMs"), JMEMBER("problems"),
                          JMEMBER("hints")};
    AUTO(arena) struct arena arena = ARENA_INIT(64 << 10);
    struct span status, version;
    int64_t uptime;
    if (jscan_object(health, m, ARRAY_LEN(m)) < REQUIRED || jscan_string(m[0].value, &arena, &status) < 0 ||
        jscan_string(m[1].value, &arena, &version) < 0 || !jscan_i64(m[2].value, &uptime))
        return cmd_fail(&cmd_status, CMD_FAILED,
                        "the daemon's answer is not understood: is it another version?");
    bool well = span_eq(status, SPAN("ok"));
    if (json) {
        screen_json(health);
        return well ? CMD_OK : CMD_FAILED;
    }
    screen_print("ostler %.*s is %s at %s (pid %lld, up ", SPAN_ARG(version), well ? "well" : "in trouble",
                 daemon->url, (long long)daemon->pid);
    print_uptime(uptime);
    screen_print(")\n");
    if (daemon->fingerprint[0]) screen_print("  certificate: %s (SHA-256)\n", daemon->fingerprint);
    print_sentences("problem", m[3].value, &arena);
    print_sentences("note", m[4].value, &arena);
    return well ? CMD_OK : CMD_FAILED;
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
    return print_health(&daemon, buf_span(&body), json);
}

static const struct cmd_opt options[] = {{"json", 'j', .help = "the daemon's own answer"}, {0}};

const struct cmd cmd_status = {
    .name = "status",
    .group = CMD_DAEMON,
    .summary = "is the daemon running, and is all well?",
    .about =
        "Says whether the daemon runs, where, and whether all is well: what troubles it, and what was lost. Exit status 1 when it "
        "does not run, or is in trouble.",
    .options = options,
    .run = run,
};
