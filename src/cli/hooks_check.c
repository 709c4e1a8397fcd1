#include "cli/hooks_check.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/str.h"
#include "cli/hooks_probe.h"
#include "cli/screen.h"
#include "setup/here.h"
#include "setup/policy.h"
#include "setup/status_json.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OBJECT_BYTES_MAX = 1 << 20 };

const char *hooks_cli_name(enum cli cli) {
    static const char *const names[CLI_N_] = {[CLI_CLAUDE] = "Claude Code",
                                              [CLI_GEMINI] = "Gemini CLI",
                                              [CLI_CODEX] = "Codex CLI",
                                              [CLI_COPILOT] = "Copilot CLI",
                                              [CLI_OPENCODE] = "opencode"};
    return names[cli];
}

static void add(struct hooks_check *c, const char *sentence) {
    strv_push(&c->problems, span_str(sentence));
}

/* "3 events are not trusted: Stop, SessionEnd, …" */
static void add_events(struct hooks_check *c, const char *what,
                       bool (*is)(const struct hooks_check *, const struct setup_found_event *)) {
    AUTO(buf) struct buf names = BUF_INIT(4096);
    size_t n = 0;
    for (size_t i = 0; i < c->status.found.n; i++) {
        const struct setup_found_event *e = &c->status.found.events[i];
        if (!e->kind || !is(c, e)) continue;
        (void)buf_printf(&names, "%s%s", n++ ? ", " : "", e->kind->name);
    }
    if (n == 0) return;
    AUTO(free) char *sentence = str_format("%s: %.*s", what, SPAN_ARG(buf_span(&names)));
    add(c, sentence);
}

static bool is_strange(const struct hooks_check *c, const struct setup_found_event *e) {
    return e->kind && setup_status_is_strange(&c->status, e);
}

static bool is_untrusted(const struct hooks_check *c UNUSED, const struct setup_found_event *e) {
    return e->untrusted;
}

static bool is_disabled(const struct hooks_check *c UNUSED, const struct setup_found_event *e) {
    return e->disabled;
}

static void add_missing(struct hooks_check *c) {
    AUTO(buf) struct buf names = BUF_INIT(4096);
    const struct setup_status *s = &c->status;
    const struct event_wish wish = setup_status_wish(s);
    for (const struct event_kind *k = NULL; (k = setup_event_next(k, &wish));)
        if (!setup_found_has(&s->found, span_str(k->name)))
            (void)buf_printf(&names, "%s%s", names.n ? ", " : "", k->name);
    if (names.n == 0) return;
    AUTO(free)
    char *sentence = str_format("events of this density are missing: %.*s; ostler hooks install adds them",
                                SPAN_ARG(buf_span(&names)));
    add(c, sentence);
}

static const char *version_text(struct cli_version v, char room[CLI_VERSION_BYTES]) {
    cli_version_print(v, room);
    return room[0] ? room : "of an unknown version";
}

/* The CLI is another one than that which the events were chosen for, and it makes a difference. */
static void add_version(struct hooks_check *c) {
    char then[CLI_VERSION_BYTES], now[CLI_VERSION_BYTES];
    const struct setup_status *s = &c->status;
    size_t before = strv_count((const char *const *)c->problems);
    add_missing(c);
    AUTO(free)
    char *what =
        str_format("%s %s does not know events that are registered%s; ostler hooks install takes them out",
                   hooks_cli_name(s->cli), version_text(s->now.version, now),
                   cli_version_is_strict(s->now.version, s->cli)
                       ? ", and ignores its whole settings file for it, with all permission rules"
                       : "");
    add_events(c, what, is_strange);
    if (strv_count((const char *const *)c->problems) == before ||
        cli_version_compare(s->then, s->now.version) == 0)
        return;
    AUTO(free)
    char *sentence =
        str_format("%s was %s when its hooks were installed and is %s now", hooks_cli_name(s->cli),
                   version_text(s->then, then), version_text(s->now.version, now));
    add(c, sentence);
}

static void find_problems(const struct setup_place *p, struct hooks_check *c) {
    struct setup_status *s = &c->status;
    if (s->code < 0) add(c, s->err.msg);
    setup_policy_blocks(p, s->cli, &c->problems);
    if (!s->installed) return;
    if (s->hook_missing) {
        AUTO(free)
        char *sentence =
            str_format("%s, which is registered, is not there; ostler hooks install mends that", s->hook);
        add(c, sentence);
    }
    add_version(c);
    if (s->found.twice) add(c, "an event is registered twice; ostler hooks install mends that");
    add_events(c, "Codex does not trust what is registered for (ostler hooks install mends that)",
               is_untrusted);
    add_events(c, "switched off in Codex (/hooks)", is_disabled);
    if (!s->current && !c->problems)
        add(c, "what is registered is not what this ostler would; ostler hooks install mends that");
}

static int64_t heard_at(struct span heard, enum cli cli) {
    struct jmember all = JMEMBER("clis"), one = {.name = span_str(cli_to_str(cli))},
                   last = JMEMBER("lastEventAt");
    int64_t at = 0;
    if (heard.n && jscan_object(heard, &all, 1) == 1 && jscan_object(all.value, &one, 1) == 1 &&
        jscan_object(one.value, &last, 1) == 1)
        (void)jscan_i64(last.value, &at);
    return at;
}

