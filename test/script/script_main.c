/*
 * Runs scenarios: text files that tell the core what happened and what must have come of it. No files, no clock, no
 * database; each scenario starts with an empty board at time 0. docs/hacking.md explains the words.
 *
 *     session a cwd=/home/dev/alpha      events that follow come from this agent
 *     env {"term_program":"kitty"}       what the hook adds to them
 *     at 5s                              time passes; deadlines fire
 *     event Stop {"x":1}                 a hook event
 *     payload {"type":…}                 a payload as it is, for CLIs that say things their own way
 *     refused Nope {} unknown event …    an event that must be refused with these words
 *     expect status=waiting tool=null    fields of the session on the wire; a dotted path reaches inside
 *     expect board=2 | expect gone       how many cards there are; this one is not among them
 *     probe approval alive child          what the daemon saw of the process; without the words: dead, no child
 *     command title {"value":"x"}        what somebody asked the daemon for, about this session unless it says another
 *     keep 60m | keep 0m                 how long ended cards of hosted agents stay; until they are closed
 *     team TEAM teamName=x childSessionIds.0=b | team TEAM gone     a team on the wire
 *     effect broadcast | append tool | amend tool | remove | none      asked of the outside since the last event or at
 */
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/jwrite.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/apply.h"
#include "core/cli_line.h"
#include "core/clock_set.h"
#include "core/retention.h"
#include "wire/approval_json.h"
#include "wire/session_json.h"
#include "wire/team_json.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEXT_MAX = 1 << 20, SCENARIO_MAX = 64 << 20, START_MS = 1000000 };

struct script {
    char about[ID_BYTES]; /* the request that was answered last */
    struct state state;
    struct effects fx;
    struct arena arena;
    int64_t now_ms;
    uint64_t pos;
    char *session, *cwd, *env, *key, *via;
    char *request; /* the id of the one that was looked at last */
    json_t *told;  /* by id: sessions as boards know them */
    uint64_t told_pos;
    int64_t told_ms;   /* where that was compared last */
    bool told_no_more; /* there were too many of them */
    char failure[1024];
    unsigned line;
};

static bool PRINTF(2, 3) fail(struct script *s, const char *fmt, ...) {
    int n = snprintf(s->failure, sizeof s->failure, "line %u: ", s->line);
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(s->failure + n, sizeof s->failure - (size_t)n, fmt, ap);
    va_end(ap);
    return false;
}

static void forget_effects(struct script *s) {
    for (size_t i = 0; i < s->fx.count; i++)
        if (s->fx.items[i].kind == EFFECT_BROADCAST)
            (void)str_set(&s->fx.items[i].session->replaces_id, SPAN_NONE);
    effects_clear(&s->fx);
    state_reap(&s->state);
}

/* session NAME [cwd=PATH] */
static bool do_session(struct script *s, struct span args) {
    struct span name = span_split(&args, ' ');
    (void)str_set(&s->session, name);
    if (span_starts(args, SPAN("cwd="))) (void)str_set(&s->cwd, span_skip(args, 4));
    return true;
}

static bool parse_time(struct span text, int64_t *ret) {
    uint64_t n;
    int64_t unit = span_ends(text, SPAN("ms")) ? 1 : span_ends(text, SPAN("m")) ? 60000 : 1000;
    struct span digits = span_take(text, text.n - (unit == 1 ? 2 : 1));
    if (text.n < 2 || !span_u64(digits, &n)) return false;
    *ret = START_MS + (int64_t)n * unit;
    return true;
}

/* at 5s | at 1500ms | at 2m: since the start */
static bool do_at(struct script *s, struct span args) {
    if (!parse_time(args, &s->now_ms)) return fail(s, "not a time: %.*s", SPAN_ARG(args));
    forget_effects(s);
    apply_time(&s->state, s->now_ms, &s->fx);
    return true;
}

/* clock forward 360m | clock back 360m: it was set while the daemon ran */
static bool do_clock(struct script *s, struct span args) {
    struct span way = span_split(&args, ' ');
    int64_t by_ms;
    if (!parse_time(args, &by_ms) || !(span_eq_str(way, "forward") || span_eq_str(way, "back")))
        return fail(s, "not a way to set the clock: %.*s", SPAN_ARG(way));
    by_ms = span_eq_str(way, "back") ? START_MS - by_ms : by_ms - START_MS;
    s->now_ms += by_ms;
    forget_effects(s);
    state_clock_set(&s->state, by_ms, &s->fx);
    apply_time(&s->state, s->now_ms, &s->fx);
    return true;
}

