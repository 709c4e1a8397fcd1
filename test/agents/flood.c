/*
 * Many agents at once: each lane runs the real hook for its events, one after the other, and the lanes run side by side.
 *
 *     flood HOOK LANES EVENTS
 *
 * Lane L calls itself "flood-L" and its N-th event says "mark-N", so that a database can be asked whether each is there
 * once and in order. Every 25th event is a prompt, the others are tool calls.
 *
 * A number on stdin lets so many events in all begin; on stdout are the number of hooks that have ended, every 100 of
 * them, and at last "end". Then it lives on until stdin is closed, as agents do whose processes are looked at.
 */
#include "base/cleanup.h"
#include "base/compiler.h"
#include "start_hook.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LANES_MAX = 64, EVENTS_MAX = 1000000, PROMPT_EVERY = 25, REPORT_EVERY = 100 };

struct flood {
    char *hook;
    long lanes, events;
    pthread_mutex_t lock;
    pthread_cond_t more;
    long allowed, begun, done; /* under the lock */
};

struct lane {
    struct flood *flood;
    long number;
};

static NORETURN void die(const char *what) {
    perror(what);
    exit(1); /* whoever waits for "end" sees it */
}

/* What Claude Code would say, as a string of its own. */
static char *make_payload(long lane, long n) {
    char *text, *what;
    int r =
        n % PROMPT_EVERY == 0
            ? asprintf(&what, "\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"mark-%ld\"", n)
            : asprintf(
                  &what,
                  "\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":"
                  "\"echo mark-%ld\",\"description\":\"Say where we are\"},\"tool_use_id\":\"toolu_%06ld\"",
                  n, n);
    if (r < 0) die("memory");
    AUTO(free) char *owned = what;
    r = asprintf(
        &text,
        "{\"session_id\":\"flood-%ld\",\"transcript_path\":\"/home/dev/.claude/projects/-srv-lane%ld/"
        "flood-%ld.jsonl\",\"cwd\":\"/srv/lane%ld\",\"permission_mode\":\"default\",%s}",
        lane, lane, lane, lane, owned);
    if (r < 0) die("memory");
    return text;
}

static void run_hook(char *hook, const char *payload) {
    pid_t pid = start_hook(hook, payload);
    int status;
    if (!pid) die(hook);
    if (waitpid(pid, &status, 0) < 0 || status != 0) die("the hook failed");
}

/* Waits until one more event may begin. */
static void take_turn(struct flood *f) {
    (void)pthread_mutex_lock(&f->lock);
    while (f->begun >= f->allowed)
        (void)pthread_cond_wait(&f->more, &f->lock);
    f->begun++;
    (void)pthread_mutex_unlock(&f->lock);
}

static void report(struct flood *f) {
    (void)pthread_mutex_lock(&f->lock);
    if (++f->done % REPORT_EVERY == 0) (void)printf("%ld\n", f->done);
    (void)pthread_mutex_unlock(&f->lock);
}

static void *run_lane(void *arg) {
    const struct lane *lane = arg;
    struct flood *f = lane->flood;
    for (long i = 0; i < f->events; i++) {
        take_turn(f);
        AUTO(free) char *payload = make_payload(lane->number, i);
        run_hook(f->hook, payload);
        report(f);
    }
    return NULL;
}

/* Reads allowances until stdin is closed. */
static void *read_allowances(void *arg) {
    struct flood *f = arg;
    char line[32];
    while (fgets(line, sizeof line, stdin)) {
        (void)pthread_mutex_lock(&f->lock);
        f->allowed = strtol(line, NULL, 10);
        (void)pthread_cond_broadcast(&f->more);
        (void)pthread_mutex_unlock(&f->lock);
    }
    return NULL;
}

int main(int argc, char **argv) {
    long lanes = argc == 4 ? strtol(argv[2], NULL, 10) : 0,
         events = argc == 4 ? strtol(argv[3], NULL, 10) : 0;
    if (lanes < 1 || lanes > LANES_MAX || events < 1 || events > EVENTS_MAX) {
        (void)fprintf(stderr, "usage: flood HOOK LANES EVENTS\n");
        return 2;
    }
    static struct flood f = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER};
    f.hook = argv[1];
    f.lanes = lanes;
    f.events = events;
    (void)setvbuf(stdout, NULL, _IOLBF, 0);

    pthread_t reader, threads[LANES_MAX];
    struct lane lane[LANES_MAX];
    if (pthread_create(&reader, NULL, read_allowances, &f) != 0) die("thread");
    for (long i = 0; i < lanes; i++) {
        lane[i] = (struct lane){&f, i};
        if (pthread_create(&threads[i], NULL, run_lane, &lane[i]) != 0) die("thread");
    }
    for (long i = 0; i < lanes; i++)
        (void)pthread_join(threads[i], NULL);
    (void)printf("end\n");
    (void)pthread_join(reader, NULL);
    return 0;
}
