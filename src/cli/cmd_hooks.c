#include "base/cleanup.h"
#include "cli/cmd.h"
#include "cli/hooks_change.h"
#include "cli/hooks_check.h"
#include "cli/screen.h"
#include "setup/here.h"

#include <getopt.h>
#include <stdio.h>

#define CLI_NAMES "claude gemini codex copilot opencode"

struct hooks {
    struct paths paths;
    struct setup_place place;
    unsigned clis; /* those that were named; 0: none were */
    bool has_density;
    enum config_density density;
    bool json, dry_run, test;
    int status;
};

/* Without a name: every CLI that is used here. */
static unsigned clis_here(const struct setup_place *p) {
    unsigned clis = 0;
    for (enum cli cli = 0; cli < CLI_N_; cli++)
        if (setup_is_here(p, cli)) clis |= 1U << cli;
    return clis;
}

/* ---- install, uninstall ---------------------------------------------------------------------------------------- */

static struct hooks_change begin_change(const struct hooks *h, bool terse) {
    return (struct hooks_change){
        .cmd = &cmd_hooks, .place = &h->place, .json = h->json, .dry_run = h->dry_run, .terse = terse};
}

/* What the daemon goes by when it starts. Without a configuration it goes by what is installed. */
static void note_choice(const struct hooks *h, unsigned clis) {
    char file[PATH_BYTES];
    struct err err = {0};
    AUTO(config) struct config config = {0};
    AUTO(buf) struct buf names = BUF_INIT(256);
    if (config_path(&h->paths, file) < 0 || config_load(file, &config, &err) < 0 || !config.exists) return;
    for (enum cli cli = 0; cli < CLI_N_; cli++)
        if ((clis | config.clis) & 1U << cli)
            (void)buf_printf(&names, "%s%s", names.n ? "," : "", cli_to_str(cli));
    const struct config_change changes[] = {{"enabledClis", names.p},
                                            {"hookDensity", config_density_to_str(h->density)}};
    if (((clis & ~config.clis) || h->has_density) &&
        config_change(file, changes, h->has_density ? 2 : 1, &err) < 0)
        (void)cmd_fail(&cmd_hooks, 0, "warning: the configuration does not know of it: %s", err.msg);
}

static int install(struct hooks *h) {
    struct hooks_change c = begin_change(h, false);
    unsigned clis = h->clis ? h->clis : clis_here(&h->place);
    if (!clis)
        return cmd_fail(
            &cmd_hooks, CMD_FAILED,
            "none of the agents that ostler knows is on this machine; name one with --cli to prepare for it");
    for (enum cli cli = 0; cli < CLI_N_; cli++) {
        enum config_density density = h->has_density ? h->density : setup_density(&h->place, cli);
        if (clis & 1U << cli) hooks_change(&c, cli, &density);
    }
    if (!c.failed && !h->dry_run) note_choice(h, clis);
    if (!c.failed && c.changed && !h->json && !h->dry_run)
        screen_print(
            "Agents that are started from now on show up on the board. ostler hooks doctor --test tries it.\n");
    return c.failed ? CMD_FAILED : CMD_OK;
}

static int uninstall(struct hooks *h) {
    struct hooks_change c = begin_change(h, !h->clis);
    for (enum cli cli = 0; cli < CLI_N_; cli++)
        if (!h->clis || h->clis & 1U << cli) hooks_change(&c, cli, NULL);
    if (!h->clis && !c.changed && !c.failed && !h->json)
        screen_print("There is nothing of ostler's in the settings of any agent.\n");
    return c.failed ? CMD_FAILED : CMD_OK;
}

/* ---- status, doctor -------------------------------------------------------------------------------------------- */

static void ask_daemon(struct daemon_info *daemon, bool *ret_runs, struct buf *heard) {
    struct err err = {0};
    *ret_runs = client_find(daemon, &err) == 0 && client_get(daemon, "/api/hooks/status", heard, &err) == 200;
}

/* With names: those; otherwise those that are here, and whatever has hooks. */
static bool is_meant(const struct hooks *h, const struct hooks_check *c) {
    if (h->clis) return h->clis & 1U << c->status.cli;
    return c->is_here || c->status.installed || h->json;
}