/* keep 60m */
static bool do_keep(struct script *s, struct span args) {
    int64_t until;
    if (!parse_time(args, &until)) return fail(s, "not a time: %.*s", SPAN_ARG(args));
    retention_set(&s->state, until - START_MS);
    return true;
}

/* What comes by HTTP has the environment's fields beside the others. */
static bool is_flat(const struct script *s) {
    return s->via && strcmp(s->via, "http") == 0;
}

static void put_env(const struct script *s, struct buf *out) {
    struct span env = span_trim(span_skip(span_str(str_or_empty(s->env)), 1));
    if (env.n > 1) (void)buf_printf(out, ",%.*s", (int)env.n - 1, env.p);
}

/* The record up to the payload, as the hook would write it. */
static struct jwrite begin_record(struct script *s, struct buf *out) {
    struct jwrite w = JWRITE_INIT(out);
    jwrite_object(&w);
    jwrite_key(&w, "ostler");
    jwrite_object(&w);
    jwrite_kcstr(&w, "via", s->via ? s->via : "hook");
    jwrite_ki64(&w, "hook_sent_at", s->now_ms);
    if (s->key) jwrite_kcstr(&w, "key", s->key);
    if (!is_flat(s)) put_env(s, out);
    jwrite_object_end(&w);
    jwrite_key(&w, "payload");
    return w;
}

/* A whole record for an event of the current session. */
static void write_record(struct script *s, struct buf *out, struct span name, struct span fields) {
    struct jwrite w = begin_record(s, out);
    jwrite_object(&w);
    jwrite_kcstr(&w, "session_id", s->session);
    if (s->cwd) jwrite_kcstr(&w, "cwd", s->cwd);
    jwrite_kstr(&w, "hook_event_name", name);
    if (is_flat(s)) put_env(s, out);
    struct span inner = span_trim(span_skip(fields, 1));
    if (inner.n > 1) (void)buf_printf(out, ",%.*s", (int)inner.n - 1, inner.p);
    jwrite_object_end(&w);
    jwrite_object_end(&w);
}

static int apply_record(struct script *s, struct span record, struct err *err) {
    forget_effects(s);
    arena_reset(&s->arena);
    struct event ev;
    int r = event_parse(record, s->pos, &s->arena, &ev, err);
    s->pos += record.n;
    if (r == 0) (void)apply_event(&s->state, &ev, &s->arena, &s->fx);
    return r;
}

static int run_event(struct script *s, struct span name, struct span fields, struct err *err) {
    AUTO(buf) struct buf record = BUF_INIT(TEXT_MAX);
    write_record(s, &record, name, fields);
    return apply_record(s, buf_span(&record), err);
}

/* payload JSON */
static bool do_payload(struct script *s, struct span args) {
    AUTO(buf) struct buf record = BUF_INIT(TEXT_MAX);
    struct jwrite w = begin_record(s, &record);
    jwrite_raw(&w, args);
    jwrite_object_end(&w);
    struct err err = {0};
    if (apply_record(s, buf_span(&record), &err) < 0) return fail(s, "refused: %s", err.msg);
    return true;
}

/* event NAME [JSON] */
static bool do_event(struct script *s, struct span args) {
    struct span name = span_split(&args, ' ');
    struct err err = {0};
    if (run_event(s, name, span_trim(args), &err) < 0) return fail(s, "refused: %s", err.msg);
    return true;
}

/* refused NAME JSON WORDS…: the JSON has no spaces */
static bool do_refused(struct script *s, struct span args) {
    struct span name = span_split(&args, ' '), fields = span_split(&args, ' ');
    struct err err = {0};
    if (run_event(s, name, fields, &err) == 0) return fail(s, "was not refused");
    if (!span_eq_str(args, err.msg)) return fail(s, "refused with \"%s\"", err.msg);
    return true;
}

