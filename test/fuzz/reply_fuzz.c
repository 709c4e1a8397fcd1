/*
 * Any request and any wish: what a hook would print is one JSON text that its CLI understands, or nothing. The first byte says which CLI
 * and what is wished for; lines follow: the tool, its input, suggestions, answers, an edited input, a message, a mode, rules.
 */
#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/str.h"
#include "core/reply.h"

#include <stdlib.h>

enum { ARENA_BYTES = 1 << 20, DEPTH = 300 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok) {
    if (!ok) abort();
}

/* JSON is checked before it comes so far. */
static struct span object(struct span *rest, enum jkind kind) {
    struct span line = span_trim(span_split(rest, '\n'));
    return jvalid(line, DEPTH) == 0 && jscan_kind(line) == kind ? line : SPAN_NONE;
}

static char *text(struct span s) {
    return s.n ? str_dup(s) : NULL;
}

/* Codex refuses a decision with anything else in it, and then shows its dialog. */
static void check_codex(struct span reply) {
    struct jmember output = JMEMBER("hookSpecificOutput"), decision = JMEMBER("decision");
    struct span rest, key, value;
    require(jscan_object(reply, &output, 1) == 1 && jscan_object(output.value, &decision, 1) == 1);
    rest = decision.value;
    while (jscan_member_next(&rest, &key, &value) == 1)
        require(span_eq(key, SPAN("\"behavior\"")) || span_eq(key, SPAN("\"message\"")));
}

static void answer(enum cli cli, const struct request *r, struct reply_wish *wish, struct arena *arena) {
    AUTO(buf) struct buf out = BUF_INIT(REPLY_BYTES_MAX);
    struct err err = {0};
    if (wish->decision == DECISION_ALWAYS && !wish->rule_count)
        wish->rule_count = reply_rules(cli, r, arena, wish->rules);
    int failed = reply_write(&out, cli, r, wish, arena, &err);
    if (failed < 0) {
        require(err.code == failed && err.msg[0]);
        return;
    }
    require(out.n && jvalid(buf_span(&out), DEPTH + 8) == 0 && !memchr(out.p, '\n', out.n));
    bool plain = !wish->answers.n && !wish->input.n && !wish->mode.n && !wish->rule_count && !wish->stop;
    if (cli == CLI_CODEX && plain && r->kind == ATTENTION_APPROVAL) check_codex(buf_span(&out));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const enum cli clis[] = {CLI_CLAUDE, CLI_CODEX, CLI_OPENCODE};
    static const enum attention_kind kinds[] = {ATTENTION_APPROVAL, ATTENTION_QUESTION, ATTENTION_PLAN};
    if (size < 1) return 0;
    AUTO(arena) struct arena arena = ARENA_INIT(ARENA_BYTES);
    struct span rest = span_of((const char *)data + 1, size - 1);
    enum cli cli = clis[data[0] % 3];
    struct request r = {.certain = true, .kind = kinds[data[0] / 3 % 3]};
    struct reply_wish wish = {.decision = DECISION_ALLOW + data[0] / 9 % 3, .stop = data[0] / 27 % 2};
    r.tool = text(span_split(&rest, '\n'));
    r.input = text(object(&rest, JKIND_OBJECT));
    r.suggestions = text(object(&rest, JKIND_ARRAY));
    wish.answers = object(&rest, JKIND_OBJECT);
    wish.input = object(&rest, JKIND_OBJECT);
    wish.message = span_split(&rest, '\n');
    wish.mode = span_split(&rest, '\n');
    while (rest.n && wish.rule_count < REPLY_RULES_MAX)
        wish.rules[wish.rule_count++] = (struct reply_rule){span_split(&rest, '\n'), SPAN("localSettings")};
    (void)reply_can(cli, &r);
    answer(cli, &r, &wish, &arena);
    free(r.tool);
    free(r.input);
    free(r.suggestions);
    return 0;
}
