#include "base/cleanup.h"
#include "base/jscan.h"
#include "cli/client.h"
#include "cli/cmd.h"
#include "cli/inbox_pick.h"
#include "cli/screen.h"

#include <string.h>

enum { ANSWER_BYTES_MAX = 1 << 20 };

static int find(struct daemon_info *ret) {
    struct err err = {0};
    return client_find(ret, &err) < 0 ? cmd_fail(&cmd_away, CMD_FAILED, "%s", err.msg) : CMD_OK;
}

static int tell(const struct daemon_info *daemon, bool json) {
    AUTO(buf) struct buf body = BUF_INIT(ANSWER_BYTES_MAX), text = BUF_INIT(ANSWER_BYTES_MAX);
    struct jmember after = JMEMBER("afterMinutes");
    struct err err = {0};
    int64_t minutes;
    if (client_call(daemon, "GET", "/api/away", SPAN_NONE, &body, NULL, &err) < 0)
        return cmd_fail(&cmd_away, CMD_FAILED, "%s", err.msg);
    struct span away = span_trim(buf_span(&body));
    if (json) {
        screen_json(away);
        return CMD_OK;
    }
    struct inbox_look look = inbox_look();
    inbox_text_away(&text, away, &look);
    if (text.n)
        inbox_print(&text);
    else
        screen_print("You are here: Codex asks in its own dialog.\n");
    if (jscan_object(away, &after, 1) == 1 && jscan_i64(after.value, &minutes))
        screen_print("Without a key for %lld min you count as away (awayAfterMinutes).\n",
                     (long long)minutes);
    return CMD_OK;
}

static int run_status(int argc, char **argv) {
    struct daemon_info daemon;
    bool json = false;
    int option, status;
    while ((option = cmd_option(&cmd_away, argc, argv, &status)) != -1)
        json |= option == 'j';
    if (status >= 0) return status;
    status = find(&daemon);
    return status == CMD_OK ? tell(&daemon, json) : status;
}

static int run_set(int argc, char **argv) {
    AUTO(buf) struct buf body = BUF_INIT(ANSWER_BYTES_MAX);
    struct daemon_info daemon;
    struct err err = {0};
    bool json = false, on = strcmp(argv[0], "on") == 0;
    int option, status;
    while ((option = cmd_option(&cmd_away, argc, argv, &status)) != -1)
        json |= option == 'j';
    if (status >= 0) return status;
    status = find(&daemon);
    if (status != CMD_OK) return status;
    if (client_call(&daemon, "PUT", "/api/away", on ? SPAN("{\"away\":true}") : SPAN("{\"away\":false}"),
                    &body, NULL, &err) < 0)
        return cmd_fail(&cmd_away, CMD_FAILED, "%s", err.msg);
    return tell(&daemon, json);
}

static const struct cmd_opt options[] = {
    {"json", 'j', .help = "as GET /api/away answers it"},
    {0},
};

static const struct cmd_action actions[] = {
    {"on", NULL, NULL, "j", "you are away: answers come from here", run_set},
    {"off", NULL, NULL, "j", "you are back: whoever waits shows its own dialog", run_set},
    {"status", NULL, NULL, "j", "which is it, and since when?", run_status},
    {0},
};

const struct cmd cmd_away = {
    .name = "away",
    .group = CMD_AGENTS,
    .summary = "say that you are away, so that every agent asks here",
    .about =
        "Some agents show no dialog of their own while ostler waits for your answer: Codex. They ask here only while you are away, "
        "and a key that is typed in such an agent's terminal brings its own dialog back. Claude Code asks in both places at any time. "
        "The setting awayAfterMinutes says it by itself when no key was typed for so long.",
    .options = options,
    .actions = actions,
    .otherwise = "status",
    .examples = "ostler away on\n"
                "ostler away off",
};
