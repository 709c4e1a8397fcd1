#include "cli/doctor.h"

#include <stdarg.h>
#include <stdio.h>

void doctor_say(struct doctor_line *line, enum doctor_state state, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    line->state = state;
    (void)vsnprintf(line->what, sizeof line->what, fmt, ap);
    va_end(ap);
}

void doctor_advise(struct doctor_line *line, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(line->todo, sizeof line->todo, fmt, ap);
    va_end(ap);
}

void doctor_run(const struct doctor *d) {
    static const struct {
        const char *name;
        void (*look)(const struct doctor *d, struct doctor_line *line);
    } checks[] = {
        {"state directory", doctor_state_dir},
        {"configuration", doctor_config},
        {"files", doctor_files},
        {"disk space", doctor_space},
        {"database", doctor_database},
        {"spool", doctor_spool},
        {"events", doctor_events},
        {"hook", doctor_hook},
        {"hooks", doctor_hooks},
        {"keeper", doctor_keeper},
        {"daemon", doctor_daemon},
        {"environment", doctor_environment},
        {"port", doctor_port},
        {"other users", doctor_users},
        {"clock", doctor_clock},
        {"file watches", doctor_inotify},
        {"open files", doctor_descriptors},
        {"user manager", doctor_manager},
        {"terminal", doctor_terminal},
    };
    for (size_t i = 0; i < ARRAY_LEN(checks); i++) {
        struct doctor_line line = {.name = checks[i].name};
        checks[i].look(d, &line);
        d->tell(d->user, &line);
    }
}
