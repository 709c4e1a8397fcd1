/* What ostler needs of a machine, looked at one thing after the other. */
#pragma once

#include "base/err.h"
#include "base/path.h"

#include <stdint.h>

enum doctor_state { DOCTOR_OK, DOCTOR_WARN, DOCTOR_BAD };

struct doctor_line {
    const char *name; /* "database" */
    enum doctor_state state;
    char what[ERR_MSG_BYTES]; /* how it is */
    char todo[ERR_MSG_BYTES]; /* what to do about it; "" when it is well */
};

struct doctor {
    struct paths paths;
    uint16_t port; /* where a daemon would listen */
    void (*tell)(void *user, const struct doctor_line *line);
    void *user;
};

/* Looks at everything and tells of each, in order. */
void doctor_run(const struct doctor *d);

/* ---- for the files of the doctor ---- */

/* How it is; then, unless it is well, what to do. */
void doctor_say(struct doctor_line *line, enum doctor_state state, const char *fmt, ...) PRINTF(3, 4);
void doctor_advise(struct doctor_line *line, const char *fmt, ...) PRINTF(2, 3);

/* One file's part each: what ostler has on the disk, and what the system gives it. */
void doctor_state_dir(const struct doctor *d, struct doctor_line *line);
void doctor_config(const struct doctor *d, struct doctor_line *line);
void doctor_files(const struct doctor *d, struct doctor_line *line);
void doctor_space(const struct doctor *d, struct doctor_line *line);
void doctor_database(const struct doctor *d, struct doctor_line *line);
void doctor_spool(const struct doctor *d, struct doctor_line *line);
void doctor_events(const struct doctor *d, struct doctor_line *line);
void doctor_hook(const struct doctor *d, struct doctor_line *line);
void doctor_hooks(const struct doctor *d, struct doctor_line *line);
void doctor_keeper(const struct doctor *d, struct doctor_line *line);
void doctor_daemon(const struct doctor *d, struct doctor_line *line);
void doctor_environment(const struct doctor *d, struct doctor_line *line);
void doctor_port(const struct doctor *d, struct doctor_line *line);
void doctor_users(const struct doctor *d, struct doctor_line *line);
void doctor_clock(const struct doctor *d, struct doctor_line *line);
void doctor_inotify(const struct doctor *d, struct doctor_line *line);
void doctor_descriptors(const struct doctor *d, struct doctor_line *line);
void doctor_manager(const struct doctor *d, struct doctor_line *line);
void doctor_terminal(const struct doctor *d, struct doctor_line *line);