static int look(struct hooks *h, bool details) {
    struct daemon_info daemon;
    bool runs, any = false, none = true;
    AUTO(buf) struct buf heard = BUF_INIT(CLIENT_BODY_MAX);
    ask_daemon(&daemon, &runs, &heard);
    for (enum cli cli = 0; cli < CLI_N_; cli++) {
        struct hooks_check c;
        bool asked = !h->clis || h->clis & 1U << cli;
        struct setup_version now;
        if (details && asked) setup_version_ask(cli, &h->place.notes, &now); /* noted, for what follows */
        hooks_check(&h->place, cli, runs ? &daemon : NULL, buf_span(&heard), h->test && asked, &c);
        if (is_meant(h, &c)) {
            any = true;
            if (c.status.installed) none = false;
            if (c.problems || (h->clis && !c.status.installed)) h->status = CMD_FAILED;
            if (h->json)
                hooks_check_json(&h->place, &c);
            else
                hooks_check_print(&h->place, &c, details);
        }
        hooks_check_fini(&c);
    }
    if (none && !h->json)
        screen_print(any ? "Nothing is installed: ostler hooks install does that.\n"
                         : "None of the agents that ostler knows is on this machine.\n");
    return none ? CMD_FAILED : h->status;
}

static int tell_status(struct hooks *h) {
    return look(h, false);
}

static int doctor(struct hooks *h) {
    return look(h, true);
}

/* ---- the command ----------------------------------------------------------------------------------------------- */

static int read_option(struct hooks *h, int option) {
    enum cli cli;
    switch (option) {
    case 'c':
        if (!cli_from_str(span_str(optarg), &cli))
            return cmd_fail(&cmd_hooks, CMD_USAGE, "there is no CLI called %s; these are known: " CLI_NAMES,
                            optarg);
        h->clis |= 1U << cli;
        break;
    case 'd':
        h->has_density = true;
        if (!config_density_from_str(span_str(optarg), &h->density))
            return cmd_fail(&cmd_hooks, CMD_USAGE, "a density is high, medium or low, not %s", optarg);
        break;
    case 'j': h->json = true; break;
    case 'n': h->dry_run = true; break;
    case 't': h->test = true; break;
    default: break;
    }
    return CMD_OK;
}

/* The command line of an action, and then what it does. */
static int run_with(int (*action)(struct hooks *h), int argc, char **argv) {
    struct hooks h = {.density = DENSITY_MEDIUM};
    struct err err = {0};
    int option, status;
    while ((option = cmd_option(&cmd_hooks, argc, argv, &status)) != -1) {
        int wrong = read_option(&h, option);
        if (wrong) return wrong;
    }
    if (status >= 0) return status;
    if (paths_resolve(&h.paths, &err) < 0 || setup_place_resolve(&h.place, &h.paths, &err) < 0)
        return cmd_fail(&cmd_hooks, CMD_FAILED, "%s", err.msg);
    return action(&h);
}

static int run_install(int argc, char **argv) {
    return run_with(install, argc, argv);
}

static int run_uninstall(int argc, char **argv) {
    return run_with(uninstall, argc, argv);
}

static int run_status(int argc, char **argv) {
    return run_with(tell_status, argc, argv);
}

static int run_doctor(int argc, char **argv) {
    return run_with(doctor, argc, argv);
}

static const struct cmd_opt options[] = {
    {"cli", 'c', .value = "NAME", .help = "only this one, may be repeated: " CLI_NAMES,
     .complete = CLI_NAMES},
    {"density", 'd', .value = "LEVEL",
     .help = "how many events are registered: high, medium (as usual) or low", .complete = "high medium low"},
    {"dry-run", 'n', .help = "show what would change, and change nothing"},
    {"test", 't', .help = "send a probe through each hook and wait until the daemon has seen it"},
    {"json", 'j', .help = "one object a line"},
    {0},
};

static const struct cmd_action actions[] = {
    {"install", NULL, NULL, "cdnj", "register the hook with every agent on this machine", run_install},
    {"uninstall", NULL, NULL, "cnj", "take it out again; the settings are what they were", run_uninstall},
    {"status", NULL, NULL, "cj", "what is registered", run_status},
    {"doctor", NULL, NULL, "ctj", "the same, with everything that could be in the way", run_doctor},
    {0},
};

const struct cmd cmd_hooks = {
    .name = "hooks",
    .summary = "let agents tell ostler what they do",
    .about =
        "Registers ostler-hook in the settings of the agents' CLIs, so that they show up on the board wherever they are started. "
        "What else is in these files keeps its bytes; a copy is made before the first change, and what is being edited by somebody "
        "else at the same moment is left alone.",
    .options = options,
    .actions = actions,
    .notes =
        "Exit status: 0 when all is well, 1 when something could not be changed, or is not as it should be (status, doctor: "
        "also when nothing is installed), 2 when the command is not understood.",
    .examples = "ostler hooks install\n"
                "ostler hooks install --cli claude --cli codex --density high\n"
                "ostler hooks install --dry-run\n"
                "ostler hooks doctor --test",
};
