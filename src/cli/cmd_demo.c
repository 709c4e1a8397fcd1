/*
 * Simulated agents, through the real hook: every event is a run of ostler-hook with a payload as its CLI sends it, by a
 * process of the agent's own.
 * A seeded generator decides what they do, so that the same seed shows the same work.
 */
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jwrite.h"
#include "base/mem.h"
#include "base/path.h"
#include "cli/client.h"
#include "cli/cmd.h"
#include "cli/demo_agent.h"
#include "cli/demo_script.h"
#include "cli/screen.h"
#include "platform/self.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { AGENTS_MAX = 200, PAYLOAD_BYTES_MAX = 64 << 10 };

enum step {
    STEP_START,
    STEP_PROMPT,
    STEP_PRE,
    STEP_POST,
    STEP_FAIL,
    STEP_ASK,
    STEP_STOP,
    STEP_BREAK, /* an error ends the turn */
    STEP_END,
};

struct agent {
    const struct demo_cast *cast;
    struct demo_agent process;
    bool over; /* somebody ended it */
    char session_id[48];
    enum step next;
    const struct demo_tool *tool;
    unsigned tools_left, input, prompt, words;
    usec_t due;
};

struct demo {
    struct agent *agents;
    size_t count, started;
    uint64_t speed, random, events, events_max;
    char hook[PATH_BYTES];
};

static volatile sig_atomic_t interrupted;

static void on_signal(int number UNUSED) {
    interrupted = 1;
}

/* xorshift64*: enough to look alive. */
static uint64_t draw(struct demo *d, uint64_t below) {
    d->random ^= d->random >> 12;
    d->random ^= d->random << 25;
    d->random ^= d->random >> 27;
    return d->random * 2685821657736338717U % below;
}

static usec_t pause_between(struct demo *d, uint64_t least_ms, uint64_t most_ms) {
    return (usec_t)((least_ms + draw(d, most_ms - least_ms + 1)) * 1000 / d->speed);
}

/* Payloads */

static void write_tool(struct jwrite *w, const struct agent *a) {
    jwrite_kcstr(w, "tool_name", a->tool->name);
    jwrite_key(w, "tool_input");
    jwrite_raw(w, span_str(a->tool->inputs[a->input]));
}

static bool is_gemini(const struct agent *a) {
    return strcmp(a->cast->cli, "gemini") == 0;
}

static bool is_claude(const struct agent *a) {
    return strcmp(a->cast->cli, "claude") == 0;
}

static const char *event_name(const struct agent *a, enum step s) {
    static const char *const names[] = {
        [STEP_START] = "SessionStart", [STEP_PROMPT] = "UserPromptSubmit", [STEP_PRE] = "PreToolUse",
        [STEP_POST] = "PostToolUse",   [STEP_FAIL] = "PostToolUseFailure", [STEP_ASK] = "PermissionRequest",
        [STEP_STOP] = "Stop",          [STEP_BREAK] = "StopFailure",       [STEP_END] = "SessionEnd",
    };
    static const char *const of_gemini[] = {
        [STEP_START] = "SessionStart", [STEP_PROMPT] = "BeforeAgent", [STEP_PRE] = "BeforeTool",
        [STEP_POST] = "AfterTool",     [STEP_FAIL] = "AfterTool",     [STEP_ASK] = "Notification",
        [STEP_STOP] = "AfterAgent",    [STEP_BREAK] = "AfterAgent",   [STEP_END] = "SessionEnd",
    };
    return is_gemini(a) ? of_gemini[s] : names[s];
}

static void write_payload(struct buf *out, const struct agent *a, enum step step) {
    char cwd[128];
    (void)snprintf(cwd, sizeof cwd, "/home/demo/%s", a->cast->project);
    struct jwrite w = JWRITE_INIT(out);
    jwrite_object(&w);
    jwrite_kcstr(&w, "session_id", a->session_id);
    jwrite_kcstr(&w, "cwd", cwd);
    jwrite_kcstr(&w, "hook_event_name", event_name(a, step));
    jwrite_kcstr(&w, "permission_mode", "default");
    if (step == STEP_START) {
        jwrite_kcstr(&w, "source", "startup");
        jwrite_kcstr(&w, "model", a->cast->model);
    }
    if (step == STEP_PROMPT) jwrite_kcstr(&w, "prompt", a->cast->prompts[a->prompt]);
    if (step == STEP_PRE || step == STEP_POST || step == STEP_FAIL || step == STEP_ASK) write_tool(&w, a);
    if (step == STEP_ASK && is_gemini(a)) {
        char text[64];
        (void)snprintf(text, sizeof text, "Approve %s", a->tool->name);
        jwrite_kcstr(&w, "notification_type", "ToolPermission");
        jwrite_kcstr(&w, "message", text);
    }
    if (step == STEP_FAIL) jwrite_kcstr(&w, "error", "exit status 1: 2 tests failed");
    if (step == STEP_STOP) jwrite_kcstr(&w, "last_assistant_message", demo_words[a->words]);
    if (step == STEP_BREAK) {
        jwrite_kcstr(&w, "error", "overloaded");
        jwrite_kcstr(&w, "error_details", "529 Overloaded: try again in a few minutes");
    }
    if (step == STEP_END) jwrite_kcstr(&w, "reason", "prompt_input_exit");
    jwrite_object_end(&w);
}

