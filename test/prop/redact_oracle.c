#include "redact_oracle.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "redact_oracle_int.h"
#include "term/escape.h"
#include "term/redact_int.h"

#include <stdio.h>
#include <stdlib.h>

enum { GROUPS_MAX = 32 };

struct expression {
    struct span source;
    pcre2_code *code;
    const char *names[GROUPS_MAX]; /* of its groups; NULL: has none */
};

struct redact_oracle {
    struct expression *v;
    size_t n;
    bool *used; /* one a token, then one an expression */
    pcre2_match_data *data;
};

pcre2_code *oracle_compile(const char *pattern, size_t n, uint32_t options) {
    int error;
    PCRE2_SIZE at;
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    (void)pcre2_set_newline(context, PCRE2_NEWLINE_ANYCRLF);
    options |= PCRE2_MULTILINE | PCRE2_DUPNAMES | PCRE2_NO_START_OPTIMIZE | PCRE2_NO_AUTO_POSSESS |
               PCRE2_NO_DOTSTAR_ANCHOR;
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)pattern, n, options, &error, &at, context);
    pcre2_compile_context_free(context);
    if (!code) {
        printf("Bail out! the oracle cannot compile \"%.*s\" at %zu\n", (int)n, pattern, at);
        exit(1);
    }
    return code;
}

bool oracle_matches(const pcre2_code *code, struct span text, size_t from, pcre2_match_data *data) {
    int r = pcre2_match(code, (PCRE2_SPTR)text.p, text.n, from, PCRE2_NO_JIT, data, NULL);
    if (r >= 0 || r == PCRE2_ERROR_NOMATCH) return r >= 0;
    printf("Bail out! the oracle's match ended with %d\n", r);
    exit(1);
}

bool oracle_contains(pcre2_code **code, const char *pattern, uint32_t options, struct span text) {
    if (!*code) *code = oracle_compile(pattern, strlen(pattern), options);
    pcre2_match_data *data = pcre2_match_data_create(1, NULL);
    bool found = oracle_matches(*code, text, 0, data);
    pcre2_match_data_free(data);
    return found;
}

static void learn_names(struct expression *e) {
    uint32_t count = 0, size = 0;
    PCRE2_SPTR table;
    (void)pcre2_pattern_info(e->code, PCRE2_INFO_NAMECOUNT, &count);
    (void)pcre2_pattern_info(e->code, PCRE2_INFO_NAMEENTRYSIZE, &size);
    (void)pcre2_pattern_info(e->code, PCRE2_INFO_NAMETABLE, &table);
    for (uint32_t i = 0; i < count; i++, table += size) {
        unsigned number = (unsigned)table[0] << 8 | table[1];
        if (number < GROUPS_MAX) e->names[number] = (const char *)table + 2;
    }
}

struct redact_oracle *redact_oracle_new(void) {
    struct redact_oracle *o = xcalloc(1, sizeof *o);
    o->data = pcre2_match_data_create(GROUPS_MAX, NULL);
    for (struct span left = span_str(REDACT_DEFAULTS); left.n;) {
        struct span line = span_split(&left, '\n');
        if (!line.n || line.p[0] == '#') continue;
        o->v = xreallocarray(o->v, o->n + 1, sizeof *o->v);
        o->v[o->n] = (struct expression){.source = line, .code = oracle_compile(line.p, line.n, 0)};
        learn_names(&o->v[o->n++]);
    }
    o->used = xcalloc(redact_oracle_rules(o), sizeof *o->used);
    return o;
}

void redact_oracle_free(struct redact_oracle *o) {
    if (!o) return;
    for (size_t i = 0; i < o->n; i++)
        pcre2_code_free(o->v[i].code);
    pcre2_match_data_free(o->data);
    free(o->v);
    free(o->used);
    free(o);
    oracle_value_fini();
    oracle_token_fini();
}

/* What a match says is secret: its groups of such names, if they look like it, or all of it. */
static bool mask_secrets(const struct redact_oracle *o, const struct expression *e, struct span text,
                         bool *masked) {
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(o->data);
    bool named = false, any = false;
    for (unsigned g = 1; g < GROUPS_MAX; g++) {
        if (!e->names[g] || at[2 * g] == PCRE2_UNSET) continue;
        named = true;
        struct span value = span_of(text.p + at[2 * g], at[2 * g + 1] - at[2 * g]);
        if (!oracle_value(e->names[g], value)) continue;
        any = true;
        memset(masked + at[2 * g], true, value.n);
    }
    if (!named) memset(masked + at[0], true, at[1] - at[0]);
    return any || !named;
}

