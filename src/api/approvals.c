#define LOG_TAG "inbox"
#include "api/approvals.h"

#include "api/auth.h"
#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "core/inbox.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { LIST_BYTES_MAX = 256 << 20, MESSAGE_UNITS = 16000, ERROR_BYTES = 4096, REPLY_DEPTH = 256 };

/* How it could be answered */

static const char *why_not(const struct worker *w, const struct request *r) {
    enum cli cli = w->conversation.cli;
    if (!r->certain) return "ostler only guesses that it waits: look into its terminal";
    if (cli == CLI_CODEX)
        return "Codex shows no dialog while it is asked from here: before it asks, say that you are away. Now, answer it in its "
               "terminal";
    if (cli == CLI_CLAUDE && r->tool && r->hold && r->agent)
        return "Claude Code shows no dialog of a subagent while it is asked from here: before it asks, say that you are away. Now, "
               "answer it in its terminal";
    if (cli == CLI_CLAUDE && r->tool)
        return r->hold
                   ? "its hook waits no longer: answer it in its terminal"
                   : "its hook is from before answers could be given from here: run ostler hooks install, and answer this one "
                     "in its terminal";
    if (!w->terminal_id) return "it runs in a terminal that is not ostler's: answer it there";
    return "answer it in its terminal";
}

struct approval_way approvals_way(const struct api *api, const struct worker *w, const struct request *r) {
    struct approval_way way = {0};
    if (api->is_held && api->is_held(api->user, r->hold)) {
        way.can = reply_can(w->conversation.cli, r);
        way.via = "hook";
    } else if (api->typed_can) {
        way.can = api->typed_can(api->user, w, r);
        way.via = "keys";
    }
    if (way.can) return way;
    way.via = NULL;
    way.why = why_not(w, r);
    return way;
}

static void write_open(const struct api *api, struct jwrite *w, const struct worker *of,
                       const struct request *r) {
    struct approval_way way = approvals_way(api, of, r);
    approval_json_open(w, of, r, &way);
}

void approvals_write_away(const struct api *api, struct jwrite *w) {
    const struct state *st = api->state;
    bool auto_away = api->is_auto_away && api->is_auto_away(api->user);
    jwrite_object(w);
    jwrite_kbool(w, "away", st->away || auto_away);
    if (st->away_since_ms)
        jwrite_ki64(w, "since", st->away_since_ms);
    else
        jwrite_knull(w, "since");
    jwrite_kcstr(w, "by", st->away_by);
    if (api->away_after_minutes)
        jwrite_ki64(w, "afterMinutes", api->away_after_minutes);
    else
        jwrite_knull(w, "afterMinutes");
    jwrite_kbool(w, "auto", auto_away && !st->away);
    jwrite_object_end(w);
}

/* Open ones are told in the order in which they were asked, whichever session they are of. */
struct open_request {
    const struct worker *worker;
    const struct request *request;
};

static int by_age(const void *a, const void *b) {
    const struct request *x = ((const struct open_request *)a)->request;
    const struct request *y = ((const struct open_request *)b)->request;
    return x->since_ms < y->since_ms ? -1 : x->since_ms > y->since_ms;
}

static size_t collect(const struct state *st, struct open_request *to) {
    size_t n = 0;
    list_for_each(at, &st->sessions) {
        const struct session *s = list_entry(at, struct session, in_state);
        list_for_each(pos, &s->workers) {
            const struct worker *w = list_entry(pos, struct worker, in_session);
            for (size_t i = 0; i < w->conversation.request_count; i++, n++)
                if (to) to[n] = (struct open_request){w, &w->conversation.requests[i]};
        }
    }
    return n;
}

void approvals_write_all(const struct api *api, struct jwrite *w) {
    size_t n = collect(api->state, NULL);
    struct open_request *open = n ? xcalloc(n, sizeof *open) : NULL;
    (void)collect(api->state, open);
    if (n) qsort(open, n, sizeof *open, by_age);
    jwrite_key(w, "approvals");
    jwrite_array(w);
    for (size_t i = 0; i < n; i++)
        write_open(api, w, open[i].worker, open[i].request);
    free(open);
    list_for_each(pos, &api->state->ended_requests)
        approval_json_ended(w, list_entry(pos, struct ended_request, in_state));
    jwrite_array_end(w);
    jwrite_key(w, "away");
    approvals_write_away(api, w);
}

