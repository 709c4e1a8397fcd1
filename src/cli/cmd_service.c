#include "app/daemon_file.h"
#include "base/cleanup.h"
#include "base/jwrite.h"
#include "cli/cmd.h"
#include "cli/screen.h"
#include "cli/service.h"
#include "cli/unit.h"
#include "platform/scope.h"

#include <getopt.h>
#include <stdio.h>

enum { UNIT_BYTES_MAX = 256 << 10 };

struct asked {
    const char *program;
    bool json;
};

static void explain_lingering(void) {
    if (service_is_lingering()) return;
    screen_print(
        "It runs while you are logged in. To have it, and the terminals, from the start of the machine until its "
        "end:\n  loginctl enable-linger\n");
}

/* Has the manager start it; what is in the way is said. */
static int start_it(void) {
    struct paths paths;
    struct daemon_process other;
    struct err err = {0};
    if (service_systemctl("daemon-reload", NULL, false) != 0)
        return cmd_fail(&cmd_service, CMD_FAILED, "systemctl --user daemon-reload failed");
    bool runs =
        !service_is_active() && paths_resolve(&paths, &err) == 0 && daemon_running(&paths, &other) == 0;
    if (runs) {
        screen_print(
            "An ostler runs already (pid %lld). To let the service take over: ostler stop && systemctl --user start "
            "ostler\n",
            (long long)other.pid);
        return CMD_OK;
    }
    if (service_systemctl("restart", UNIT_NAME, false) != 0)
        return cmd_fail(&cmd_service, CMD_FAILED, "it did not start: journalctl --user -u ostler says why");
    screen_print("It runs: ostler status says where, journalctl --user -u ostler shows its log.\n");
    return CMD_OK;
}

static int install(const struct service *s, const struct asked *asked) {
    struct err err = {0};
    if (service_write(s, asked->program, &err) < 0) return cmd_fail(&cmd_service, CMD_FAILED, "%s", err.msg);
    screen_print("The service is installed: ");
    screen_path(s->file);
    (void)putchar('\n');
    if (!scope_available()) {
        screen_print(
            "No systemd user manager runs here, so it starts with your next login. Until then: ostler serve "
            "--detach\n");
        explain_lingering();
        return CMD_OK;
    }
    int status = start_it();
    if (status == CMD_OK) explain_lingering();
    return status;
}

static int uninstall(const struct service *s, const struct asked *asked UNUSED) {
    bool is_there;
    struct err err = {0};
    if (service_is_installed(s, &is_there, &err) < 0)
        return cmd_fail(&cmd_service, CMD_FAILED, "%s", err.msg);
    if (!is_there && !service_is_enabled(s)) {
        screen_print("The service is not installed.\n");
        return CMD_OK;
    }
    bool has_manager = scope_available();
    if (has_manager && service_is_active() && service_systemctl("stop", UNIT_NAME, false) != 0)
        return cmd_fail(&cmd_service, CMD_FAILED, "systemctl --user stop ostler failed; nothing was removed");
    if (service_remove(s, &err) < 0) return cmd_fail(&cmd_service, CMD_FAILED, "%s", err.msg);
    if (has_manager) (void)service_systemctl("daemon-reload", NULL, true);
    screen_print("The service is gone. Terminals that it had go on: ostler serve takes them up.\n");
    return CMD_OK;
}

