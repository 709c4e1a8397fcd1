/*
 * ostler-hook: what an agent CLI runs on every event. Puts the payload and what it knows about its
 * surroundings into the spool, and is gone. It exits 0 and prints nothing whatever happens, because an agent
 * waits for it and reads what it prints. Only the one that is registered with --reply, for requests for permission, prints: the
 * answer that somebody gave.
 */
#include "base/path.h"
#include "hook/agent.h"
#include "hook/enrich.h"
#include "hook/payload.h"
#include "hook/reply.h"
#include "hook/title.h"
#include "platform/private_memory.h"
#include "spool/append.h"
#include "spool/losses.h"
#include "spool/record.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

struct request {
    enum enrich_cli cli;
    char *notify; /* Codex's older way: the payload is the last argument, and stdin is nothing */
    bool hosted;  /* it was registered for this run of an agent that ostler hosts */
    bool replies; /* it waits for an answer, and prints it */
};

static void print(struct span text) {
    ssize_t ignored = write(STDOUT_FILENO, text.p, text.n);
    (void)ignored;
}

/* False when the question was answered and there is no event to record. */
static bool parse_arguments(int argc, char **argv, struct request *ret) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--version") == 0) {
            print(SPAN("ostler-hook " OSTLER_VERSION "\n"));
            return false;
        }
        if (strcmp(argv[i], "--help") == 0) {
            print(SPAN(
                "usage: ostler-hook [--cli claude|gemini|codex|copilot|opencode] [--hosted] [--reply] [JSON]\n"
                "Appends the hook event on stdin (or the JSON argument) to ostler's spool. With --reply it waits\n"
                "until the event, a request for permission, is answered, and prints the answer.\n"));
            return false;
        }
        if (strcmp(argv[i], "--cli") == 0 && i + 1 < argc)
            ret->cli = enrich_cli_from_str(argv[++i]);
        else if (strncmp(argv[i], "--cli=", 6) == 0)
            ret->cli = enrich_cli_from_str(argv[i] + 6);
        else if (strcmp(argv[i], "--hosted") == 0)
            ret->hosted = true;
        else if (strcmp(argv[i], "--reply") == 0)
            ret->replies = true;
        else if (i == argc - 1 && argv[i][0] == '{')
            ret->notify = argv[i];
    }
    return true;
}

static int read_payload(const struct request *request, struct payload *ret) {
    if (!request->notify) return payload_read(STDIN_FILENO, ret);
    *ret = (struct payload){.p = request->notify, .n = strlen(request->notify)};
    return 0;
}

/* Nobody is told here, but a daemon can be: beside the spool, or where that cannot be written to at all, in the runtime directory. */
static void count_loss(const char *spool, int error) {
    struct paths paths;
    struct err err;
    enum loss why = loss_of(error);
    if (losses_add(spool, why) < 0 && paths_resolve(&paths, &err) == 0) (void)losses_add(paths.run, why);
}

/* False when it could not be kept. */
static bool record_event(struct out *envelope, struct payload *payload) {
    static char nothing[] = "{}", end[] = "}";
    char spool[PATH_BYTES];
    if (path_spool(spool) < 0) return false;
    enrich_end(envelope, payload->oversized);
    /* A payload that is too large is not kept, but it is counted. */
    if (payload->oversized) *payload = (struct payload){.p = nothing, .n = sizeof nothing - 1};
    record_flatten(payload->p, payload->n);
    const struct iovec parts[] = {
        {envelope->p, envelope->n}, {payload->p, payload->n}, {end, sizeof end - 1}};
    int r = spool_append(spool, parts, ARRAY_LEN(parts));
    if (r < 0) count_loss(spool, r);
    return r == 0;
}

static void update_title(const struct enrich *e, const struct payload *payload) {
    char tty[PROC_TTY_BYTES];
    if (!span_eq(e->env->value[ENV_OSTLER_TAB_TITLE], SPAN("1"))) return;
    if (e->agent.tty && proc_tty_path(e->agent.tty, tty))
        title_update(tty, e->env, span_of(payload->p, payload->n));
}

/* An agent that ostler hosts has a hook for this very run, which tells everything: the one that is installed for all of them
 * would tell it twice. Agents inside that agent have its environment, but not its number. Codex is often started by a script that
 * stays as its parent. */
static bool is_told_already(const struct request *request, const struct enrich *e) {
    uint64_t pid;
    if (request->hosted || !span_u64(e->env->value[ENV_OSTLER_HOSTED], &pid)) return false;
    return pid == (uint64_t)e->agent.pid ||
           (request->cli == ENRICH_CODEX && pid == (uint64_t)e->agent.parent);
}

int main(int argc, char **argv) {
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    struct enrich e = {.sent_us = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000};
    struct request request = {.cli = ENRICH_CLAUDE};
    if (!parse_arguments(argc, argv, &request)) return 0;
    private_memory();
    e.cli = request.cli;

    (void)signal(SIGXFSZ, SIG_IGN); /* a file size limit is no reason to die of a signal */

    /* Before the payload is read: an agent writes it a moment after it started us, so this costs it
     * nothing. */
    static char text[ENRICH_BYTES];
    struct env env;
    env_read(&env, environ);
    e.env = &env;
    struct out envelope = {.p = text, .cap = sizeof text};
    char key[REPLY_KEY_BYTES];
    if (request.replies) {
        reply_key(key, (uint64_t)getpid(), e.sent_us);
        e.hold = key;
    }
    e.parent = getppid();
    agent_find(e.parent, &e.agent);
    e.pid_namespace = proc_namespace();
    enrich_begin(&envelope, &e);

    struct payload payload;
    if (read_payload(&request, &payload) < 0 || payload_blank(&payload)) return 0;
    if (is_told_already(&request, &e)) return 0;
    bool recorded = record_event(&envelope, &payload);
    update_title(&e, &payload);
    if (recorded && request.replies) reply_wait(key, enrich_cli_to_str(request.cli));
    return 0;
}
