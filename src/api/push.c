/* Web Push: who wants to be told, and the answers that come from notifications. */
#include "api/push.h"

#include "api/approvals.h"
#include "api/auth.h"
#include "base/cleanup.h"
#include "base/jscan.h"
#include "crypto/secret.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_MAX = 2000 };

static bool is_ready(struct http_exchange *x, struct push *p) {
    p->prepare(p->user);
    if (!p->ready) http_reply_error(x, 503, "%s", p->problem[0] ? p->problem : "pushes are not possible now");
    return p->ready;
}

/* The login of who asks; "" for who needs none. */
static void login_of(const struct api *api, const struct http_exchange *x, char ret[TOKEN_ID_BYTES]) {
    const struct token *one = tokens_get(&api->auth->tokens, auth_pass(api->auth, x));
    memset(ret, 0, TOKEN_ID_BYTES);
    if (one) memcpy(ret, one->id, TOKEN_ID_BYTES);
}

static void write_sub(struct jwrite *w, const struct push_sub *sub, const char *login) {
    jwrite_object(w);
    jwrite_kcstr(w, "id", sub->id);
    jwrite_kcstr(w, "device", sub->device[0] ? sub->device : NULL);
    jwrite_ki64(w, "createdAt", sub->created_ms);
    if (sub->sent_ms)
        jwrite_ki64(w, "lastSentAt", sub->sent_ms);
    else
        jwrite_knull(w, "lastSentAt");
    jwrite_kcstr(w, "failure", sub->failure[0] ? sub->failure : NULL);
    jwrite_kcstr(w, "login", sub->login[0] ? sub->login : NULL);
    jwrite_kbool(w, "current", strcmp(sub->login, login) == 0);
    jwrite_object_end(w);
}

void api_get_push(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    struct push *p = api->push;
    char login[TOKEN_ID_BYTES];
    login_of(api, x, login);
    p->prepare(p->user);
    AUTO(buf) struct buf body = BUF_INIT(API_BODY_MAX);
    struct jwrite w = JWRITE_INIT(&body);
    jwrite_object(&w);
    jwrite_kcstr(&w, "publicKey", p->ready ? p->public_key : NULL);
    jwrite_kcstr(&w, "problem", p->problem[0] ? p->problem : NULL);
    jwrite_key(&w, "subscriptions");
    jwrite_array(&w);
    list_for_each(node, &p->list.subs)
        write_sub(&w, list_entry(node, struct push_sub, link), login);
    jwrite_array_end(&w);
    jwrite_object_end(&w);
    api_reply_json(x, 200, &body);
}

static bool keep(struct http_exchange *x, struct push *p) {
    int r = p->changed(p->user);
    if (r < 0) http_reply_error(x, 503, "this cannot be kept on the disk now: %s", strerror(-r));
    return r == 0;
}

static void reply_id(struct http_exchange *x, const char *id) {
    AUTO(buf) struct buf body = BUF_INIT(256);
    struct jwrite w = JWRITE_INIT(&body);
    jwrite_object(&w);
    jwrite_kbool(&w, "ok", true);
    jwrite_kcstr(&w, "id", id);
    jwrite_object_end(&w);
    api_reply_json(x, 200, &body);
}

void api_post_push_subscription(void *user, struct http_exchange *x,
                                const struct route_params *params UNUSED) {
    const struct api *api = user;
    struct push *p = api->push;
    struct push_sub sub;
    struct err err = {0};
    char id[SECRET_BYTES];
    if (!is_ready(x, p)) return;
    if (push_sub_parse(http_request(x)->body, p->allowed, p->allowed_count, &sub, &err) < 0) {
        http_reply_error(x, 400, "%s", err.msg);
        return;
    }
    if (secret_draw(id) < 0) {
        push_sub_fini(&sub);
        http_reply_error(x, 500, "The system has no randomness for an id");
        return;
    }
    memcpy(sub.id, id, TOKEN_ID_BYTES - 1);
    login_of(api, x, sub.login);
    user_agent_short(http_header(x, SPAN("user-agent")), sub.device);
    sub.created_ms = usec_to_msec(clock_wall(api->clock));
    const struct push_sub *kept = push_list_put(&p->list, &sub);
    if (keep(x, p)) reply_id(x, kept->id);
}