void api_get_approvals(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    AUTO(buf) struct buf body = BUF_INIT(LIST_BYTES_MAX);
    struct jwrite w = JWRITE_INIT(&body);
    jwrite_object(&w);
    approvals_write_all(user, &w);
    jwrite_object_end(&w);
    api_reply_json(x, 200, &body);
}

/* Who answers */

void approvals_by(const struct api *api, const struct http_exchange *x, char ret[APPROVALS_BY_BYTES]) {
    char agent[USER_AGENT_BYTES];
    uint64_t pass = auth_pass(api->auth, x);
    const struct token *token = pass ? tokens_get(&api->auth->tokens, pass) : NULL;
    user_agent_short(http_header(x, SPAN("user-agent")), agent);
    const char *device = http_from_owner(x) ? "the command line" : agent[0] ? agent : "a program";
    if (token)
        (void)snprintf(ret, APPROVALS_BY_BYTES, "%s (login %s)", device, token->id);
    else
        (void)snprintf(ret, APPROVALS_BY_BYTES, "%s", device);
}

/* Answers */

struct asker {
    calls_done_fn *done;
    void *user;
};

static void refuse(const struct asker *to, int status, const char *state, const char *fmt, ...) PRINTF(4, 5);

static void refuse(const struct asker *to, int status, const char *state, const char *fmt, ...) {
    char why[ERROR_BYTES];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    AUTO(buf) struct buf body = BUF_INIT(8 * ERROR_BYTES);
    calls_write_refusal(&body, span_str(why), state);
    to->done(to->user, status, buf_span(&body));
}

enum { M_DECISION, M_DIGEST, M_MESSAGE, M_ANSWERS, M_INPUT, M_RULE, M_WHERE, M_MODE, M_STOP, M_N_ };

static bool is_there(struct span value) {
    enum jkind kind = jscan_kind(value);
    return kind != JKIND_NONE && kind != JKIND_NULL;
}

/* A member that must be a text if it is there. */
static bool take_text(struct span value, struct arena *arena, struct span *ret) {
    *ret = SPAN_NONE;
    if (!is_there(value)) return true;
    return jscan_kind(value) == JKIND_STRING && jscan_string(value, arena, ret) == 0 &&
           !(ret->n && memchr(ret->p, '\0', ret->n));
}

static bool take_object(struct span value, struct span *ret) {
    *ret = is_there(value) ? value : SPAN_NONE;
    return !ret->n || jscan_kind(value) == JKIND_OBJECT;
}

/* One rule, or a list of them. */
static bool take_rules(struct span value, struct span where, struct arena *arena, struct reply_wish *wish) {
    struct span rest = value, item, rule;
    if (!where.n) where = SPAN("localSettings");
    if (!is_there(value)) return true;
    if (jscan_kind(value) == JKIND_STRING) {
        if (!take_text(value, arena, &rule)) return false;
        wish->rules[wish->rule_count++] = (struct reply_rule){span_trim(rule), where};
        return true;
    }
    if (jscan_kind(value) != JKIND_ARRAY) return false;
    while (jscan_array_next(&rest, &item) == 1) {
        if (wish->rule_count == REPLY_RULES_MAX || !take_text(item, arena, &rule)) return false;
        wish->rules[wish->rule_count++] = (struct reply_rule){span_trim(rule), where};
    }
    return true;
}

