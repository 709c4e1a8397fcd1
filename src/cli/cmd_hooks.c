#include "base/cleanup.h"
#include "base/jwrite.h"
#include "cli/cmd.h"
#include "cli/hooks_check.h"
#include "cli/screen.h"
#include "cli/text_diff.h"
#include "setup/setup.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>

#define CLI_NAMES "claude gemini codex copilot opencode"

struct hooks {
    struct setup_place place;
    unsigned clis; /* those that were named; 0: none were */
    bool has_density;
    enum config_density density;
    bool json, dry_run, test;
    bool changed; /* something was, or would be */
    int status;
};

/* Without a name: every CLI that is used here. */
static unsigned clis_here(const struct setup_place *p) {
    unsigned clis = 0;
    for (enum cli cli = 0; cli < CLI_N_; cli++)
        if (hooks_is_here(p, cli)) clis |= 1U << cli;
    return clis;
}

/* ---- install, uninstall ---------------------------------------------------------------------------------------- */

/* `density` is of what was installed, NULL when it was taken out. */
static void tell_change(const struct hooks *h, enum cli cli, const enum config_density *density,
                        const struct setup_change *c) {
    if (!c->changed && !density && !h->clis) return;
    (void)printf("%s: ", hooks_cli_name(cli));
    if (!c->changed) {
        (void)printf(density ? "nothing to change in " : "nothing of ostler's in ");
        screen_path(h->place.file[cli]);
        (void)printf(".\n");
        return;
    }
    if (density)
        (void)printf("%s (%s) %s ", screen_count(setup_event_count(cli, *density), "event", "events").text,
                     setup_density_to_str(*density), h->dry_run ? "would be registered in" : "registered in");
    else
        (void)printf(h->dry_run ? "the hooks would be taken out of " : "the hooks are taken out of ");
    screen_path(h->place.file[cli]);
    (void)printf("%s.\n", !c->deleted ? "" : h->dry_run ? ", which would go" : ", which is gone");
    if (c->backup[0]) {
        (void)printf("  It was copied to ");
        screen_path(c->backup);
        (void)printf(" before.\n");
    }
    if (h->dry_run) text_diff_print(buf_span(&c->was), c->deleted ? SPAN_NONE : buf_span(&c->now));
}

static void tell_change_json(const struct hooks *h, enum cli cli, const struct setup_change *c) {
    AUTO(buf) struct buf out = BUF_INIT(64 << 10);
    struct jwrite w = JWRITE_INIT(&out);
    jwrite_object(&w);
    jwrite_kcstr(&w, "cli", cli_to_str(cli));
    jwrite_kcstr(&w, "file", h->place.file[cli]);
    jwrite_kbool(&w, "changed", c->changed);
    jwrite_kbool(&w, "deleted", c->deleted);
    jwrite_kcstr(&w, "backup", c->backup[0] ? c->backup : NULL);
    jwrite_kcstr(&w, "error", c->code < 0 ? c->err.msg : NULL);
    jwrite_object_end(&w);
    (void)printf("%.*s\n", SPAN_ARG(buf_span(&out)));
}

static void change(struct hooks *h, enum cli cli, bool install) {
    AUTO(setup_change) struct setup_change c;
    enum config_density density = h->has_density ? h->density : setup_density(&h->place, cli);
    if (install)
        (void)setup_install(&h->place, cli, density, h->dry_run, &c);
    else
        (void)setup_uninstall(&h->place, cli, h->dry_run, &c);
    if (c.code < 0) h->status = CMD_FAILED;
    h->changed |= c.changed;
    if (h->json)
        tell_change_json(h, cli, &c);
    else if (c.code < 0)
        (void)cmd_fail(&cmd_hooks, CMD_FAILED, "%s: nothing was changed: %s", hooks_cli_name(cli), c.err.msg);
    else
        tell_change(h, cli, install ? &density : NULL, &c);
}

static int install(struct hooks *h) {
    unsigned clis = h->clis ? h->clis : clis_here(&h->place);
    if (!clis)
        return cmd_fail(
            &cmd_hooks, CMD_FAILED,
            "none of the agents that ostler knows is on this machine; name one with --cli to prepare for it");
    for (enum cli cli = 0; cli < CLI_N_; cli++)
        if (clis & 1U << cli) change(h, cli, true);
    if (h->status == CMD_OK && h->changed && !h->json && !h->dry_run)
        (void)printf(
            "Agents that are started from now on show up on the board. ostler hooks doctor --test tries it.\n");
    return h->status;
}

static int uninstall(struct hooks *h) {
    for (enum cli cli = 0; cli < CLI_N_; cli++)
        if (!h->clis || h->clis & 1U << cli) change(h, cli, false);
    if (!h->clis && !h->changed && !h->json && h->status == CMD_OK)
        (void)printf("There is nothing of ostler's in the settings of any agent.\n");
    return h->status;
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
        (void)printf(any ? "Nothing is installed: ostler hooks install does that.\n"
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
        if (!setup_density_from_str(span_str(optarg), &h->density))
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
    struct paths paths;
    struct err err = {0};
    int option, status;
    while ((option = cmd_option(&cmd_hooks, argc, argv, &status)) != -1) {
        int wrong = read_option(&h, option);
        if (wrong) return wrong;
    }
    if (status >= 0) return status;
    if (paths_resolve(&paths, &err) < 0 || setup_place_resolve(&h.place, &paths, &err) < 0)
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
