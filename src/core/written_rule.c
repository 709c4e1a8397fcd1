#include "core/written_rule.h"

#include "base/jscan.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/conversation.h"
#include "core/reply.h"

#include <stdlib.h>

static void rule_free(struct written_rule *rule) {
    list_remove(&rule->in_state);
    free(rule->rule);
    free(rule->where);
    free(rule->project);
    free(rule->by);
    free(rule);
}

void written_rule_trim(struct state *st, size_t keep) {
    for (struct list *at = st->written_rules.prev, *before; st->written_rule_count > keep; at = before) {
        before = at->prev;
        rule_free(list_entry(at, struct written_rule, in_state));
        st->written_rule_count--;
    }
}

void written_rule_restore(struct state *st, struct written_rule *rule) {
    list_insert_before(st->written_rules.next, &rule->in_state);
    st->written_rule_count++;
}

struct written_rule *written_rule_find(const struct state *st, struct span id) {
    list_for_each(pos, &st->written_rules) {
        struct written_rule *rule = list_entry(pos, struct written_rule, in_state);
        if (span_eq_str(id, rule->id)) return rule;
    }
    return NULL;
}

void written_rule_add(struct turn *t, struct span rule, struct span where, struct span by, unsigned nth) {
    struct written_rule *w = xcalloc(1, sizeof *w);
    id_from_position(w->id, 'u', t->pos * REPLY_RULES_MAX + nth);
    memcpy(w->session, t->session->id, sizeof w->session);
    w->cli = t->conv->cli;
    w->rule = str_dup(rule);
    w->where = str_dup(where);
    (void)str_set(&w->project, span_str(t->session->project_path));
    (void)str_set(&w->by, by);
    w->written_ms = t->at_ms;
    written_rule_restore(t->state, w);
    effects_add(t->fx, (struct effect){.kind = EFFECT_RULE, .session = t->session, .rule = w});
    conversation_log(t, HISTORY_EVENT, SPAN("RuleWritten"),
                     arena_printf(t->arena, "%.*s (%.*s)", SPAN_ARG(rule), SPAN_ARG(where)));
}

void written_rule_add_all(struct turn *t, struct span json, struct span by) {
    struct span rest = json, item;
    for (unsigned nth = 0; rest.n && nth < REPLY_RULES_MAX && jscan_array_next(&rest, &item) == 1; nth++) {
        struct jmember m[] = {JMEMBER("rule"), JMEMBER("where")};
        if (jscan_object(item, m, ARRAY_LEN(m)) != 2) continue;
        struct span where = jscan_text(m[1].value, t->arena);
        if (!span_eq(where, SPAN("session")))
            written_rule_add(t, jscan_text(m[0].value, t->arena), where, by, nth);
    }
}

void written_rule_noted(struct turn *t, const struct command *cmd) {
    if (cmd->value.n && cmd->label.n) written_rule_add(t, cmd->value, cmd->label, cmd->by, 0);
}

void written_rule_undone(struct state *st, const struct command *cmd, int64_t at_ms, struct effects *fx) {
    struct written_rule *rule = written_rule_find(st, cmd->request);
    if (!rule || rule->undone_ms) return;
    rule->undone_ms = at_ms;
    effects_add(fx, (struct effect){.kind = EFFECT_RULE, .rule = rule});
}