static int64_t word_number(struct span args, struct span key, int64_t otherwise) {
    while (args.n) {
        struct span word = span_split(&args, ' ');
        uint64_t n;
        if (span_starts(word, key) && span_u64(span_skip(word, key.n), &n)) return (int64_t)n;
    }
    return otherwise;
}

/* probe WHAT [alive] [child] [pid=N] [start=N] */
static bool do_probe(struct script *s, struct span args) {
    const struct worker *w = state_find(&s->state, span_str(s->session));
    if (!w) return fail(s, "no such session");
    struct span what = span_split(&args, ' ');
    int64_t pid = word_number(args, SPAN("pid="), w->conversation.pid);
    AUTO(buf) struct buf record = BUF_INIT(TEXT_MAX);
    (void)buf_printf(
        &record,
        "{\"ostler\":{\"via\":\"daemon\",\"hook_sent_at\":%lld,\"probe\":{\"session\":\"%s\",\"for\":\"%.*s\","
        "\"pid\":%lld,\"start\":%lld,\"alive\":%s,\"child\":%s}},\"payload\":{}}",
        (long long)s->now_ms, w->session->id, SPAN_ARG(what), (long long)pid,
        (long long)word_number(args, SPAN("start="), 0),
        span_icontains(args, SPAN("alive")) ? "true" : "false",
        span_icontains(args, SPAN("child")) ? "true" : "false");
    struct err err = {0};
    if (apply_record(s, buf_span(&record), &err) < 0) return fail(s, "refused: %s", err.msg);
    return true;
}

/* The value of a word NAME=VALUE that `words` begins with, taken from them; empty when they do not. */
static struct span take_option(struct span *words, struct span name) {
    if (!span_starts(*words, name)) return SPAN_NONE;
    return span_skip(span_split(words, ' '), name.n);
}

/* state busy|waiting|idle… [since=TIME] [call=ID] [for words …] */
/* What the daemon saw of the current session beside its hooks, as the record that it would write. */
static bool apply_state(struct script *s, struct span activity, int64_t since, const struct cli_line *said) {
    const struct worker *w = state_find(&s->state, span_str(s->session));
    if (!w) return fail(s, "no such session");
    AUTO(buf) struct buf record = BUF_INIT(TEXT_MAX);
    (void)buf_printf(
        &record,
        "{\"ostler\":{\"via\":\"daemon\",\"hook_sent_at\":%lld,\"state\":{\"session\":\"%s\","
        "\"activity\":\"%.*s\",\"since\":%lld,\"call\":\"%.*s\",\"tool\":\"%.*s\",\"input\":%.*s,"
        "\"for\":",
        (long long)s->now_ms, w->session->id, SPAN_ARG(activity), (long long)since, SPAN_ARG(said->call),
        SPAN_ARG(said->tool), SPAN_ARG(said->input.n ? said->input : SPAN("null")));
    struct jwrite json = JWRITE_INIT(&record);
    jwrite_str(&json, said->text);
    (void)buf_append_span(&record, SPAN("}},\"payload\":{}}"));
    struct err err = {0};
    if (apply_record(s, buf_span(&record), &err) < 0) return fail(s, "refused: %s", err.msg);
    return true;
}

static bool do_state(struct script *s, struct span args) {
    struct span activity = span_split(&args, ' '), words = span_trim(args);
    struct span time = take_option(&words, SPAN("since="));
    struct cli_line said = {.call = take_option(&words, SPAN("call=")),
                            .tool = take_option(&words, SPAN("tool=")),
                            .input = take_option(&words, SPAN("input="))};
    said.text = span_starts(words, SPAN("for ")) ? span_skip(words, 4) : words;
    int64_t since = s->now_ms;
    if (time.n && !parse_time(time, &since)) return fail(s, "not a time: %.*s", SPAN_ARG(time));
    return apply_state(s, activity, since, &said);
}

/* record CLI JSON: a line of the record that the CLI keeps of the conversation; many say nothing */
static bool do_record(struct script *s, struct span args) {
    AUTO(arena) struct arena arena = ARENA_INIT(TEXT_MAX);
    enum cli cli;
    struct span name = span_split(&args, ' ');
    struct cli_line said;
    if (!cli_from_str(name, &cli)) return fail(s, "no such CLI: %.*s", SPAN_ARG(name));
    if (!cli_line_read(cli, span_trim(args), &arena, &said)) return true;
    return apply_state(s, span_str(activity_to_str(said.activity)), s->now_ms, &said);
}