/* Reads what is wanted. False, with a sentence, when the body is not understood. */
static bool read_wish(struct span body, struct arena *arena, struct reply_wish *ret, struct span *ret_digest,
                      const char **ret_why) {
    struct jmember m[M_N_] = {
        [M_DECISION] = JMEMBER("decision"), [M_DIGEST] = JMEMBER("digest"), [M_MESSAGE] = JMEMBER("message"),
        [M_ANSWERS] = JMEMBER("answers"),   [M_INPUT] = JMEMBER("input"),   [M_RULE] = JMEMBER("rule"),
        [M_WHERE] = JMEMBER("where"),       [M_MODE] = JMEMBER("mode"),     [M_STOP] = JMEMBER("stop")};
    struct span decision, where;
    *ret_why = "the body must be a JSON object";
    if (jvalid(body, REPLY_DEPTH) < 0 || jscan_kind(span_trim(body)) != JKIND_OBJECT ||
        jscan_object(span_trim(body), m, M_N_) < 0)
        return false;
    *ret_why = "decision must be \"allow\", \"deny\" or \"always\"";
    if (!take_text(m[M_DECISION].value, arena, &decision) || !decision_from_str(decision, &ret->decision) ||
        ret->decision == DECISION_NONE)
        return false;
    *ret_why = "message, digest, where and mode must be texts";
    if (!take_text(m[M_MESSAGE].value, arena, &ret->message) ||
        !take_text(m[M_DIGEST].value, arena, ret_digest) || !take_text(m[M_WHERE].value, arena, &where) ||
        !take_text(m[M_MODE].value, arena, &ret->mode))
        return false;
    *ret_why = "message is too long (max 16000 chars)";
    if (utf8_cut_units(ret->message, MESSAGE_UNITS).n < ret->message.n) return false;
    *ret_why = "answers and input must be objects";
    if (!take_object(m[M_ANSWERS].value, &ret->answers) || !take_object(m[M_INPUT].value, &ret->input))
        return false;
    *ret_why = "rule must be a text, or a list of at most 8";
    if (!take_rules(m[M_RULE].value, where, arena, ret)) return false;
    *ret_why = "stop must be true or false";
    return !is_there(m[M_STOP].value) || jscan_bool(m[M_STOP].value, &ret->stop);
}

/* What of the wish the request cannot take; 0: it can take all. */
static unsigned missing(const struct reply_wish *wish, const struct request *r, unsigned can) {
    static const unsigned of_decision[DECISION_N_] = {
        [DECISION_ALLOW] = CAN_ALLOW, [DECISION_DENY] = CAN_DENY, [DECISION_ALWAYS] = CAN_ALWAYS};
    unsigned wanted = of_decision[wish->decision];
    if (wish->decision == DECISION_ALLOW && r->kind == ATTENTION_QUESTION) wanted = CAN_ANSWERS;
    if (wish->message.n) wanted |= CAN_MESSAGE;
    if (wish->answers.n) wanted |= CAN_ANSWERS;
    if (wish->input.n) wanted |= CAN_INPUT;
    if (wish->rule_count) wanted |= CAN_RULE;
    if (wish->mode.n) wanted |= CAN_MODE;
    if (wish->stop) wanted |= CAN_STOP;
    return wanted & ~can;
}

static const char *first_name(unsigned bits) {
    for (size_t i = 0; i < CAN_N_; i++)
        if (bits & 1U << i) return can_to_str((enum can_index)i);
    return "";
}

/* "always" without a rule means those that were suggested. */
static void take_suggested(enum cli cli, const struct request *r, struct arena *arena,
                           struct reply_wish *wish) {
    if (wish->decision == DECISION_ALWAYS && !wish->rule_count)
        wish->rule_count = reply_rules(cli, r, arena, wish->rules);
}

/* Those that the CLI will write, for the list of them. */
static struct span write_rules(struct buf *out, const struct reply_wish *wish) {
    struct jwrite w = JWRITE_INIT(out);
    if (!wish->rule_count) return SPAN_NONE;
    jwrite_array(&w);
    for (size_t i = 0; i < wish->rule_count; i++) {
        jwrite_object(&w);
        jwrite_kstr(&w, "rule", wish->rules[i].rule);
        jwrite_kstr(&w, "where", wish->rules[i].where);
        jwrite_object_end(&w);
    }
    jwrite_array_end(&w);
    return buf_span(out);
}

static void submit(const struct api *api, const struct worker *w, const struct request *r,
                   const struct reply_wish *wish, const struct approval_way *way, struct span reply,
                   const char *by, const struct asker *to) {
    AUTO(buf) struct buf rules_json = BUF_INIT(REPLY_BYTES_MAX);
    struct span rules = write_rules(&rules_json, wish);
    struct command cmd = {.kind = COMMAND_ANSWER,
                          .session = span_str(w->session->id),
                          .request = span_str(r->id),
                          .value = span_str(decision_to_str(wish->decision)),
                          .number = (int64_t)r->revision,
                          .by = span_str(by),
                          .reply = reply,
                          .rules = rules,
                          .way = span_str(way->via),
                          .stops = wish->stop};
    enum request_end end = wish->decision == DECISION_DENY ? REQUEST_END_DENIED : REQUEST_END_ALLOWED;
    char body[128];
    int n = snprintf(body, sizeof body, "{\"ok\":true,\"id\":\"%s\",\"state\":\"%s\"}", r->id,
                     request_end_to_str(end));
    log_info("%s answers %s to %s of %s", by, decision_to_str(wish->decision), r->id, w->session->id);
    calls_submit_for(api->calls, &cmd, span_of(body, (size_t)n), to->done, to->user);
}

