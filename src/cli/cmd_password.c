#include "cli/screen.h"
#include "crypto/password.h"

#include "base/cleanup.h"
#include "cli/ask.h"
#include "cli/cmd.h"
#include "cli/tell.h"
#include "config/config.h"

#include <errno.h>
#include <stdio.h>

enum { CANCELED = 130 };

/* What every action begins with: its command line, and the configuration, which must be one that can be changed. */
static int begin(int argc, char **argv, char file[PATH_BYTES], struct config *ret, bool *ret_json) {
    int option, status;
    while ((option = cmd_option(&cmd_password, argc, argv, &status)) != -1)
        *ret_json |= option == 'j';
    if (status >= 0) return status;
    struct paths paths;
    struct err err = {0};
    int r = paths_resolve(&paths, &err);
    if (r == 0 && config_path(&paths, file) < 0)
        r = err_set(&err, -ENAMETOOLONG, "the configuration file's path is too long");
    if (r == 0) r = config_load(file, ret, &err);
    return r < 0 ? cmd_fail(&cmd_password, CMD_FAILED, "%s", err.msg) : -1;
}

/* Writes it, and has it hold at once. */
static int change(const char *file, const char *hash, bool *ret_running) {
    struct err err = {0};
    if (config_set(file, "passwordHash", hash, &err) < 0)
        return cmd_fail(&cmd_password, CMD_FAILED, "%s", err.msg);
    if (tell_password(ret_running, &err) < 0) return cmd_fail(&cmd_password, CMD_FAILED, "%s", err.msg);
    return CMD_OK;
}

/* The hash of a new one. */
static int ask(char hash[PASSWORD_HASH_BYTES]) {
    char password[ASK_PASSWORD_BYTES];
    struct err err = {0};
    int r = ask_new_password(password, &err);
    if (r == 0 && password_hash(span_str(password), hash) < 0)
        r = err_set(&err, -ENOMEM, "the password cannot be hashed: there is no memory or no randomness");
    explicit_bzero(password, sizeof password);
    if (r == -ECANCELED) return cmd_fail(&cmd_password, CANCELED, "given up; nothing is changed");
    return r < 0 ? cmd_fail(&cmd_password, r == -EINVAL ? CMD_USAGE : CMD_FAILED, "%s", err.msg) : CMD_OK;
}

static int run_set(int argc, char **argv) {
    char file[PATH_BYTES], hash[PASSWORD_HASH_BYTES];
    bool json = false, running = false;
    AUTO(config) struct config config = {0};
    int status = begin(argc, argv, file, &config, &json);
    if (status >= 0) return status;
    status = ask(hash);
    if (status == CMD_OK) status = change(file, hash, &running);
    if (status != CMD_OK) return status;
    screen_print("The board asks for %s password%s.%s\n", config.password_hash ? "the new" : "a",
                 running ? " from now on" : " when the daemon runs",
                 running || config.password_hash ? " Everybody is logged out." : "");
    return CMD_OK;
}

static int run_remove(int argc, char **argv) {
    char file[PATH_BYTES];
    bool json = false, running = false;
    AUTO(config) struct config config = {0};
    int status = begin(argc, argv, file, &config, &json);
    if (status >= 0) return status;
    if (!config.password_hash) {
        screen_print("There is no password.\n");
        return CMD_OK;
    }
    status = change(file, NULL, &running);
    if (status != CMD_OK) return status;
    screen_print("The board asks for no password any more: it is for this user of this machine alone.\n");
    if (config.host) screen_print("The configuration's host is %s: that takes a password.\n", config.host);
    return CMD_OK;
}

static int run_status(int argc, char **argv) {
    char file[PATH_BYTES];
    bool json = false;
    AUTO(config) struct config config = {0};
    int status = begin(argc, argv, file, &config, &json);
    if (status >= 0) return status;
    if (json)
        screen_print("{\"passwordSet\":%s}\n", config.password_hash ? "true" : "false");
    else
        screen_print(config.password_hash
                         ? "The board asks for a password.\n"
                         : "There is no password: the board is for this user of this machine alone.\n");
    return CMD_OK;
}

static const struct cmd_opt options[] = {{"json", 'j', .help = "for programs"}, {0}};

static const struct cmd_action actions[] = {
    {"set", NULL, NULL, NULL, "set one, or another one: asks twice, or takes a line from standard input",
     run_set},
    {"remove", NULL, NULL, NULL, "have none any more", run_remove},
    {"status", NULL, NULL, "j", "is there one?", run_status},
    {0},
};

const struct cmd cmd_password = {
    .name = "password",
    .group = CMD_SETUP,
    .summary = "what the board asks for before it lets somebody in",
    .about =
        "Sets the board's password. Whoever knows it may look and type, from wherever the board can be reached; the command "
        "line of this account does not need it. Who logs in stays so for 24 hours. Changing the password logs everybody out, "
        "at once when the daemon runs.",
    .options = options,
    .actions = actions,
    .examples = "ostler password set\n"
                "pass show ostler | ostler password set",
};
