/* What the system gives ostler, and whether a daemon runs. */
#include "app/daemon_end.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jscan.h"
#include "base/version.h"
#include "cli/client.h"
#include "cli/doctor.h"
#include "cli/service.h"
#include "config/config.h"
#include "platform/peers.h"
#include "platform/scope.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FEW_DESCRIPTORS = 1024,
    CLOCK_SLACK_S = 60,
    YEAR_2024_S = 1704067200, /* no ostler is older */
    DAY_S = 24 * 3600,
    EXPIRY_DAYS = 14, /* so long beforehand is told that a certificate will expire */
};

/* ---- the daemon ------------------------------------------------------------------------------------------------ */

/* Has it hung since it was started? Older daemons do not tell. */
static bool look_at_stalls(const struct daemon_info *daemon, struct span loop, struct doctor_line *line) {
    struct jmember m[] = {JMEMBER("stalls"), JMEMBER("worstMs")};
    int64_t stalls, worst;
    if (jscan_object(loop, m, ARRAY_LEN(m)) < 2 || !jscan_i64(m[0].value, &stalls) || stalls < 1 ||
        !jscan_i64(m[1].value, &worst))
        return false;
    doctor_say(line, DOCTOR_WARN,
               "runs at %s (pid %lld), but did not answer for a while %lld time%s, for %lld s at worst",
               daemon->url, (long long)daemon->pid, (long long)stalls, stalls == 1 ? "" : "s",
               (long long)(worst / 1000));
    doctor_advise(
        line,
        "its log says what it was at then (\"does not answer\"): a disk that hangs, or a mistake of ours");
    return true;
}

/* Will the certificate expire soon? */
static bool look_at_certificate(const struct daemon_info *daemon, struct span expires,
                                struct doctor_line *line) {
    int64_t at_ms, left;
    if (!jscan_i64(expires, &at_ms)) return false;
    left = at_ms / 1000 - clock_wall(&clock_system) / USEC_PER_SEC;
    if (left >= EXPIRY_DAYS * DAY_S) return false;
    doctor_say(line, DOCTOR_WARN, "runs at %s (pid %lld), but its TLS certificate expires in %lld days",
               daemon->url, (long long)daemon->pid, (long long)(MAX(left, (int64_t)0) / DAY_S));
    doctor_advise(line, "put a new one in its place: it is taken up at once");
    return true;
}

static void look_at_health(const struct daemon_info *daemon, struct span health, struct doctor_line *line) {
    struct jmember m[] = {JMEMBER("status"), JMEMBER("problems"), JMEMBER("loop"),
                          JMEMBER("certificateExpiresAt")};
    AUTO(arena) struct arena arena = ARENA_INIT(64 << 10);
    struct span status, rest, problem, sentence;
    if (jscan_object(health, m, ARRAY_LEN(m)) < 2 || jscan_string(m[0].value, &arena, &status) < 0) {
        doctor_say(line, DOCTOR_BAD, "what answers at %s is no ostler that this one understands",
                   daemon->url);
        doctor_advise(line, "ostler restart, if it is of another version");
        return;
    }
    rest = m[1].value;
    if (jscan_array_next(&rest, &problem) == 1 && jscan_string(problem, &arena, &sentence) == 0) {
        doctor_say(line, DOCTOR_BAD, "it runs at %s (pid %lld), but: %.*s", daemon->url,
                   (long long)daemon->pid, SPAN_ARG(sentence));
        doctor_advise(line, "mend that: the daemon goes on by itself then");
    } else if (strcmp(daemon->version, version_text) != 0) {
        doctor_say(line, DOCTOR_WARN, "%s runs at %s (pid %lld), and this is %s", daemon->version,
                   daemon->url, (long long)daemon->pid, version_text);
        doctor_advise(line, "ostler restart: terminals stay");
    } else if (!look_at_certificate(daemon, m[3].value, line) && !look_at_stalls(daemon, m[2].value, line)) {
        doctor_say(line, DOCTOR_OK, "runs at %s (pid %lld)", daemon->url, (long long)daemon->pid);
    }
}

void doctor_daemon(const struct doctor *d, struct doctor_line *line) {
    struct daemon_info daemon;
    struct daemon_process process;
    struct err err = {0};
    AUTO(buf) struct buf body = BUF_INIT(CLIENT_BODY_MAX);
    int r = client_find(&daemon, &err);
    if (r == 0) r = client_get(&daemon, "/api/health", &body, &err);
    if (r >= 0) {
        look_at_health(&daemon, buf_span(&body), line);
    } else if (daemon_running(&d->paths, &process) == 0) {
        doctor_say(line, DOCTOR_BAD, "a daemon (pid %lld) is there, but does not answer: %s",
                   (long long)process.pid, err.msg);
        doctor_advise(line, "ostler stop --force, then ostler serve: nothing is lost");
    } else {
        doctor_say(line, DOCTOR_WARN, "none runs; events wait in the spool");
        doctor_advise(line, "ostler serve --detach, or for good: ostler service install");
    }
}