static void refuse_unknown(const struct api *api, struct span id, const struct asker *to) {
    const struct ended_request *e = inbox_find_ended(api->state, id);
    if (!e)
        refuse(to, 404, NULL, "there is no such request: it may have ended long ago");
    else
        refuse(to, 409, request_end_to_str(e->end), "too late: this request has ended (%s)",
               request_end_to_str(e->end));
}

void approvals_answer(const struct api *api, struct span id, struct span body, const char *by,
                      calls_done_fn *done, void *user) {
    const struct asker to = {done, user};
    AUTO(arena) struct arena arena = ARENA_INIT(4 * APPROVALS_BODY_MAX);
    AUTO(buf) struct buf reply = BUF_INIT(REPLY_BYTES_MAX);
    struct reply_wish wish = {0};
    struct span digest;
    const char *why;
    struct worker *w;
    struct err err;
    if (!read_wish(body, &arena, &wish, &digest, &why)) {
        refuse(&to, 400, NULL, "%s", why);
        return;
    }
    const struct request *r = inbox_find(api->state, id, &w);
    if (!r) {
        refuse_unknown(api, id, &to);
        return;
    }
    char shown[APPROVAL_DIGEST_BYTES];
    approval_digest(r, shown);
    if (digest.n ? !span_eq_str(digest, shown) : r->revision != 0) {
        refuse(&to, 409, "open", "it has changed since you looked: look at it again");
        return;
    }
    struct approval_way way = approvals_way(api, w, r);
    unsigned lacks = missing(&wish, r, way.can);
    if (r->answer.decision) {
        refuse(&to, 409, "open", "it was answered already, a moment ago");
    } else if (!way.can) {
        refuse(&to, 409, "open", "this cannot be answered from here: %s", way.why);
    } else if (lacks) {
        refuse(&to, 409, "open", "this request does not take \"%s\"", first_name(lacks));
    } else {
        take_suggested(w->conversation.cli, r, &arena, &wish);
        int failed = 0;
        if (strcmp(way.via, "keys") == 0) /* they are found when the dialog is looked at */
            (void)buf_append_span(&reply, span_trim(body));
        else
            failed = reply_write(&reply, w->conversation.cli, r, &wish, &arena, &err);
        if (failed < 0)
            refuse(&to, failed == -EMSGSIZE ? 413 : 400, NULL, "%s", err.msg);
        else
            submit(api, w, r, &wish, &way, buf_span(&reply), by, &to);
    }
}

/* An exchange lives until it is answered. */
static void on_answered(void *user, int status, struct span json) {
    http_reply(user, status, SPAN("application/json; charset=utf-8"), json);
}

void api_answer_approval(void *user, struct http_exchange *x, const struct route_params *params) {
    const struct api *api = user;
    char by[APPROVALS_BY_BYTES];
    approvals_by(api, x, by);
    approvals_answer(api, params->value[0], http_request(x)->body, by, on_answered, x);
}

/* Away */

void api_get_away(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    AUTO(buf) struct buf body = BUF_INIT(ERROR_BYTES);
    struct jwrite w = JWRITE_INIT(&body);
    approvals_write_away(user, &w);
    api_reply_json(x, 200, &body);
}

void api_put_away(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    struct span raw;
    bool away;
    char by[APPROVALS_BY_BYTES];
    if (!api_body_member(x, "away", &raw)) return;
    if (!jscan_bool(raw, &away)) {
        http_reply_error(x, 400, "away must be true or false");
        return;
    }
    approvals_by(api, x, by);
    struct command cmd = {.kind = COMMAND_AWAY, .number = away, .by = span_str(by)};
    calls_submit(api->calls, x, &cmd, SPAN("{\"ok\":true}"));
}