/* A text with the id of the request that was looked at last in the place of $request. */
static void put_request_id(struct buf *out, const struct script *s, struct span text) {
    static const struct span mark = SPAN("$request");
    const char *at = text.n ? memmem(text.p, text.n, mark.p, mark.n) : NULL;
    (void)buf_append_span(out, at ? span_of(text.p, (size_t)(at - text.p)) : text);
    if (!at) return;
    (void)buf_append_span(out, span_str(s->request));
    (void)buf_append_span(out, span_skip(text, (size_t)(at - text.p) + mark.n));
}

/* command NAME [JSON] */
static bool do_command(struct script *s, struct span args) {
    AUTO(buf) struct buf text = BUF_INIT(TEXT_MAX);
    struct span name = span_split(&args, ' ');
    put_request_id(&text, s, span_trim(args));
    struct span inner = span_trim(span_skip(buf_span(&text), 1));
    bool names_one = span_icontains(inner, SPAN("\"session\""));
    AUTO(buf) struct buf record = BUF_INIT(TEXT_MAX);
    (void)buf_printf(&record,
                     "{\"ostler\":{\"via\":\"daemon\",\"hook_sent_at\":%lld,\"command\":{\"name\":\"%.*s\","
                     "\"call\":1%s%s%s%s%.*s},\"payload\":{}}",
                     (long long)s->now_ms, SPAN_ARG(name), names_one ? "" : ",\"session\":\"",
                     names_one ? "" : str_or_empty(s->session), names_one ? "" : "\"", inner.n > 1 ? "," : "",
                     SPAN_ARG(inner.n ? inner : SPAN("}")));
    struct err err = {0};
    if (apply_record(s, buf_span(&record), &err) < 0) return fail(s, "refused: %s", err.msg);
    return true;
}

/* answer DECISION | replied DECISION: about the oldest request of the current session that is open, given here, and told to its agent */
static bool do_command_about(struct script *s, const char *command, struct span decision) {
    const struct worker *w = state_find(&s->state, span_str(s->session));
    const struct request *r =
        s->about[0] || !w || !w->conversation.request_count ? NULL : w->conversation.requests;
    AUTO(buf) struct buf line = BUF_INIT(TEXT_MAX);
    if (r) memcpy(s->about, r->id, sizeof s->about);
    (void)buf_printf(&line, "%s {\"request\":\"%s\",\"value\":\"%.*s\",\"by\":\"a test\"}", command, s->about,
                     SPAN_ARG(decision));
    return s->about[0] ? do_command(s, buf_span(&line)) : fail(s, "nothing is asked");
}

static bool do_answer(struct script *s, struct span args) {
    s->about[0] = '\0';
    return do_command_about(s, "answer", args);
}

static bool do_replied(struct script *s, struct span args) {
    return do_command_about(s, "replied", args);
}

/* ended END…: how the last requests ended, the newest first, and no more of them */
static bool do_ends(struct script *s, struct span args) {
    list_for_each(pos, &s->state.ended_requests) {
        const struct ended_request *e = list_entry(pos, struct ended_request, in_state);
        struct span expected = span_split(&args, ' ');
        if (!span_eq_str(expected, request_end_to_str(e->end)))
            return fail(s, "%s ended as %s", str_or_empty(e->request.text), request_end_to_str(e->end));
    }
    return args.n ? fail(s, "no more have ended") : true;
}

/* The value at a dotted path: names, and numbers into arrays (negative from the end). */
static json_t *value_at(json_t *root, struct span path) {
    json_t *v = root;
    while (path.n && v) {
        AUTO(free) char *step = str_dup(span_split(&path, '.'));
        if (!json_is_array(v)) {
            v = json_object_get(v, step);
            continue;
        }
        long i = strtol(step, NULL, 10);
        long n = (long)json_array_size(v);
        v = json_array_get(v, (size_t)(i < 0 ? n + i : i));
    }
    return v;
}

