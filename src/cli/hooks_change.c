#include "cli/hooks_change.h"

#include "base/cleanup.h"
#include "base/jwrite.h"
#include "cli/hooks_check.h"
#include "cli/screen.h"
#include "cli/text_diff.h"

#include <stdio.h>

/* `density` is of what was installed, NULL when it was taken out. */
static void tell_change(const struct hooks_change *h, enum cli cli, const enum config_density *density,
                        const struct setup_change *c) {
    if (!c->changed && h->terse) return;
    screen_print("%s: ", hooks_cli_name(cli));
    if (!c->changed) {
        screen_print(density ? "nothing to change in " : "nothing of ostler's in ");
        screen_path(h->place->file[cli]);
        screen_print(".\n");
        return;
    }
    if (density)
        screen_print("%s (%s) %s ", screen_count(setup_event_count(&c->wish), "event", "events").text,
                     config_density_to_str(*density),
                     h->dry_run ? "would be registered in" : "registered in");
    else
        screen_print(h->dry_run ? "the hooks would be taken out of " : "the hooks are taken out of ");
    screen_path(h->place->file[cli]);
    screen_print("%s.\n", !c->deleted ? "" : h->dry_run ? ", which would go" : ", which is gone");
    if (c->backup[0]) {
        screen_print("  It was copied to ");
        screen_path(c->backup);
        screen_print(" before.\n");
    }
    if (density && cli_version_matters(cli) && !cli_version_is_known(c->wish.version))
        screen_print("  Its version is not known, so only events that every version knows are among them. "
                     "They become more by themselves once it is.\n");
    if (h->dry_run) text_diff_print(buf_span(&c->was), c->deleted ? SPAN_NONE : buf_span(&c->now));
}

static void tell_change_json(const struct hooks_change *h, enum cli cli, const struct setup_change *c) {
    AUTO(buf) struct buf out = BUF_INIT(64 << 10);
    struct jwrite w = JWRITE_INIT(&out);
    jwrite_object(&w);
    jwrite_kcstr(&w, "cli", cli_to_str(cli));
    jwrite_kcstr(&w, "file", h->place->file[cli]);
    jwrite_kbool(&w, "changed", c->changed);
    jwrite_kbool(&w, "deleted", c->deleted);
    jwrite_kcstr(&w, "backup", c->backup[0] ? c->backup : NULL);
    jwrite_kcstr(&w, "error", c->code < 0 ? c->err.msg : NULL);
    jwrite_object_end(&w);
    screen_json(buf_span(&out));
}

void hooks_change(struct hooks_change *h, enum cli cli, const enum config_density *density) {
    AUTO(setup_change) struct setup_change c;
    if (density)
        (void)setup_install(h->place, cli, *density, h->dry_run, &c);
    else
        (void)setup_uninstall(h->place, cli, h->dry_run, &c);
    h->failed |= c.code < 0;
    h->changed |= c.changed;
    if (h->json)
        tell_change_json(h, cli, &c);
    else if (c.code < 0)
        (void)cmd_fail(h->cmd, CMD_FAILED, "%s: nothing was changed: %s", hooks_cli_name(cli), c.err.msg);
    else
        tell_change(h, cli, density, &c);
}