static void send_probe(struct hooks_check *c, const struct daemon_info *daemon) {
    struct err err = {0};
    if (!c->status.installed) return;
    if (!daemon) {
        add(c, "no probe could be sent: the daemon does not run (ostler serve starts it)");
        return;
    }
    if (hooks_probe(daemon, c->status.cli, c->status.found.command.p, &c->probe_ms, &err) == 0) return;
    c->probe_ms = -1;
    AUTO(free) char *sentence = str_format("the probe failed: %s", err.msg);
    add(c, sentence);
}

void hooks_check(const struct setup_place *p, enum cli cli, const struct daemon_info *daemon,
                 struct span heard, bool probe, struct hooks_check *ret) {
    *ret = (struct hooks_check){.probe_ms = -1, .has_daemon = daemon != NULL, .versions = p->notes.versions};
    setup_status(p, cli, &ret->status);
    (void)setup_find_program(p->notes.seen, cli, ret->program);
    ret->is_here = setup_is_here(p, cli);
    ret->event_ms = heard_at(heard, cli);
    find_problems(p, ret);
    if (probe) send_probe(ret, daemon);
}

void hooks_check_fini(struct hooks_check *c) {
    setup_status_fini(&c->status);
    strv_free(c->problems);
}

static void print_head(const struct setup_place *p, const struct hooks_check *c) {
    const struct setup_status *s = &c->status;
    screen_print("%-12s ", hooks_cli_name(s->cli));
    if (s->code < 0) {
        screen_print("settings that cannot be used\n");
        return;
    }
    if (!s->installed) {
        screen_print("%s\n", c->is_here ? "no hooks" : "no hooks, and not on this machine");
        return;
    }
    screen_print("%s (%s) in ", screen_count(s->found.n, "event", "events").text,
                 config_density_to_str(s->density));
    screen_path(p->file[s->cli]);
    (void)putchar('\n');
}

static void print_ago(int64_t ms) {
    int64_t s = (usec_to_msec(clock_wall(&clock_system)) - ms) / 1000;
    if (s < 90)
        screen_print("%lld s ago", (long long)(s > 0 ? s : 0));
    else if (s < 5400)
        screen_print("%lld min ago", (long long)(s / 60));
    else
        screen_print("%lld h ago", (long long)(s / 3600));
}

/* Which of several counts, and what that means. */
static void print_version(const struct hooks_check *c) {
    char text[CLI_VERSION_BYTES];
    const struct setup_version *now = &c->status.now;
    cli_version_print(now->version, text);
    if (!cli_version_matters(c->status.cli) || (text[0] && strcmp(now->program, c->program) == 0)) return;
    screen_print("  version    ");
    if (text[0])
        screen_print("%s of ", text);
    else
        screen_print("unknown, so only events that every version knows are registered: ");
    screen_path(now->program);
    screen_print("%s\n", text[0] ? ", the oldest of those that read these settings" : "");
}

static void print_details(const struct hooks_check *c) {
    char text[CLI_VERSION_BYTES];
    if (c->program[0]) {
        struct cli_version v = setup_version_of(c->status.cli, c->program, c->versions);
        cli_version_print(v, text);
        screen_print("  program    ");
        screen_path(c->program);
        screen_print("%s%s%s\n", text[0] ? " (" : "", text, text[0] ? ")" : "");
        print_version(c);
    } else {
        screen_print("  program    not found; %s installs it\n", setup_how_to_install(c->status.cli));
    }
    if (!c->status.installed) return;
    screen_print("  hook       ");
    screen_path(c->status.hook);
    screen_print("\n  heard      ");
    if (!c->has_daemon)
        screen_print("the daemon does not run");
    else if (c->event_ms)
        print_ago(c->event_ms);
    else
        screen_print("nothing since the daemon started");
    (void)putchar('\n');
    if (c->probe_ms >= 0)
        screen_print("  probe      came through; the hook took %lld ms\n", (long long)c->probe_ms);
}

void hooks_check_print(const struct setup_place *p, const struct hooks_check *c, bool details) {
    print_head(p, c);
    if (details) print_details(c);
    for (size_t i = 0; c->problems && c->problems[i]; i++) {
        screen_print("  problem    ");
        screen_text(span_str(c->problems[i]));
        (void)putchar('\n');
    }
}

void hooks_check_json(const struct setup_place *p, const struct hooks_check *c) {
    AUTO(buf) struct buf out = BUF_INIT(OBJECT_BYTES_MAX);
    struct jwrite w = JWRITE_INIT(&out);
    jwrite_object(&w);
    jwrite_kcstr(&w, "cli", cli_to_str(c->status.cli));
    setup_status_json(&w, p, &c->status);
    if (c->event_ms)
        jwrite_ki64(&w, "lastEventAt", c->event_ms);
    else
        jwrite_knull(&w, "lastEventAt");
    if (c->probe_ms >= 0)
        jwrite_ki64(&w, "probeMs", c->probe_ms);
    else
        jwrite_knull(&w, "probeMs");
    jwrite_key(&w, "problems");
    jwrite_array(&w);
    for (size_t i = 0; c->problems && c->problems[i]; i++)
        jwrite_cstr(&w, c->problems[i]);
    jwrite_array_end(&w);
    jwrite_object_end(&w);
    screen_json(buf_span(&out));
}
