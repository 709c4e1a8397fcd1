#include "core/reply.h"

#include "base/jscan.h"
#include "base/jwrite.h"
#include "core/reply_rule.h"
#include "core/tool.h"

#include <errno.h>

#define CAN_NAME_X(c, s) s,
static const char *const can_names[] = {CAN_MAP(CAN_NAME_X)};

const char *can_to_str(enum can_index i) {
    return can_names[i];
}

/* It takes an answer to a question or a plan only together with the whole input. */
static unsigned claude_can(const struct request *r) {
    bool question = r->kind == ATTENTION_QUESTION, plan = r->kind == ATTENTION_PLAN;
    unsigned no = CAN_DENY | CAN_MESSAGE | CAN_STOP;
    if ((question || plan) && !r->input) return no;
    if (question) return no | CAN_ANSWERS;
    if (plan) return no | CAN_ALLOW | CAN_MODE;
    return no | CAN_ALLOW | CAN_ALWAYS | CAN_RULE | (r->input ? CAN_INPUT : 0U);
}

unsigned reply_can(enum cli cli, const struct request *r) {
    if (!r->certain || !r->tool) return 0;
    if (cli == CLI_CLAUDE) return claude_can(r);
    if (cli == CLI_CODEX) return r->kind == ATTENTION_APPROVAL ? CAN_ALLOW | CAN_DENY | CAN_MESSAGE : 0;
    if (cli != CLI_OPENCODE) return 0;
    if (r->kind == ATTENTION_QUESTION) return (r->input ? CAN_ANSWERS : 0U) | CAN_DENY;
    return CAN_ALLOW | CAN_DENY | CAN_ALWAYS;
}

size_t reply_modes(enum cli cli, const struct request *r, const char *ret[REPLY_MODES_MAX]) {
    if (cli != CLI_CLAUDE || r->kind != ATTENTION_PLAN) return 0;
    ret[0] = "default";
    ret[1] = "acceptEdits";
    ret[2] = "auto";
    return 3;
}

static bool is_mode(enum cli cli, const struct request *r, struct span mode) {
    const char *modes[REPLY_MODES_MAX];
    size_t n = reply_modes(cli, r, modes);
    for (size_t i = 0; i < n; i++)
        if (span_eq_str(mode, modes[i])) return true;
    return false;
}

/* Claude Code, and Codex, which takes a part of the same */

static void put_rules(struct jwrite *w, const struct reply_wish *wish) {
    for (size_t i = 0; i < wish->rule_count; i++)
        reply_rule_write(w, &wish->rules[i]);
}

static void put_mode(struct jwrite *w, struct span mode) {
    jwrite_object(w);
    jwrite_kcstr(w, "type", "setMode");
    jwrite_kstr(w, "mode", mode);
    jwrite_kcstr(w, "destination", "session");
    jwrite_object_end(w);
}

/* The label or labels that were chosen, as one text; empty when the value is neither. */
static struct span chosen(struct span value, struct arena *arena) {
    struct span rest = value, item, all = SPAN_NONE;
    if (jscan_kind(value) == JKIND_STRING) return jscan_text(value, arena);
    if (jscan_kind(value) != JKIND_ARRAY) return SPAN_NONE;
    while (jscan_array_next(&rest, &item) == 1) {
        struct span label = jscan_text(item, arena);
        if (!label.n) return SPAN_NONE;
        all = all.n ? arena_printf(arena, "%.*s, %.*s", SPAN_ARG(all), SPAN_ARG(label)) : label;
    }
    return all;
}

/* The answer to the question with this text, raw; empty when there is none. */
static struct span answer_to(struct span answers, struct span question, struct arena *arena) {
    struct span rest = answers, key, value;
    while (jscan_member_next(&rest, &key, &value) == 1)
        if (span_eq(jscan_text(key, arena), question)) return value;
    return SPAN_NONE;
}

static struct span questions_of(const struct request *r) {
    struct jmember m = JMEMBER("questions");
    bool there = jscan_object(span_str(r->input), &m, 1) == 1 && jscan_kind(m.value) == JKIND_ARRAY;
    return there ? m.value : SPAN_NONE;
}

static struct span question_text(struct span question, struct arena *arena) {
    struct jmember m = JMEMBER("question");
    return jscan_object(question, &m, 1) == 1 ? jscan_text(m.value, arena) : SPAN_NONE;
}

/* Every question must have its answer, and every answer its question. */
static int check_answers(const struct request *r, struct span answers, struct arena *arena, struct err *err) {
    struct span rest = questions_of(r), question, key, value;
    size_t asked = 0, given = 0;
    while (rest.n && jscan_array_next(&rest, &question) == 1) {
        struct span text = question_text(question, arena);
        if (!chosen(answer_to(answers, text, arena), arena).n)
            return err_set(err, -EINVAL, "there is no answer to: %.*s", SPAN_ARG(span_take(text, 200)));
        asked++;
    }
    rest = answers;
    while (jscan_member_next(&rest, &key, &value) == 1)
        given++;
    if (!asked || asked != given)
        return err_set(err, -EINVAL, "answers must have each question's text once, and nothing else");
    return 0;
}

/* The input as it was, with one member put in or replaced. */
static void put_input_with(struct jwrite *w, struct span input, const char *name,
                           void (*put)(struct jwrite *, const struct reply_wish *, struct arena *),
                           const struct reply_wish *wish, struct arena *arena) {
    struct span rest = input, key, value;
    jwrite_object(w);
    while (jscan_member_next(&rest, &key, &value) == 1) {
        struct span text = jscan_text(key, arena);
        if (span_eq_str(text, name)) continue;
        jwrite_key_span(w, text);
        jwrite_raw(w, value);
    }
    jwrite_key(w, name);
    put(w, wish, arena);
    jwrite_object_end(w);
}

