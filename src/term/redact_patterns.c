/*
 * Patterns see bytes, without escape sequences. Those of ours begin with something fixed, so that the prefilter finds them, look
 * back so that they do not begin in the midst of a word, and have an end to everything that a terminal might print for long
 * without its being a secret.
 */
#include "base/cleanup.h"
#include "base/mem.h"
#include "term/redact_int.h"

#include <errno.h>
#include <stdlib.h>

const char REDACT_DEFAULTS[] =
    "# A word, '=' or ':', a value\n"
    "(?i)pass(?:word|wd|phrase)[\"']?\\h{0,8}[=:]\\h*(?<secret>\\S+)\n"
    "(?i)(?:api|access|secret|private|auth)[_-]?key[\"']?\\h{0,8}[=:]\\h*(?<secret>\\S+)\n"
    "(?i)secret[_-]?access[_-]?key[\"']?\\h{0,8}[=:]\\h*(?<secret>\\S+)\n"
    "(?i)token[\"']?\\h{0,8}[=:]\\h*(?<secret>\\S+)\n"
    "(?i)secret[\"']?\\h{0,8}[=:]\\h*(?<secret>\\S+)\n"
    "(?i)authorization[\"']?\\h{0,8}[=:]\\h*(?:(?:bearer|basic|token|digest)\\h+)?(?<secret>\\S+)\n"
    "(?i)bearer\\h+(?<secret>[A-Za-z0-9._~+/=-]{20,})\n"
    "# scheme://user:password@host\n"
    "://[^\\s/:@?#\"'<>]{0,256}:(?<secret>[^\\s/@\"'<>]{1,256})@\n"
    "# Amazon, Anthropic, OpenAI, Google, GitHub, GitLab, Slack, npm, Stripe\n"
    "(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])\n"
    "(?<![A-Za-z0-9_-])sk-ant-[A-Za-z0-9_-]{16,}\n"
    "(?<![A-Za-z0-9_-])sk-(?=[A-Za-z0-9_-]{0,64}[A-Z0-9])[A-Za-z0-9_-]{20,}\n"
    "(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35}\n"
    "(?<![A-Za-z0-9_])gh[pousr]_[A-Za-z0-9]{20,}\n"
    "(?<![A-Za-z0-9_])github_pat_[A-Za-z0-9_]{20,}\n"
    "(?<![A-Za-z0-9_-])glpat-[A-Za-z0-9_.-]{20,}\n"
    "(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,}\n"
    "(?<![A-Za-z0-9_])npm_[A-Za-z0-9]{30,}\n"
    "(?<![A-Za-z0-9_])[sr]k_(?:live|test)_[A-Za-z0-9]{16,}\n"
    "# JSON Web Tokens\n"
    "(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,1024}\\.[A-Za-z0-9_-]{4,4096}\\.[A-Za-z0-9_-]{4,}\n"
    "# Private keys, also with \\n for the line ends or with line numbers in front\n"
    "-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?<secret>(?:"
    "(?:\\s|\\\\[nr]|\\d{1,6}(?=[\\h:|]|\\xe2)|[|:>+]|\\xe2\\x94\\x82|\\xe2\\x86\\x92)*+"
    "(?:[A-Z][A-Za-z-]{0,32}: [^\\r\\n]*|[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/=]{1,15}(?=(?:\\s|\\\\[nr])*-----END)))+)\n";

static int compile(struct redact_set *set, struct span line, unsigned number, struct err *err) {
    struct redact_literal literals[REDACT_LITERALS_MAX];
    size_t n = redact_literals(line, literals);
    struct redact_pattern p = {.searched = n == 0};
    uint32_t options = PCRE2_MULTILINE | PCRE2_NEVER_UTF | PCRE2_NEVER_UCP | (n ? PCRE2_ANCHORED : 0);
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
    set->v = xreallocarray(set->v, set->n + 1, sizeof *set->v);
    set->v[set->n] = p;
    for (size_t i = 0; i < n; i++)
        redact_prefilter_add(&set->prefilter, &literals[i], (uint16_t)set->n);
    set->searched |= n == 0;
    set->n++;
    return 0;
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
    (void)pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE |
                                         PCRE2_JIT_PARTIAL_HARD); /* where it cannot, it is interpreted */

    PCRE2_SPTR first, last;
    int size = pcre2_substring_nametable_scan(p->code, (PCRE2_SPTR) "secret", &first, &last);
    for (PCRE2_SPTR entry = first; size > 0 && entry <= last && p->n_groups < REDACT_GROUPS_MAX;
         entry += size)
        p->groups[p->n_groups++] = (uint32_t)entry[0] << 8 | entry[1];
    return 0;
}

static int add_line(struct redact_set *set, struct span line, unsigned number, struct err *err) {
    line = span_trim(line);
    if (!line.n || line.p[0] == '#') return 0;
    if (line.n > REDACT_PATTERN_BYTES_MAX)
        return err_set(err, -EINVAL, "Line %u of the patterns is longer than %d bytes.", number,
                       REDACT_PATTERN_BYTES_MAX);
    if (set->n == REDACT_PATTERNS_MAX)
        return err_set(err, -EINVAL, "There are more than %d patterns.", REDACT_PATTERNS_MAX);
    int r = compile(set, line, number, err);
    return r < 0 ? r : learn(set, &set->v[set->n - 1], number, err);
}

int redact_compile(struct span patterns, struct redact_set **ret, struct err *err) {
    if (!patterns.p) patterns = span_str(REDACT_DEFAULTS);
    struct redact_set *set = xcalloc(1, sizeof *set);
    redact_prefilter_init(&set->prefilter);
    set->context = pcre2_match_context_create(NULL);
    if (set->context) (void)pcre2_set_match_limit(set->context, REDACT_STEPS_MAX);
    int r = set->context ? 0 : err_sys(err, -ENOMEM, "The patterns cannot be compiled");
    for (unsigned number = 1; r == 0 && patterns.n; number++)
        r = add_line(set, span_split(&patterns, '\n'), number, err);
    if (r < 0) {
        redact_set_free(set);
        return r;
    }
    *ret = set;
    return 0;
}

void redact_set_free(struct redact_set *set) {
    if (!set) return;
    for (size_t i = 0; i < set->n; i++)
        pcre2_code_free(set->v[i].code);
    free(set->v);
    redact_prefilter_fini(&set->prefilter);
    pcre2_match_context_free(set->context);
    free(set);
}