/* Its login's own, or anybody's for who may change something. */
void api_delete_push_subscription(void *user, struct http_exchange *x, const struct route_params *params) {
    const struct api *api = user;
    struct push *p = api->push;
    struct push_sub *sub = push_list_find(&p->list, params->value[0]);
    if (!sub) {
        http_reply_error(x, 404, "Subscription not found");
        return;
    }
    char login[TOKEN_ID_BYTES];
    login_of(api, x, login);
    if (auth_is_look_only(api->auth, auth_pass(api->auth, x)) && strcmp(login, sub->login) != 0) {
        http_reply_error(x, 403, "this login may only look");
        return;
    }
    push_list_remove(&p->list, sub);
    if (keep(x, p)) http_reply(x, 200, SPAN("application/json; charset=utf-8"), SPAN("{\"ok\":true}"));
}

void api_test_push(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    struct push *p = api->push;
    char login[TOKEN_ID_BYTES];
    size_t sent = 0;
    if (!is_ready(x, p)) return;
    login_of(api, x, login);
    list_for_each_safe(node, &p->list.subs) {
        struct push_sub *sub = list_entry(node, struct push_sub, link);
        if (strcmp(sub->login, login) != 0) continue;
        p->test(p->user, sub);
        sent++;
    }
    if (sent)
        http_reply(x, 200, SPAN("application/json; charset=utf-8"), SPAN("{\"ok\":true}"));
    else
        http_reply_error(x, 409, "this browser has no subscription: turn notifications on first");
}

/* ---- answers from notifications ------------------------------------------------------------------------------------ */

static bool read_ticket(const struct api *api, struct http_exchange *x, struct span json,
                        struct push_ticket *ret) {
    const struct push *p = api->push;
    struct span text;
    int r = -EINVAL;
    if (jscan_kind(json) == JKIND_STRING && jscan_string(json, http_request(x)->arena, &text) == 0)
        r = push_ticket_read(text, p->ticket_key, usec_to_msec(clock_wall(api->clock)), ret);
    /* A browser that was taken off the list, or whose login was, answers nothing any more. */
    if (r == 0 && p->ready && push_list_find(&p->list, span_str(ret->sub))) return true;
    http_reply_error(x, r == -ETIME ? 410 : 403,
                     r == -ETIME ? "This notification is too old: open the board"
                                 : "This notification may not answer: open the board");
    return false;
}

/* The decision, if the ticket is good for it. */
static const char *read_decision(struct http_exchange *x, struct span json, unsigned allowed) {
    static const struct {
        const char *name;
        enum push_decision bit;
    } known[] = {{"allow", PUSH_ALLOW}, {"deny", PUSH_DENY}};
    struct span name = jscan_text(json, http_request(x)->arena);
    for (size_t i = 0; i < ARRAY_LEN(known); i++) {
        if (!span_eq_str(name, known[i].name)) continue;
        if (allowed & known[i].bit) return known[i].name;
        http_reply_error(x, 403, "This notification did not show all that is asked: open the board");
        return NULL;
    }
    http_reply_error(x, 400, "decision must be allow or deny");
    return NULL;
}

static void on_answered(void *user, int status, struct span json) {
    http_reply(user, status, SPAN("application/json; charset=utf-8"), json);
}

/* The answer that the ticket stands for, as anybody else would give it. */
static void answer(const struct api *api, struct http_exchange *x, const struct push_ticket *ticket,
                   const char *decision, struct span message) {
    const struct push_sub *sub = push_list_find(&api->push->list, span_str(ticket->sub));
    AUTO(buf) struct buf body = BUF_INIT(APPROVALS_BODY_MAX);
    struct jwrite w = JWRITE_INIT(&body);
    char by[APPROVALS_BY_BYTES];
    jwrite_object(&w);
    jwrite_kcstr(&w, "decision", decision);
    jwrite_kcstr(&w, "digest", ticket->digest);
    if (message.n) jwrite_kstr(&w, "message", message);
    jwrite_object_end(&w);
    (void)snprintf(by, sizeof by, "%s, by notification", sub->device[0] ? sub->device : "a browser");
    approvals_answer(api, span_str(ticket->request), buf_span(&body), by, on_answered, x);
}

void api_answer_push(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    struct span body = span_trim(http_request(x)->body);
    struct jmember m[] = {JMEMBER("token"), JMEMBER("decision"), JMEMBER("message")};
    struct push_ticket ticket;
    if (jvalid(body, 8) < 0 || jscan_object(body, m, ARRAY_LEN(m)) < 0) {
        http_reply_error(x, 400, "the body must be a JSON object");
        return;
    }
    if (!read_ticket(api, x, m[0].value, &ticket)) return;
    const char *decision = read_decision(x, m[1].value, ticket.decisions);
    if (!decision) return;
    struct span message = jscan_text(m[2].value, http_request(x)->arena);
    if (message.n > MESSAGE_MAX)
        http_reply_error(x, 400, "message is too long for a notification");
    else
        answer(api, x, &ticket, decision, message);
}
