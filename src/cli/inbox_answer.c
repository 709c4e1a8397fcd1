#include "cli/inbox_answer.h"

#include "base/cleanup.h"
#include "base/jscan.h"
#include "cli/client.h"

#include <errno.h>
#include <stdio.h>

enum { PATH_BYTES_MAX = 4096, STATE_BYTES = 16 };

static void put_text(struct jwrite *w, const char *name, struct span text) {
    if (text.n) jwrite_kstr(w, name, text);
}

static void put_raw(struct jwrite *w, const char *name, struct span json) {
    if (!json.n) return;
    jwrite_key(w, name);
    jwrite_raw(w, json);
}

void inbox_answer_write(struct jwrite *w, const struct inbox_request *r, const struct inbox_wish *wish) {
    jwrite_kcstr(w, "decision", wish->decision);
    jwrite_kstr(w, "digest", r->digest);
    put_text(w, "message", wish->message);
    put_raw(w, "answers", wish->answers);
    put_raw(w, "input", wish->input);
    put_text(w, "mode", wish->mode);
    put_text(w, "where", wish->where);
    if (wish->rule_count) {
        jwrite_key(w, "rule");
        jwrite_array(w);
        for (size_t i = 0; i < wish->rule_count; i++)
            jwrite_str(w, wish->rules[i]);
        jwrite_array_end(w);
    }
    if (wish->stop) jwrite_kbool(w, "stop", true);
}

void inbox_wish_suggested(struct inbox_wish *wish, const struct inbox_request *r) {
    struct span rest = r->rules;
    struct inbox_rule rule;
    wish->rule_count = 0;
    while (inbox_rule_next(r, &rest, &rule) && wish->rule_count < REPLY_RULES_MAX) {
        if (wish->rule_count &&
            !span_eq(rule.where, wish->where)) { /* then the daemon knows which goes where */
            wish->rule_count = 0;
            wish->where = SPAN_NONE;
            return;
        }
        wish->rules[wish->rule_count++] = rule.rule;
        wish->where = rule.where;
    }
}

int inbox_load(const struct daemon_info *daemon, struct inbox_list *ret, struct err *err) {
    AUTO(buf) struct buf body = BUF_INIT(CLIENT_BODY_MAX);
    int r = client_call(daemon, "GET", "/api/approvals", SPAN_NONE, &body, NULL, err);
    if (r < 0) return r;
    if (!inbox_list_read(ret, buf_span(&body)))
        return err_set(err, -EPROTO, "the daemon's answer is not understood: is it another version?");
    return 0;
}

int inbox_post(const struct daemon_info *daemon, const struct inbox_request *r, const struct inbox_wish *wish,
               char ret_state[STATE_BYTES], int *ret_status, struct err *err) {
    AUTO(buf)
    struct buf path = BUF_INIT(PATH_BYTES_MAX), json = BUF_INIT(INBOX_ANSWER_BYTES_MAX),
               body = BUF_INIT(CLIENT_BODY_MAX);
    AUTO(arena) struct arena arena = ARENA_INIT(PATH_BYTES_MAX);
    struct jwrite w = JWRITE_INIT(&json);
    struct jmember state = JMEMBER("state");
    (void)buf_printf(&path, "/api/approvals/");
    client_path_append(&path, r->id);
    jwrite_object(&w);
    inbox_answer_write(&w, r, wish);
    jwrite_object_end(&w);
    ret_state[0] = '\0';
    *ret_status = 0;
    if (path.failed || json.failed) return err_set(err, -EMSGSIZE, "the answer is too large");
    int result = client_call(daemon, "POST", path.p, buf_span(&json), &body, ret_status, err);
    (void)jscan_object(span_trim(buf_span(&body)), &state, 1);
    (void)snprintf(ret_state, STATE_BYTES, "%.*s", SPAN_ARG(jscan_text(state.value, &arena)));
    return result;
}
