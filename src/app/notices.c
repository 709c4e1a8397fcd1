#define LOG_TAG "notices"
#include "app/notices.h"

#include "api/approvals.h"
#include "api/auth.h"
#include "app/notice_text.h"
#include "base/cleanup.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "config/config.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    TOLD_MAX = 8192, /* more can only be left over from browsers that have gone */
    COMMAND_BYTES = 256 << 10,
    TICKET_MS = 60 * 60 * 1000,
    URL_BYTES = 256,
};

static int64_t now_ms(struct notices *n) {
    int64_t by_ms, now_ms = clock_step_now_ms(&n->step, n->clock, &by_ms);
    if (by_ms) notice_rule_clock_set(&n->rule, by_ms);
    return now_ms;
}

/* ---- browsers ------------------------------------------------------------------------------------------------------ */

static struct span told_key(char room[TOKEN_ID_BYTES + PUSH_TOPIC_BYTES], const struct push_sub *sub,
                            const char *topic) {
    int n = snprintf(room, TOKEN_ID_BYTES + PUSH_TOPIC_BYTES, "%s%s", sub->id, topic);
    return span_of(room, (size_t)n);
}

/* May who holds this subscription answer? */
static bool may_answer(const struct notices *n, const struct push_sub *sub) {
    const struct token *one =
        sub->login[0] ? tokens_by_id(&n->pushes->auth->tokens, span_str(sub->login)) : NULL;
    return sub->login[0] ? one && !one->terms.look_only : !auth_has_password(n->pushes->auth);
}

/* What may be answered from this notification, and the ticket for it. Nothing is allowed that was not seen whole. */
static void offer(struct notices *n, const struct push_sub *sub, struct notice_text *t,
                  struct push_ticket *one, struct buf *ticket) {
    if (!t->request) return;
    struct approval_way way = approvals_way(n->api, t->session->primary, t->request);
    char digest[APPROVAL_DIGEST_BYTES];
    approval_digest(t->request, digest);
    (void)snprintf(one->digest, sizeof one->digest, "%s", digest);
    t->digest = one->digest;
    bool is_tool = t->request->kind ==
                   ATTENTION_APPROVAL; /* questions and plans need more room than a notification has */
    t->decisions = (way.can & CAN_ALLOW && is_tool && notice_text_is_whole(t) ? PUSH_ALLOW : 0U) |
                   (way.can & CAN_DENY && is_tool ? PUSH_DENY : 0U);
    if (!t->decisions || !may_answer(n, sub)) return;
    one->until_ms = now_ms(n) + TICKET_MS;
    one->decisions = t->decisions;
    memcpy(one->sub, sub->id, sizeof one->sub);
    memcpy(one->request, t->request->id, sizeof one->request);
    push_ticket_write(one, n->pushes->push.ticket_key, ticket);
    t->ticket = buf_span(ticket);
}

static void push_one(struct notices *n, const struct push_sub *sub, const struct notice_text *what) {
    AUTO(buf) struct buf json = BUF_INIT(PUSH_SEAL_PLAIN_MAX);
    AUTO(buf) struct buf ticket = BUF_INIT(PUSH_TICKET_TEXT_MAX);
    struct push_ticket one = {0};
    struct notice_text t = *what;
    offer(n, sub, &t, &one, &ticket);
    notice_text_push(&t, &json);
    if (json.failed || ticket.failed) return; /* a title that is far too long */
    struct push_message m = {.ttl_s = t.request ? NOTICE_REQUEST_TTL_S : NOTICE_TTL_S,
                             .urgent = t.request,
                             .json = buf_span(&json)};
    notice_text_topic(t.item, m.topic);
    char room[TOKEN_ID_BYTES + PUSH_TOPIC_BYTES];
    if (n->told.count < TOLD_MAX) (void)map_put(&n->told, told_key(room, sub, m.topic), n);
    pushes_send(n->pushes, sub, &m);
}

static void push_over(struct notices *n, const struct notice_item *item) {
    AUTO(buf) struct buf json = BUF_INIT(PUSH_SEAL_PLAIN_MAX);
    struct push_message m = {.ttl_s = NOTICE_REQUEST_TTL_S};
    notice_text_over(item, &json);
    notice_text_topic(item, m.topic);
    m.json = buf_span(&json);
    list_for_each_safe(node, &n->pushes->push.list.subs) {
        const struct push_sub *sub = list_entry(node, struct push_sub, link);
        char room[TOKEN_ID_BYTES + PUSH_TOPIC_BYTES];
        bool told = map_remove(&n->told, told_key(room, sub, m.topic));
        bool perhaps = item->before && (sub->kinds & 1U << item->kind) && sub->created_ms < item->since_ms;
        if (told || perhaps) pushes_send(n->pushes, sub, &m);
    }
}

/* ---- the user's own command ---------------------------------------------------------------------------------------- */