void doctor_port(const struct doctor *d, struct doctor_line *line) {
    struct daemon_process process;
    int64_t pid;
    char name[SOCK_NAME_BYTES];
    if (daemon_running(&d->paths, &process) == 0) {
        doctor_say(line, DOCTOR_OK, "the daemon has one");
    } else if (daemon_port_holder(d->port, &pid, name) < 0) {
        doctor_say(line, DOCTOR_OK, "%u is free", d->port);
    } else {
        doctor_say(line, DOCTOR_WARN, "%u is taken by %s (pid %lld)", d->port, name, (long long)pid);
        doctor_advise(line, "start with another: ostler serve --port N");
    }
}

/* Without a password only this user is served, and who that is only the kernel can tell. */
void doctor_users(const struct doctor *d, struct doctor_line *line) {
    char file[PATH_BYTES];
    AUTO(config) struct config config = {0};
    struct peers peers;
    int r = peers_open(&peers);
    peers_close(&peers);
    if (r == 0) {
        doctor_say(line, DOCTOR_OK, "are told apart: the kernel says whose connections are");
        return;
    }
    if (config_path(&d->paths, file) == 0 && config_load(file, &config, NULL) == 0 && config.password_hash) {
        doctor_say(line, DOCTOR_OK,
                   "need the password, as you do: the kernel does not say whose connections are");
        return;
    }
    bool alike = r == -EUSERS;
    doctor_say(line, DOCTOR_BAD, "are not told apart (%s): without a password nobody is served over TCP",
               alike ? "in this user namespace they all look like you" : strerror(-r));
    doctor_advise(line, alike ? "ostler password set; or run it as a user that the namespace knows"
                              : "ostler password set; or let the kernel load its module tcp_diag");
}

/* ---- the machine ----------------------------------------------------------------------------------------------- */

/* A clock that was set back makes ages and deadlines wrong until it has caught up. */
void doctor_clock(const struct doctor *d, struct doctor_line *line) {
    char file[PATH_BYTES];
    struct stat st;
    int64_t now = clock_wall(&clock_system) / USEC_PER_SEC;
    if (now < YEAR_2024_S) {
        doctor_say(line, DOCTOR_BAD, "it is set to a time before there was an ostler");
        doctor_advise(line, "set it: timedatectl set-ntp true");
    } else if (path_join(file, d->paths.state, "ostler.db") == 0 && stat(file, &st) == 0 &&
               st.st_mtim.tv_sec > now + CLOCK_SLACK_S) {
        doctor_say(line, DOCTOR_WARN, "the database was written %lld s from now: the clock has been set back",
                   (long long)(st.st_mtim.tv_sec - now));
        doctor_advise(line, "set it: timedatectl set-ntp true");
    } else {
        doctor_say(line, DOCTOR_OK, "makes sense");
    }
}

void doctor_inotify(const struct doctor *d, struct doctor_line *line) {
    AUTO(fd) int fd = inotify_init1(IN_CLOEXEC);
    int failed = fd < 0 ? errno : 0;
    if (fd >= 0 && access(d->paths.spool, R_OK) == 0 && inotify_add_watch(fd, d->paths.spool, IN_MODIFY) < 0)
        failed = errno;
    if (!failed) {
        doctor_say(line, DOCTOR_OK, "there are some left");
        return;
    }
    doctor_say(line, DOCTOR_BAD, "no directory can be watched: %s", strerror(failed));
    doctor_advise(line, failed == ENOSPC ? "sudo sysctl fs.inotify.max_user_watches=524288"
                                         : "sudo sysctl fs.inotify.max_user_instances=1024");
}

void doctor_descriptors(const struct doctor *d UNUSED, struct doctor_line *line) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_max >= FEW_DESCRIPTORS) {
        doctor_say(line, DOCTOR_OK, "as many as are needed");
        return;
    }
    doctor_say(line, DOCTOR_WARN, "a process may have %llu only: each terminal and each viewer takes one",
               (unsigned long long)limit.rlim_max);
    doctor_advise(line, "raise the hard limit: ulimit -Hn, or LimitNOFILE= of a service");
}

void doctor_manager(const struct doctor *d UNUSED, struct doctor_line *line) {
    if (!scope_available()) {
        doctor_say(line, DOCTOR_OK,
                   "none runs here: terminals live as long as the machine lets processes live");
    } else if (service_is_lingering()) {
        doctor_say(line, DOCTOR_OK, "runs, and stays when you log out");
    } else {
        doctor_say(line, DOCTOR_WARN, "runs, but ends when you log out, and terminals with it");
        doctor_advise(line, "loginctl enable-linger");
    }
}

void doctor_terminal(const struct doctor *d UNUSED, struct doctor_line *line) {
    const char *term = getenv("TERM");
    if (term && term[0] && strcmp(term, "dumb") != 0) {
        doctor_say(line, DOCTOR_OK, "TERM is %.64s", term);
    } else if (!isatty(STDIN_FILENO)) {
        doctor_say(line, DOCTOR_OK, "none here");
    } else {
        doctor_say(line, DOCTOR_WARN, "TERM is %s: ostler attach cannot draw",
                   term && term[0] ? term : "not set");
        doctor_advise(line, "export TERM=xterm-256color");
    }
}