/* Each rule goes through the text on its own, from match to match. What is masked goes on behind it; what turns out to be none may have
 * another match in its midst. */
static void mask_text(struct redact_oracle *o, struct span text, bool *masked) {
    for (size_t i = 0; i < REDACT_TOKENS_N; i++) {
        const struct redact_token *token = &REDACT_TOKENS[i];
        const char *found;
        for (size_t at = 0;
             (found = memmem(text.p + at, text.n - at, token->prefix, strlen(token->prefix)));) {
            at = (size_t)(found - text.p);
            size_t end = oracle_token(token, text, at, masked);
            o->used[i] |= end > 0;
            at = end ? end : at + 1;
        }
    }
    for (size_t i = 0; i < o->n; i++) {
        const struct expression *e = &o->v[i];
        for (size_t from = 0; from <= text.n && oracle_matches(e->code, text, from, o->data);) {
            const PCRE2_SIZE *at = pcre2_get_ovector_pointer(o->data);
            bool secret = mask_secrets(o, e, text, masked);
            o->used[REDACT_TOKENS_N + i] |= secret;
            from = secret && at[1] > at[0] ? at[1] : at[0] + 1;
        }
    }
}

/* A text in the stream, and where in the stream each of its bytes is. */
struct part {
    char *text;
    size_t *at;
    bool *masked;
    size_t n;
};

static void part_init(struct part *p, size_t n) {
    *p = (struct part){.text = xcalloc(n + 1, 1),
                       .at = xcalloc(n + 1, sizeof *p->at),
                       .masked = xcalloc(n + 1, sizeof *p->masked)};
}

static void part_fini(struct part *p) {
    free(p->text);
    free(p->at);
    free(p->masked);
}

static void part_add(struct part *p, char c, size_t at) {
    p->text[p->n] = c;
    p->at[p->n++] = at;
}

/* Masks what the rules say of a part, character by character; it is empty then. */
static void part_mask(struct redact_oracle *o, struct part *p, struct span raw, char *out) {
    memset(p->masked, 0, (p->n + 1) * sizeof *p->masked);
    mask_text(o, span_of(p->text, p->n), p->masked);
    for (size_t i = 0, length; i < p->n; i += length) {
        struct span here = span_skip(raw, p->at[i]);
        length = utf8_sequence(here);
        bool any = false;
        for (size_t k = 0; k < length; k++)
            any |= p->masked[i + k];
        if (any) redact_mask(span_take(here, length), out + p->at[i]);
        length = MAX(length, 1);
    }
    p->n = 0;
}

void redact_oracle_mask(struct redact_oracle *o, struct span raw, char *out) {
    struct part seen, title;
    enum escape_state s = ESCAPE_GROUND;
    part_init(&seen, raw.n);
    part_init(&title, raw.n);
    memcpy(out, raw.p, raw.n);
    for (size_t i = 0; i < raw.n; i++) {
        size_t hidden = s == ESCAPE_GROUND ? redact_hidden(raw, i) : 0;
        if (hidden) {
            i += hidden - 1;
            continue;
        }
        enum escape_kind kind = escape_step(&s, (unsigned char)raw.p[i]);
        bool blank = kind == ESCAPE_CONTROL && raw.p[i] >= '\t' && raw.p[i] <= '\r';
        if (kind == ESCAPE_TEXT || blank) part_add(&seen, raw.p[i], i);
        if (kind == ESCAPE_TITLE) part_add(&title, raw.p[i], i);
        if (s != ESCAPE_OSC && title.n) part_mask(o, &title, raw, out);
    }
    part_mask(o, &title, raw, out);
    part_mask(o, &seen, raw, out);
    part_fini(&seen);
    part_fini(&title);
}

size_t redact_oracle_rules(const struct redact_oracle *o) {
    return REDACT_TOKENS_N + o->n;
}

bool redact_oracle_has_masked(const struct redact_oracle *o, size_t rule) {
    return o->used[rule];
}

struct span redact_oracle_rule(const struct redact_oracle *o, size_t rule) {
    return rule < REDACT_TOKENS_N ? span_str(REDACT_TOKENS[rule].prefix)
                                  : o->v[rule - REDACT_TOKENS_N].source;
}