static int tell(const struct service *s, const struct asked *asked) {
    bool is_there;
    struct err err = {0};
    if (service_is_installed(s, &is_there, &err) < 0)
        return cmd_fail(&cmd_service, CMD_FAILED, "%s", err.msg);
    bool enabled = service_is_enabled(s), manager = scope_available(),
         active = manager && service_is_active();
    bool lingers = service_is_lingering();
    if (asked->json) {
        AUTO(buf) struct buf out = BUF_INIT(64 << 10);
        struct jwrite w = JWRITE_INIT(&out);
        jwrite_object(&w);
        jwrite_kbool(&w, "installed", is_there);
        jwrite_kcstr(&w, "file", s->file);
        jwrite_kbool(&w, "enabled", enabled);
        jwrite_kbool(&w, "active", active);
        jwrite_kbool(&w, "manager", manager);
        jwrite_kbool(&w, "lingering", lingers);
        jwrite_object_end(&w);
        screen_json(buf_span(&out));
        return is_there ? CMD_OK : CMD_FAILED;
    }
    if (!is_there) {
        screen_print("The service is not installed: ostler service install\n");
        return CMD_FAILED;
    }
    screen_print("The service is installed (");
    screen_path(s->file);
    screen_print("), %s, and %s.\n", enabled ? "starts with your login" : "not started by itself",
                 active    ? "runs"
                 : manager ? "does not run: systemctl --user start ostler"
                           : "no systemd user manager runs here that could start it");
    explain_lingering();
    return CMD_OK;
}

static int print_unit(const struct service *s UNUSED, const struct asked *asked) {
    AUTO(buf) struct buf text = BUF_INIT(UNIT_BYTES_MAX);
    struct err err = {0};
    if (service_unit(asked->program, &text, &err) < 0)
        return cmd_fail(&cmd_service, CMD_FAILED, "%s", err.msg);
    screen_lines(buf_span(&text));
    return CMD_OK;
}

static int run_with(int (*action)(const struct service *s, const struct asked *asked), int argc,
                    char **argv) {
    struct asked asked = {0};
    struct service s = {0};
    struct err err = {0};
    int option, status;
    while ((option = cmd_option(&cmd_service, argc, argv, &status)) != -1) {
        asked.json |= option == 'j';
        if (option == 'p') asked.program = optarg;
    }
    if (status >= 0) return status;
    if (asked.program && asked.program[0] != '/')
        return cmd_fail(&cmd_service, CMD_USAGE, "--program takes an absolute path, not \"%s\"",
                        asked.program);
    if (action != print_unit && service_find(&s, &err) < 0)
        return cmd_fail(&cmd_service, CMD_FAILED, "%s", err.msg);
    return action(&s, &asked);
}

static int run_install(int argc, char **argv) {
    return run_with(install, argc, argv);
}

static int run_uninstall(int argc, char **argv) {
    return run_with(uninstall, argc, argv);
}

static int run_status(int argc, char **argv) {
    return run_with(tell, argc, argv);
}

static int run_print(int argc, char **argv) {
    return run_with(print_unit, argc, argv);
}

static const struct cmd_opt options[] = {
    {"json", 'j', .help = "an object: {installed, file, enabled, active, manager, lingering}"},
    {"program", 'p', .value = "PATH", .complete = "@file",
     .help =
         "the ostler that it shall run, as for a package: nothing of your environment goes into the unit"},
    {0},
};

static const struct cmd_action actions[] = {
    {"install", NULL, NULL, NULL, "write the unit, have it started with your login, and start it",
     run_install},
    {"uninstall", NULL, NULL, NULL, "stop it and remove the unit; terminals go on", run_uninstall},
    {"status", NULL, NULL, "j", "is it installed, and does it run? Exit status 1 when it is not installed",
     run_status},
    {"print", NULL, NULL, "p", "the unit's text, and nothing else", run_print},
    {0},
};

const struct cmd cmd_service = {
    .name = "service",
    .summary = "have the daemon started with your login, by systemd",
    .about =
        "Runs the daemon as a service of your systemd user manager. The unit has the PATH that you have now, so that agents "
        "are found. Stopping or restarting the service does not touch terminals.\n\n"
        "A user manager ends when you have logged out everywhere, and everything of yours with it, unless you let it "
        "linger: loginctl enable-linger.",
    .options = options,
    .actions = actions,
    .examples = "ostler service install\n"
                "systemctl --user edit ostler      changes that stay\n"
                "journalctl --user -u ostler       its log",
};