/* Takes the next WORD or "quoted words" off the line. */
static struct span next_value(struct span *args) {
    if (!args->n || args->p[0] != '"') return span_split(args, ' ');
    *args = span_skip(*args, 1);
    struct span value = span_split(args, '"');
    if (args->n) *args = span_skip(*args, 1);
    return value;
}

/* Line breaks as a scenario writes them: \n. */
static void put_on_one_line(struct buf *out, struct span text) {
    for (size_t i = 0; i < text.n; i++)
        (void)buf_append_span(out, text.p[i] == '\n' ? SPAN("\\n") : span_of(&text.p[i], 1));
}

static bool check_value(struct script *s, struct span path, json_t *actual, struct span expected) {
    if (json_is_string(actual)) {
        AUTO(buf) struct buf line = BUF_INIT(TEXT_MAX);
        put_on_one_line(&line, span_of(json_string_value(actual), json_string_length(actual)));
        struct span text = buf_span(&line);
        if (span_eq(text, expected)) return true;
        return fail(s, "%.*s is \"%.*s\", not \"%.*s\"", SPAN_ARG(path), SPAN_ARG(text), SPAN_ARG(expected));
    }
    AUTO(free) char *text = actual ? json_dumps(actual, JSON_ENCODE_ANY | JSON_COMPACT) : xstrdup("absent");
    if (span_eq_str(expected, text)) return true;
    return fail(s, "%.*s is %s, not %.*s", SPAN_ARG(path), text, SPAN_ARG(expected));
}

static json_t *session_on_wire(const struct session *session) {
    AUTO(buf) struct buf text = BUF_INIT(TEXT_MAX);
    struct jwrite w = JWRITE_INIT(&text);
    session_json_whole(&w, session);
    return json_loadb(text.p, text.n, 0, NULL);
}

static bool check_fields(struct script *s, json_t *root, struct span args) {
    while (args.n) {
        struct span path = span_split(&args, '=');
        struct span expected = next_value(&args);
        if (!check_value(s, path, value_at(root, path), expected)) return false;
    }
    return true;
}

/* Cards on the board, without those that have ended and are hidden. */
static size_t count_shown(const struct script *s) {
    size_t n = 0;
    list_for_each(pos, &s->state.sessions)
        n += !list_entry(pos, struct session, in_state)->hidden;
    return n;
}

/* expect FIELD=VALUE… | expect gone | expect hidden | expect board=N */
static bool do_expect(struct script *s, struct span args) {
    const struct worker *w = state_find(&s->state, span_str(s->session));
    if (span_eq(args, SPAN("gone"))) return w ? fail(s, "still on the board") : true;
    if (span_eq(args, SPAN("hidden"))) return w && w->session->hidden ? true : fail(s, "not hidden");
    uint64_t n;
    if (span_starts(args, SPAN("board=")) && span_u64(span_skip(args, 6), &n))
        return n == count_shown(s) || fail(s, "%zu cards on the board", count_shown(s));
    if (!w) return fail(s, "no such session");
    json_t *root = session_on_wire(w->session);
    bool ok = root ? check_fields(s, root, args) : fail(s, "the session on the wire is not JSON");
    json_decref(root);
    return ok;
}

/* team ID FIELD=VALUE… | team ID gone */
static bool do_team(struct script *s, struct span args) {
    struct span id = span_split(&args, ' ');
    const struct team *team = state_find_team(&s->state, id);
    if (span_eq(args, SPAN("gone"))) return team ? fail(s, "the team is still there") : true;
    if (!team) return fail(s, "no such team");
    AUTO(buf) struct buf text = BUF_INIT(TEXT_MAX);
    struct jwrite w = JWRITE_INIT(&text);
    team_json(&w, team);
    json_t *root = json_loadb(text.p, text.n, 0, NULL);
    bool ok = root ? check_fields(s, root, args) : fail(s, "the team on the wire is not JSON");
    json_decref(root);
    return ok;
}

