/* Patterns become what matches them: PCRE2 for expressions, and literals for the prefilter. */
#include "base/cleanup.h"
#include "base/mem.h"
#include "term/redact_int.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

static void add_pattern(struct redact_set *set, const struct redact_pattern *p,
                        const struct redact_literal *literals, size_t n) {
    set->v = xreallocarray(set->v, set->n + 1, sizeof *set->v);
    set->v[set->n] = *p;
    for (size_t i = 0; i < n; i++)
        redact_prefilter_add(&set->prefilter, &literals[i], (uint16_t)set->n);
    set->n++;
}

static int compile(struct redact_set *set, struct span line, unsigned number, struct err *err) {
    struct redact_literal literals[REDACT_LITERALS_MAX];
    size_t n = redact_literals(line, literals);
    struct redact_pattern p = {.searched = n == 0};
    uint32_t options =
        PCRE2_MULTILINE | PCRE2_DUPNAMES | PCRE2_NEVER_UTF | PCRE2_NEVER_UCP | (n ? PCRE2_ANCHORED : 0);
    int code;
    PCRE2_SIZE at;
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    if (!context) return err_sys(err, -ENOMEM, "The patterns cannot be compiled");
    (void)pcre2_set_newline(context, PCRE2_NEWLINE_ANYCRLF);
    p.code = pcre2_compile((PCRE2_SPTR)line.p, line.n, options, &code, &at, context);
    pcre2_compile_context_free(context);
    if (!p.code) {
        char why[128];
        (void)pcre2_get_error_message(code, (PCRE2_UCHAR *)why, sizeof why);
        return err_set(err, -EINVAL, "Line %u of the patterns is wrong at character %zu: %s.", number, at + 1,
                       why);
    }
    if (n) p.gate = redact_gate_new(line);
    add_pattern(set, &p, literals, n);
    set->searched |= n == 0;
    return 0;
}

/* Tokens are tried where their prefix stands, and a byte more where that makes it three. */
static void add_token(struct redact_set *set, const struct redact_token *token) {
    static const char hex[] = "0123456789abcdefABCDEF";
    struct redact_literal literals[sizeof hex] = {{.exact = true}};
    size_t n = 1;
    literals[0].n = (uint8_t)MIN(token->prefix_bytes, REDACT_LITERAL_BYTES);
    literals[0].apart = !token->inside && isalnum((unsigned char)token->prefix[0]);
    memcpy(literals[0].text, token->prefix, literals[0].n);
    for (; literals[0].n == 2 && token->alphabet == TOKEN_HEX && hex[n]; n++) {
        literals[n] = literals[0];
        literals[n].text[literals[n].n++] = hex[n];
    }
    if (n > 1) literals[0].text[literals[0].n++] = hex[0];
    add_pattern(set, &(struct redact_pattern){.token = token}, literals, n);
}

static void learn_groups(struct redact_pattern *p, const char *name, enum redact_doubt doubt) {
    PCRE2_SPTR first, last;
    int size = pcre2_substring_nametable_scan(p->code, (PCRE2_SPTR)name, &first, &last);
    for (PCRE2_SPTR entry = first; size > 0 && entry <= last && p->n_groups < REDACT_GROUPS_MAX;
         entry += size)
        p->groups[p->n_groups++] = (struct redact_group){(uint32_t)entry[0] << 8 | entry[1], doubt};
}

/* What PCRE2 knows about a pattern that compiled. */
static int learn(struct redact_set *set, struct redact_pattern *p, unsigned number, struct err *err) {
    uint32_t past = 0, groups = 0;
    (void)pcre2_pattern_info(p->code, PCRE2_INFO_MAXLOOKBEHIND, &past);
    (void)pcre2_pattern_info(p->code, PCRE2_INFO_CAPTURECOUNT, &groups);
    if (past > REDACT_PAST_BYTES)
        return err_set(err, -EINVAL, "Line %u of the patterns looks back further than %d characters.", number,
                       REDACT_PAST_BYTES);
    set->past = MAX(set->past, (size_t)MAX(past, 1));
    set->ovector = MAX(set->ovector, groups + 1);
    /* Where it cannot, it is interpreted. */
    p->jit = pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE | PCRE2_JIT_PARTIAL_HARD) == 0;

    static const char *const names[] = {[DOUBT_NONE] = "secret",
                                        [DOUBT_PASSWORD] = "password",
                                        [DOUBT_BARE] = "bare",
                                        [DOUBT_RANDOM] = "random"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        learn_groups(p, names[i], (enum redact_doubt)i);
    return 0;
}

static int add_line(struct redact_set *set, struct span line, unsigned number, struct err *err) {
    line = span_trim(line);
    if (!line.n || line.p[0] == '#') return 0;
    if (line.n > REDACT_PATTERN_BYTES_MAX)
        return err_set(err, -EINVAL, "Line %u of the patterns is longer than %d bytes.", number,
                       REDACT_PATTERN_BYTES_MAX);
    if (set->n - set->tokens == REDACT_PATTERNS_MAX)
        return err_set(err, -EINVAL, "There are more than %d patterns.", REDACT_PATTERNS_MAX);
    int r = compile(set, line, number, err);
    return r < 0 ? r : learn(set, &set->v[set->n - 1], number, err);
}

int redact_compile(struct span patterns, struct redact_set **ret, struct err *err) {
    struct redact_set *set = xcalloc(1, sizeof *set);
    set->ovector = 1;
    set->past = 2;
    redact_prefilter_init(&set->prefilter);
    for (size_t i = 0; !patterns.p && i < REDACT_TOKENS_N; i++)
        add_token(set, &REDACT_TOKENS[i]);
    set->tokens = set->n;
    if (!patterns.p) patterns = span_str(REDACT_DEFAULTS);
    set->context = pcre2_match_context_create(NULL);
    if (set->context) (void)pcre2_set_match_limit(set->context, REDACT_STEPS_MAX);
    int r = set->context ? 0 : err_sys(err, -ENOMEM, "The patterns cannot be compiled");
    for (unsigned number = 1; r == 0 && patterns.n; number++)
        r = add_line(set, span_split(&patterns, '\n'), number, err);
    if (r < 0) {
        redact_set_free(set);
        return r;
    }
    redact_prefilter_finish(&set->prefilter);
    *ret = set;
    return 0;
}

void redact_set_free(struct redact_set *set) {
    if (!set) return;
    for (size_t i = 0; i < set->n; i++) {
        pcre2_code_free(set->v[i].code);
        redact_gate_free(set->v[i].gate);
    }
    free(set->v);
    redact_prefilter_fini(&set->prefilter);
    pcre2_match_context_free(set->context);
    free(set);
}
