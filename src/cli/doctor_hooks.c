/* Do the CLIs still know the events that are registered with them? */
#include "cli/doctor.h"
#include "cli/hooks_check.h"
#include "setup/setup.h"

#include <stdio.h>

struct count {
    unsigned installed;
    enum cli strange, outdated; /* CLI_N_: none */
};

static bool has_strange(const struct setup_status *s) {
    for (size_t i = 0; i < s->found.n; i++)
        if (setup_status_is_strange(s, &s->found.events[i])) return true;
    return false;
}

static void look_at(const struct setup_place *p, enum cli cli, struct count *count) {
    struct setup_version now;
    struct setup_status s;
    setup_version_ask(cli, &p->notes, &now);
    setup_status(p, cli, &s);
    if (s.installed) count->installed++;
    if (s.installed && has_strange(&s)) count->strange = cli;
    if (s.installed && !s.current) count->outdated = cli;
    setup_status_fini(&s);
}

void doctor_hooks(const struct doctor *d, struct doctor_line *line) {
    struct setup_place place;
    struct err err = {0};
    struct count count = {.strange = CLI_N_, .outdated = CLI_N_};
    if (setup_place_resolve(&place, &d->paths, &err) < 0) {
        doctor_say(line, DOCTOR_WARN, "%s", err.msg);
        doctor_advise(line, "the agents' settings are found by HOME");
        return;
    }
    for (enum cli cli = 0; cli < CLI_N_; cli++)
        look_at(&place, cli, &count);
    if (count.strange < CLI_N_) {
        doctor_say(line, DOCTOR_BAD, "%s does not know all events that are registered with it",
                   hooks_cli_name(count.strange));
        doctor_advise(line, "ostler hooks install takes them out: it may ignore its settings for them");
    } else if (count.outdated < CLI_N_) {
        doctor_say(line, DOCTOR_WARN, "what is registered with %s is not what this ostler would register",
                   hooks_cli_name(count.outdated));
        doctor_advise(line, "ostler hooks install brings it up to date, as does the daemon when it starts");
    } else if (count.installed == 0) {
        doctor_say(line, DOCTOR_OK, "none are installed");
    } else {
        doctor_say(line, DOCTOR_OK, "up to date with %u of the agents' CLIs", count.installed);
    }
}