static bool effect_matches(const struct effect *e, struct span kind, struct span history) {
    static const char *const kinds[] = {
        [EFFECT_BROADCAST] = "broadcast",
        [EFFECT_APPEND] = "append",
        [EFFECT_AMEND] = "amend",
        [EFFECT_PROBE] = "probe",
        [EFFECT_REMOVE] = "remove",
        [EFFECT_WATCH] = "watch",
        [EFFECT_AMBIGUOUS] = "ambiguous",
        [EFFECT_ANSWER] = "answer",
        [EFFECT_ASKED] = "asked",
        [EFFECT_ENDED] = "ended",
        [EFFECT_REPLY] = "reply",
        [EFFECT_AWAY] = "away",
        [EFFECT_RULE] = "rule",
        [EFFECT_TRANSCRIPT] = "transcript",
        [EFFECT_TEAM] = "team",
        [EFFECT_TEAM_REMOVED] = "team-removed",
        [EFFECT_TEAM_CONFIG] = "team-config",
    };
    static const char *const histories[] = {"prompt", "tool", "response", "event"};
    if (!span_eq_str(kind, kinds[e->kind])) return false;
    return !history.n || span_eq_str(history, histories[e->history]);
}

/* effect KIND [HISTORY] | effect count=N | effect none */
static bool do_effect(struct script *s, struct span args) {
    struct span kind = span_split(&args, ' ');
    uint64_t n;
    if (span_starts(kind, SPAN("count=")) && span_u64(span_skip(kind, 6), &n))
        return n == s->fx.count || fail(s, "%zu effects", s->fx.count);
    if (span_eq(kind, SPAN("none"))) return s->fx.count == 0 || fail(s, "%zu effects", s->fx.count);
    for (size_t i = 0; i < s->fx.count; i++)
        if (effect_matches(&s->fx.items[i], kind, args)) return true;
    return fail(s, "no such effect among %zu", s->fx.count);
}

static bool is_told(const struct script *s, const struct session *session) {
    for (size_t i = 0; i < s->fx.count; i++)
        if (s->fx.items[i].kind == EFFECT_BROADCAST && s->fx.items[i].session == session) return true;
    return false;
}

/* After every line at which something happened: what a board that followed knows is what a new one is told. Not on a board so full
 * that comparing all of it would take minutes. */
static bool check_told(struct script *s) {
    enum { SESSIONS_MAX = 12 };
    s->told_no_more |= s->state.session_count > SESSIONS_MAX;
    if (s->told_no_more || (s->pos == s->told_pos && s->now_ms == s->told_ms)) return true;
    s->told_pos = s->pos;
    s->told_ms = s->now_ms;
    list_for_each(pos, &s->state.sessions) {
        const struct session *session = list_entry(pos, struct session, in_state);
        json_t *now = session_on_wire(session), *known = json_object_get(s->told, session->id);
        (void)json_object_del(now, "replacesId"); /* told once */
        if (!is_told(s, session) && !json_equal(now, known)) {
            const char *field = "all of it";
            json_t *value;
            json_object_foreach(now, field,
                                value) if (!json_equal(value, json_object_get(known, field))) break;
            (void)fail(s, "%s of %s is another one, and no board is told", field, session->id);
            json_decref(now);
            return false;
        }
        (void)json_object_set_new(s->told, session->id, now);
    }
    return true;
}

/* Checks a request as it is on the wire, and remembers its id. */
static bool check_request(struct script *s, const struct buf *json, const char *id, struct span fields) {
    json_t *root = json_loadb(json->p, json->n, 0, NULL);
    (void)str_set(&s->request, span_str(id));
    bool ok = root ? check_fields(s, root, fields) : fail(s, "the request on the wire is not JSON");
    json_decref(root);
    return ok;
}

/* request N FIELD=VALUE… | request none: the open ones of the current session, as if their hooks waited */
static bool do_request(struct script *s, struct span args) {
    const struct worker *w = state_find(&s->state, span_str(s->session));
    if (!w) return fail(s, "no such session");
    const struct conversation *c = &w->conversation;
    uint64_t n;
    if (span_eq(args, SPAN("none")))
        return c->request_count == 0 || fail(s, "%zu are open", c->request_count);
    if (!span_u64(span_split(&args, ' '), &n) || n >= c->request_count)
        return fail(s, "%zu requests are open", c->request_count);
    AUTO(buf) struct buf json = BUF_INIT(TEXT_MAX);
    struct jwrite out = JWRITE_INIT(&json);
    const struct approval_way way = {.can = reply_can(c->cli, &c->requests[n]), .via = "hook"};
    approval_json_open(&out, w, &c->requests[n], &way);
    return check_request(s, &json, c->requests[n].id, args);
}