static void put_answers(struct jwrite *w, const struct reply_wish *wish, struct arena *arena) {
    struct span rest = wish->answers, key, value;
    jwrite_object(w);
    while (jscan_member_next(&rest, &key, &value) == 1) {
        jwrite_key_span(w, jscan_text(key, arena));
        jwrite_str(w, chosen(value, arena));
    }
    jwrite_object_end(w);
}

static void put_updated_input(struct jwrite *w, const struct request *r, const struct reply_wish *wish,
                              struct arena *arena) {
    bool echoes = r->kind == ATTENTION_PLAN; /* it ignores an approval of a plan without one */
    if (!wish->answers.n && !wish->input.n && !echoes) return;
    jwrite_key(w, "updatedInput");
    if (wish->answers.n)
        put_input_with(w, span_str(r->input), "answers", put_answers, wish, arena);
    else
        jwrite_raw(w, wish->input.n ? wish->input : span_str(r->input));
}

static void put_claude(struct jwrite *w, const struct request *r, const struct reply_wish *wish,
                       struct arena *arena) {
    bool denies = wish->decision == DECISION_DENY;
    jwrite_object(w);
    jwrite_key(w, "hookSpecificOutput");
    jwrite_object(w);
    jwrite_kcstr(w, "hookEventName", "PermissionRequest");
    jwrite_key(w, "decision");
    jwrite_object(w);
    jwrite_kcstr(w, "behavior", denies ? "deny" : "allow");
    if (denies) {
        jwrite_kstr(w, "message", wish->message.n ? wish->message : SPAN("The user said no."));
        if (wish->stop) jwrite_kbool(w, "interrupt", true);
    } else {
        put_updated_input(w, r, wish, arena);
        if (wish->rule_count || wish->mode.n) {
            jwrite_key(w, "updatedPermissions");
            jwrite_array(w);
            put_rules(w, wish);
            if (wish->mode.n) put_mode(w, wish->mode);
            jwrite_array_end(w);
        }
    }
    jwrite_object_end(w);
    jwrite_object_end(w);
    jwrite_object_end(w);
}

/* opencode, whose plugin reads it */

static void put_labels(struct jwrite *w, struct span value, struct arena *arena) {
    struct span rest = value, item;
    jwrite_array(w);
    if (jscan_kind(value) == JKIND_STRING) jwrite_str(w, jscan_text(value, arena));
    while (jscan_kind(value) == JKIND_ARRAY && jscan_array_next(&rest, &item) == 1)
        jwrite_str(w, jscan_text(item, arena));
    jwrite_array_end(w);
}

static void put_opencode(struct jwrite *w, const struct request *r, const struct reply_wish *wish,
                         struct arena *arena) {
    bool question = r->kind == ATTENTION_QUESTION;
    jwrite_object(w);
    if (question && wish->decision == DECISION_DENY) {
        jwrite_kbool(w, "reject", true);
    } else if (question) {
        struct span rest = questions_of(r), asked;
        jwrite_key(w, "answers");
        jwrite_array(w);
        while (rest.n && jscan_array_next(&rest, &asked) == 1)
            put_labels(w, answer_to(wish->answers, question_text(asked, arena), arena), arena);
        jwrite_array_end(w);
    } else {
        jwrite_kcstr(w, "reply",
                     wish->decision == DECISION_DENY     ? "reject"
                     : wish->decision == DECISION_ALWAYS ? "always"
                                                         : "once");
    }
    jwrite_object_end(w);
}

/* Checks */

static int check(enum cli cli, const struct request *r, const struct reply_wish *wish, struct arena *arena,
                 struct err *err) {
    bool question = r->kind == ATTENTION_QUESTION, denies = wish->decision == DECISION_DENY;
    if (denies && (wish->answers.n || wish->input.n || wish->mode.n || wish->rule_count))
        return err_set(err, -EINVAL, "a denial takes a message, and nothing else");
    if (wish->stop && !denies) return err_set(err, -EINVAL, "stop goes with a denial");
    if (wish->message.n && !denies) return err_set(err, -EINVAL, "a message goes with a denial");
    if (question && !denies && !wish->answers.n)
        return err_set(err, -EINVAL, "a question takes answers: {\"the question's text\": \"a label\"}");
    if (wish->answers.n && !question) return err_set(err, -EINVAL, "there is no question to be answered");
    if (wish->answers.n) return check_answers(r, wish->answers, arena, err);
    if (wish->mode.n && !is_mode(cli, r, wish->mode))
        return err_set(err, -EINVAL, "there is no mode \"%.*s\" to go on in",
                       SPAN_ARG(span_take(wish->mode, 64)));
    if ((wish->decision == DECISION_ALWAYS) != (wish->rule_count > 0) && cli == CLI_CLAUDE)
        return err_set(err, -EINVAL, "\"always\" takes a rule, and a rule goes with \"always\"");
    for (size_t i = 0; i < wish->rule_count; i++)
        if (!reply_rule_valid(&wish->rules[i]))
            return err_set(err, -EINVAL, "\"%.*s\" is no rule: write it as Tool or Tool(what)",
                           SPAN_ARG(span_take(wish->rules[i].rule, 200)));
    return 0;
}

int reply_write(struct buf *out, enum cli cli, const struct request *r, const struct reply_wish *wish,
                struct arena *arena, struct err *err) {
    int failed = check(cli, r, wish, arena, err);
    if (failed < 0) return failed;
    struct jwrite w = JWRITE_INIT(out);
    if (cli == CLI_OPENCODE)
        put_opencode(&w, r, wish, arena);
    else
        put_claude(&w, r, wish, arena);
    return out->failed ? err_set(err, -EMSGSIZE, "the answer is too large") : 0;
}