static void run_command(struct notices *n, const struct notice_text *t) {
    if (!n->command.argv) return;
    AUTO(buf) struct buf json = BUF_INIT(COMMAND_BYTES);
    AUTO(strv) char **environment = NULL;
    char url[URL_BYTES];
    (void)snprintf(url, sizeof url, "%.200s/session/%s", n->url, t->session->id);
    notice_text_command(t, url, &json);
    strv_set_env(&environment, "OSTLER_KIND", attention_kind_to_str(t->item->kind));
    strv_set_env(&environment, "OSTLER_TITLE", str_or_empty(t->session->title));
    strv_set_env(&environment, "OSTLER_PROJECT", str_or_empty(t->session->project_name));
    strv_set_env(&environment, "OSTLER_TEXT",
                 str_or_empty(t->request ? t->request->text : t->session->primary->conversation.notice.text));
    strv_set_env(&environment, "OSTLER_SESSION", t->session->id);
    strv_set_env(&environment, "OSTLER_REQUEST", t->request ? t->request->id : "");
    strv_set_env(&environment, "OSTLER_URL", url);
    if (!json.failed) notify_command_run(&n->command, buf_span(&json), (const char *const *)environment);
}

/* ---- when ---------------------------------------------------------------------------------------------------------- */

static const struct request *find_request(const struct session *s, const char *id) {
    const struct conversation *c = &s->primary->conversation;
    for (size_t i = 0; i < c->request_count && id[0]; i++)
        if (strcmp(c->requests[i].id, id) == 0) return &c->requests[i];
    return NULL;
}

static void tell(struct notices *n, const struct notice_item *item) {
    const struct worker *w = state_find(n->state, span_str(item->session));
    if (!w) return;
    if (w->session->muted) {
        notice_rule_hush(&n->rule, item);
        return;
    }
    struct notice_text t = {
        .item = item, .session = w->session, .request = find_request(w->session, item->request)};
    int64_t now = now_ms(n);
    run_command(n, &t);
    list_for_each_safe(node, &n->pushes->push.list.subs) {
        const struct push_sub *sub = list_entry(node, struct push_sub, link);
        if (push_sub_wants(sub, item->kind, now)) push_one(n, sub, &t);
    }
}

static void on_timer(uv_timer_t *timer);

static void go_on(struct notices *n) {
    struct notice_item item;
    for (enum notice_news news; (news = notice_rule_next(&n->rule, now_ms(n), &item)) != NOTICE_NOTHING;) {
        if (news == NOTICE_OVER)
            push_over(n, &item);
        else
            tell(n, &item);
    }
    int64_t now = now_ms(n), due = notice_rule_due(&n->rule);
    if (due == INT64_MAX)
        (void)uv_timer_stop(&n->timer);
    else
        (void)uv_timer_start(&n->timer, on_timer, (uint64_t)MAX(due - now, (int64_t)1), 0);
}

static void on_timer(uv_timer_t *timer) {
    go_on(timer->data);
}

/* The rest is done when the loop turns next, so that what an event does and undoes in one go is nobody's business. */
void notices_session(struct notices *n, const struct session *s) {
    int64_t now = now_ms(n);
    notice_rule_look(&n->rule, s, now);
    int64_t due = notice_rule_due(&n->rule);
    if (due != INT64_MAX) (void)uv_timer_start(&n->timer, on_timer, (uint64_t)MAX(due - now, (int64_t)0), 0);
}

void notices_removed(struct notices *n, const struct session *s) {
    notice_rule_removed(&n->rule, s);
    if (notice_rule_due(&n->rule) == 0) (void)uv_timer_start(&n->timer, on_timer, 0, 0);
}

/* ---- life ---------------------------------------------------------------------------------------------------------- */

void notices_open(struct notices *n, uv_loop_t *loop, const struct clock *clock, struct pushes *pushes,
                  const struct api *api, const struct state *state, const char *url) {
    *n = (struct notices){
        .clock = clock, .pushes = pushes, .api = api, .state = state, .url = url, .told = MAP_INIT};
    notice_rule_init(&n->rule, NOTICE_DELAY_MS);
    notify_command_open(&n->command, loop);
    (void)uv_timer_init(loop, &n->timer);
    n->timer.data = n;
}

void notices_start(struct notices *n, const struct config *config) {
    n->rule.delay_ms = config->notify_delay_ms;
    notify_command_set(&n->command, (const char *const *)config->notify_command);
    list_for_each(node, &n->state->sessions)
        notice_rule_know(&n->rule, list_entry(node, struct session, in_state), now_ms(n));
    if (notice_rule_due(&n->rule) != INT64_MAX) (void)uv_timer_start(&n->timer, on_timer, 0, 0);
}

void notices_close(struct notices *n) {
    notify_command_close(&n->command);
    uv_close((uv_handle_t *)&n->timer, NULL);
}

void notices_free(struct notices *n) {
    if (!n->clock) return;
    notice_rule_fini(&n->rule);
    notify_command_free(&n->command);
    map_fini(&n->told);
}