/* ended N FIELD=VALUE… | ended none: those of all sessions, the newest first */
static bool do_ended(struct script *s, struct span args) {
    uint64_t n;
    size_t count = s->state.ended_request_count;
    if (span_eq(args, SPAN("none"))) return count == 0 || fail(s, "%zu have ended", count);
    if (!span_u64(span_split(&args, ' '), &n) || n >= count) return fail(s, "%zu requests have ended", count);
    const struct list *at = s->state.ended_requests.next;
    while (n--)
        at = at->next;
    const struct ended_request *e = list_entry(at, struct ended_request, in_state);
    AUTO(buf) struct buf json = BUF_INIT(TEXT_MAX);
    struct jwrite out = JWRITE_INIT(&json);
    approval_json_ended(&out, e);
    return check_request(s, &json, e->request.id, args);
}

static bool do_env(struct script *s, struct span args) {
    (void)str_set(&s->env, args);
    return true;
}

static bool do_key(struct script *s, struct span args) {
    (void)str_set(&s->key, args);
    return true;
}

static bool do_via(struct script *s, struct span args) {
    (void)str_set(&s->via, args);
    return true;
}

static const struct {
    const char *word;
    bool (*run)(struct script *s, struct span args);
} words[] = {
    {"session", do_session}, {"at", do_at},           {"event", do_event},     {"payload", do_payload},
    {"probe", do_probe},     {"refused", do_refused}, {"expect", do_expect},   {"effect", do_effect},
    {"answer", do_answer},   {"replied", do_replied}, {"ends", do_ends},       {"env", do_env},
    {"key", do_key},         {"via", do_via},         {"command", do_command}, {"team", do_team},
    {"keep", do_keep},       {"state", do_state},     {"record", do_record},   {"request", do_request},
    {"ended", do_ended},     {"clock", do_clock},
};

static bool run_line(struct script *s, struct span line) {
    line = span_trim(line);
    if (!line.n || line.p[0] == '#') return true;
    struct span args = line, word = span_split(&args, ' ');
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (span_eq_str(word, words[i].word)) return words[i].run(s, span_trim(args));
    return fail(s, "unknown word: %.*s", SPAN_ARG(word));
}

static bool run_text(struct script *s, struct span text) {
    for (s->line = 1; text.n; s->line++)
        if (!run_line(s, span_split(&text, '\n')) || !check_told(s)) return false;
    return true;
}

static bool run_file(const char *path, char failure[1024]) {
    AUTO(buf) struct buf text = BUF_INIT(SCENARIO_MAX);
    AUTO(file) FILE *f = fopen(path, "re");
    if (!f) return snprintf(failure, 1024, "cannot open it") < 0;
    char chunk[4096];
    for (size_t n; (n = fread(chunk, 1, sizeof chunk, f));)
        (void)buf_append(&text, chunk, n);
    if (text.failed) return snprintf(failure, 1024, "it is too long") < 0;
    struct script s = {.now_ms = START_MS, .arena = ARENA_INIT(4 * TEXT_MAX), .told = json_object()};
    state_init(&s.state);
    bool ok = run_text(&s, buf_span(&text));
    memcpy(failure, s.failure, sizeof s.failure);
    state_fini(&s.state);
    effects_fini(&s.fx);
    json_decref(s.told);
    arena_fini(&s.arena);
    char *const strings[] = {s.session, s.cwd, s.env, s.key, s.via, s.request};
    for (size_t i = 0; i < ARRAY_LEN(strings); i++)
        free(strings[i]);
    return ok;
}

int main(int argc, char **argv) {
    int failed = 0;
    (void)printf("1..%d\n", argc - 1);
    for (int i = 1; i < argc; i++) {
        char failure[1024];
        const char *slash = strrchr(argv[i], '/');
        bool ok = run_file(argv[i], failure);
        (void)printf("%s %d - %s\n", ok ? "ok" : "not ok", i, slash ? slash + 1 : argv[i]);
        if (ok) continue;
        (void)printf("# %s\n", failure);
        (void)fprintf(stderr, "%s: %s\n", argv[i], failure);
        failed = 1;
    }
    return failed;
}
