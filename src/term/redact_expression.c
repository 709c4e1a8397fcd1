/* An expression at one place of a text, and what it says is secret there. */
#include "term/redact_int.h"

int redact_expression(struct redact_work *work, const struct redact_pattern *pattern, struct span text,
                      size_t from, bool final) {
    PCRE2_SPTR p = (PCRE2_SPTR)text.p;
    if (pattern->gate && !redact_gate_passes(pattern->gate, text, from)) return PCRE2_ERROR_NOMATCH;
    uint32_t options = final ? 0 : PCRE2_PARTIAL_HARD;
    int r = pattern->jit
                ? pcre2_jit_match(pattern->code, p, text.n, from, options, work->data, work->set->context)
                : pcre2_match(pattern->code, p, text.n, from, options, work->data, work->set->context);
    if (r == PCRE2_ERROR_JIT_STACKLIMIT)
        r = pcre2_match(pattern->code, p, text.n, from, options | PCRE2_NO_JIT, work->data,
                        work->set->context);
    if (r < 0 && r != PCRE2_ERROR_PARTIAL) work->refused += r != PCRE2_ERROR_NOMATCH;
    return r;
}

size_t redact_expression_secrets(const struct redact_work *work, const struct redact_pattern *pattern,
                                 int groups, struct span text, struct redact_run ret[REDACT_GROUPS_MAX]) {
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(work->data);
    bool named = false;
    size_t n = 0;
    for (unsigned i = 0; i < pattern->n_groups; i++) {
        uint32_t group = pattern->groups[i].number;
        if ((int)group >= groups || at[2 * group] == PCRE2_UNSET) continue;
        struct redact_run run = {at[2 * group], at[2 * group + 1]};
        named = true;
        if (redact_value_is_secret(pattern->groups[i].doubt, span_of(text.p + run.from, run.to - run.from)))
            ret[n++] = run;
    }
    if (!named) ret[n++] = (struct redact_run){at[0], at[1]};
    return n;
}