/* A question has no other end than an answer. */
static bool asks_always(const struct agent *a) {
    return a->tool->most_ms == 0;
}

/* What an agent does next, and after how long. */
static void plan(struct demo *d, struct agent *a, enum step done) {
    usec_t wait = 0;
    switch (done) {
    case STEP_START:
        a->next = STEP_PROMPT;
        wait = pause_between(d, 500, 4000);
        break;
    case STEP_PROMPT:
        a->tools_left = 2 + (unsigned)draw(d, 12);
        a->next = STEP_PRE;
        wait = pause_between(d, 800, 3000);
        break;
    case STEP_PRE:
        a->next = asks_always(a) || (a->tool->asks && draw(d, 4) == 0) ? STEP_ASK
                  : draw(d, 10) == 0                                   ? STEP_FAIL
                                                                       : STEP_POST;
        wait = asks_always(a) ? 0 : pause_between(d, 300, a->tool->most_ms);
        break;
    case STEP_ASK:
        a->next = STEP_POST;
        wait = pause_between(d, 6000, 20000);
        break;
    case STEP_POST:
    case STEP_FAIL:
        a->next = --a->tools_left ? STEP_PRE : is_claude(a) && draw(d, 10) == 0 ? STEP_BREAK : STEP_STOP;
        a->words = (unsigned)draw(d, demo_words_count);
        wait = pause_between(d, 300, 2500);
        break;
    case STEP_STOP:
    case STEP_BREAK:
        a->prompt = (a->prompt + 1) % 3;
        a->next = STEP_PROMPT;
        wait = pause_between(d, 5000, 25000);
        break;
    case STEP_END: wait = USEC_NEVER / 2; break;
    }
    if (a->next == STEP_PRE) {
        bool question = is_claude(a) && draw(d, 16) == 0;
        a->tool =
            question ? &demo_questions[draw(d, demo_question_count)] : &demo_tools[draw(d, demo_tool_count)];
        a->input = (unsigned)draw(d, DEMO_INPUTS);
    }
    a->due += wait;
}

static int act(struct demo *d, struct agent *a, enum step step) {
    AUTO(buf) struct buf payload = BUF_INIT(PAYLOAD_BYTES_MAX);
    write_payload(&payload, a, step);
    int r = demo_agent_say(&a->process, buf_span(&payload));
    if (r == -EPIPE || r == -ECONNRESET) { /* it was ended from the board */
        a->over = true;
        a->due = USEC_NEVER;
        return CMD_OK;
    }
    if (r < 0) return cmd_fail(&cmd_demo, CMD_FAILED, "cannot run %s: %s", d->hook, strerror(-r));
    d->events++;
    plan(d, a, step);
    return CMD_OK;
}

static void sleep_until(usec_t due) {
    usec_t left = due - clock_mono(&clock_system);
    if (left <= 0) return;
    struct timespec ts = {.tv_sec = left / USEC_PER_SEC, .tv_nsec = left % USEC_PER_SEC * 1000};
    (void)nanosleep(&ts, NULL);
}

static int play(struct demo *d) {
    while (!interrupted && (d->events_max == 0 || d->events < d->events_max)) {
        struct agent *a = &d->agents[0];
        for (size_t i = 1; i < d->count; i++)
            if (d->agents[i].due < a->due) a = &d->agents[i];
        sleep_until(a->due);
        if (interrupted) break;
        int r = act(d, a, a->next);
        if (r != CMD_OK) return r;
    }
    for (size_t i = 0; i < d->count; i++)
        if (d->agents[i].next != STEP_START && !d->agents[i].over) (void)act(d, &d->agents[i], STEP_END);
    return CMD_OK;
}

