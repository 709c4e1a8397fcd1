/* What environment the board's terminals get: how the daemon found that of the person's shell out. */
#include "base/arena.h"
#include "base/cleanup.h"
#include "base/jscan.h"
#include "cli/client.h"
#include "cli/doctor.h"

enum { ANSWER_BYTES = 1 << 20 };

enum { M_SHELL, M_FROM, M_TOOK, M_PATH, M_PROBLEM, M_N_ };

static struct span text_of(const struct jmember *m, struct arena *arena) {
    struct span text = SPAN_NONE;
    if (jscan_kind(m->value) == JKIND_STRING) (void)jscan_string(m->value, arena, &text);
    return text;
}

static void tell(struct span answer, struct doctor_line *line) {
    AUTO(arena) struct arena arena = ARENA_INIT(ANSWER_BYTES);
    struct jmember m[M_N_] = {[M_SHELL] = JMEMBER("shell"),
                              [M_FROM] = JMEMBER("from"),
                              [M_TOOK] = JMEMBER("tookMs"),
                              [M_PATH] = JMEMBER("pathFrom"),
                              [M_PROBLEM] = JMEMBER("problem")};
    if (jscan_object(answer, m, M_N_) < 0) return;
    struct span shell = text_of(&m[M_SHELL], &arena), from = text_of(&m[M_FROM], &arena);
    struct span path = text_of(&m[M_PATH], &arena), problem = text_of(&m[M_PROBLEM], &arena);
    int64_t took = 0;
    (void)jscan_i64(m[M_TOOK].value, &took);
    if (!from.n) {
        doctor_say(line, DOCTOR_OK, "your shell will be asked for it when a terminal needs it");
    } else if (!problem.n) {
        doctor_say(line, DOCTOR_OK, "terminals get that of your shell, %.*s (%lld ms); PATH is %s",
                   SPAN_ARG(shell), (long long)took,
                   span_eq(path, SPAN("shell")) ? "the shell's" : "the same as the daemon's");
    } else {
        bool login = span_eq(from, SPAN("login"));
        doctor_say(line, DOCTOR_WARN, "%.*s: terminals get that of %s", SPAN_ARG(problem),
                   login ? "a login shell, which is not interactive" : "the daemon");
        doctor_advise(
            line,
            "see what its files wait for or start: OSTLER_RESOLVING_ENVIRONMENT is set while they are asked");
    }
}

void doctor_environment(const struct doctor *d UNUSED, struct doctor_line *line) {
    struct daemon_info daemon;
    struct err err = {0};
    AUTO(buf) struct buf body = BUF_INIT(ANSWER_BYTES);
    doctor_say(line, DOCTOR_OK, "known while a daemon runs");
    if (client_find(&daemon, &err) == 0 && client_get(&daemon, "/api/shell-environment", &body, &err) == 200)
        tell(buf_span(&body), line);
}