/* Its process, in the environment that its cast has. */
static int start_process(const struct demo *d, struct agent *a, const struct agent *leader) {
    char terminal[64], parent[96], name[64], color[64];
    (void)snprintf(terminal, sizeof terminal, "TERM_PROGRAM=%s", a->cast->terminal);
    (void)snprintf(parent, sizeof parent, "CLAUDE_CODE_PARENT_SESSION_ID=%s",
                   leader ? leader->session_id : "");
    (void)snprintf(name, sizeof name, "CLAUDE_CODE_AGENT_NAME=%s", leader ? a->cast->name : "");
    (void)snprintf(color, sizeof color, "CLAUDE_CODE_AGENT_COLOR=%s", leader ? a->cast->color : "");
    const char *const env[] = {terminal, parent, name, color, NULL};
    return demo_agent_start(&a->process, d->hook, a->cast->cli, env);
}

/* Every agent of a later round through the casts has the next prompts, and the leader of its own round. */
static int gather(struct demo *d) {
    usec_t now = clock_mono(&clock_system);
    for (size_t i = 0; i < d->count; i++) {
        struct agent *a = &d->agents[i];
        size_t round = i / demo_cast_count;
        a->cast = &demo_casts[i % demo_cast_count];
        a->prompt = (unsigned)(round % DEMO_PROMPTS);
        a->due = now + pause_between(d, 0, 400 * i);
        (void)snprintf(a->session_id, sizeof a->session_id, "%08x-d3e0-4000-8000-%012zx",
                       (unsigned)draw(d, UINT32_MAX), i);
        const struct agent *leader = a->cast->leader == DEMO_NOBODY
                                         ? NULL
                                         : &d->agents[round * demo_cast_count + (size_t)a->cast->leader];
        int r = start_process(d, a, leader);
        if (r < 0) return cmd_fail(&cmd_demo, CMD_FAILED, "cannot start an agent: %s", strerror(-r));
        d->started++;
    }
    return CMD_OK;
}

static int start(struct demo *d) {
    int r = self_sibling(d->hook, "ostler-hook");
    if (r < 0)
        return cmd_fail(&cmd_demo, CMD_FAILED, "ostler-hook is not beside this program: %s", strerror(-r));
    struct daemon_info daemon;
    struct err err = {0};
    if (client_find(&daemon, &err) == 0)
        screen_print("%zu agents at work: watch them at %s (Ctrl-C ends them)\n", d->count, daemon.url);
    else
        screen_print(
            "%zu agents at work, and no daemon to see it: their events wait in the spool for ostler serve\n",
            d->count);
    (void)fflush(stdout);

    AUTO(free) struct agent *agents = xcalloc(d->count, sizeof *agents);
    d->agents = agents;
    struct sigaction action = {.sa_handler = on_signal};
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    r = gather(d);
    if (r == CMD_OK) r = play(d);
    for (size_t i = 0; i < d->started; i++)
        demo_agent_stop(&agents[i].process);
    return r;
}

static int run(int argc, char **argv) {
    struct demo d = {.speed = 1};
    uint64_t agents = 8, seed = 1;
    int option, status;
    while ((option = cmd_option(&cmd_demo, argc, argv, &status)) != -1) {
        bool ok = true;
        switch (option) {
        case 'a': ok = cmd_number(&cmd_demo, "--agents", optarg, 1, AGENTS_MAX, &agents); break;
        case 's': ok = cmd_number(&cmd_demo, "--speed", optarg, 1, 1000000, &d.speed); break;
        case 'e': ok = cmd_number(&cmd_demo, "--events", optarg, 1, UINT32_MAX, &d.events_max); break;
        case 'r': ok = cmd_number(&cmd_demo, "--seed", optarg, 1, UINT32_MAX, &seed); break;
        default: break;
        }
        if (!ok) return CMD_USAGE;
    }
    if (status >= 0) return status;
    d.count = agents;
    d.random = seed * 0x9E3779B97F4A7C15U;
    return start(&d);
}

static const struct cmd_opt options[] = {
    {"agents", 'a', .value = "N", .help = "how many (default 8)"},
    {"speed", 's', .value = "N", .help = "how many times faster than real agents (default 1)"},
    {"events", 'e', .value = "N", .help = "stop after this many events"},
    {"seed", 'r', .value = "N", .help = "another course of events (default 1)"},
    {0},
};

const struct cmd cmd_demo = {
    .name = "demo",
    .group = CMD_MORE,
    .summary = "simulate agents at work, so that there is something to see",
    .about =
        "Simulates agents at work, through the real hook, so that the board has something to show. Runs until "
        "Ctrl-C and then ends its sessions.",
    .options = options,
    .run = run,
};
