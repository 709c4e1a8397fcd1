/* Is a value a secret? By expressions that say what code, placeholders, names and numbers look like. */
#include "redact_oracle_int.h"

#include "base/compiler.h"

#include <ctype.h>

enum { SMALLEST = 3, RANDOM_BYTES = 8, RANDOM_KINDS = 6, LONG_BYTES = 20 };

static const char known_words[] =
    "^(?:any|await|async|array|always|auto|and|boolean|bool|bytes|buffer|bar|bearer|basic|char|changeme|const|cookie|can|default|"
    "dict|data|disabled|empty|example|expired|env|enabled|false|file|function|field|foo|for|hidden|header|invalid|incorrect|input|"
    "is|int|if|in|key|let|list|masked|missing|must|may|null|none|nil|number|no|new|not|name|never|optional|object|on|off|ok|or|"
    "password|passwd|pass|pwd|prompt|plaintext|required|redacted|return|string|str|secret|stdin|self|should|true|text|token|this|"
    "the|type|test|undefined|unknown|uint8array|user|username|value|var|void|wrong|with|will|xxx|yes)\\z";
static const char code_begins[] = "^[][$<>{}%()@&*|\\\\!,;:=?./~`\"'#\\x00]";
static const char code_inside[] = "[][(){}<>|`]|::|&&|\\*\\*|\\.\\.|=>|\\\\u|%[sd]|\\$\\{|\\xe2\\x80";
static const char speaks_of[] =
    "apikey|api_key|api-key|changeme|credential|dummy|environ|example|getenv|null|password|passwd|placeholder|process\\.|"
    "redacted|regex|secret|token|undefined|your|://";

static pcre2_code *known_words_code, *code_begins_code, *code_inside_code, *speaks_of_code;

void oracle_value_fini(void) {
    pcre2_code **const all[] = {&known_words_code, &code_begins_code, &code_inside_code, &speaks_of_code};
    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        pcre2_code_free(*all[i]);
        *all[i] = NULL;
    }
}

struct counts {
    size_t lower, upper, digits, joints, signs, kinds, high, turns;
};

static struct counts count(struct span v) {
    struct counts c = {0};
    bool seen[256] = {false};
    for (size_t i = 0; i < v.n; i++) {
        unsigned char this = (unsigned char)v.p[i], before = (unsigned char)v.p[i ? i - 1 : i];
        if (!seen[this]) c.kinds++;
        seen[this] = true;
        if (this >= 0x80) c.high++;
        if (islower(this))
            c.lower++;
        else if (isupper(this))
            c.upper++;
        else if (isdigit(this))
            c.digits++;
        else if (strchr("_-.:/", this) && this)
            c.joints++;
        else
            c.signs++;
        if (!isdigit(this) != !isdigit(before) || (islower(before) && isupper(this))) c.turns++;
    }
    return c;
}

static bool looks_random(struct span v, const struct counts *c) {
    if (v.n < RANDOM_BYTES || c->kinds < RANDOM_KINDS) return false;
    if (c->digits == 0)
        return v.n >= LONG_BYTES && c->upper >= 4 && c->lower >= 4 && c->joints == 0 && c->turns >= v.n / 6;
    if (c->lower + c->upper == 0 || c->joints * 5 > v.n) return false;
    return c->turns + c->signs >= 2 && c->turns + c->signs >= v.n / 5;
}

bool oracle_value(const char *group, struct span v) {
    if (strcmp(group, "secret") == 0) return true;
    while (v.n && memchr(",;.)", v.p[v.n - 1], 4))
        v.n--;
    if (v.n < SMALLEST) return false;
    if (oracle_contains(&known_words_code, known_words, PCRE2_CASELESS, v)) return false;
    if (oracle_contains(&code_begins_code, code_begins, 0, v)) return false;
    if (oracle_contains(&code_inside_code, code_inside, 0, v)) return false;
    if (oracle_contains(&speaks_of_code, speaks_of, PCRE2_CASELESS, v)) return false;
    struct counts c = count(v);
    if (c.kinds <= 2) return false;                                    /* ****, xxyxx */
    if (c.high && c.lower + c.upper + c.digits < 3) return false;      /* no text */
    bool number = c.lower + c.upper <= 1;                              /* 12:30, 0x1 */
    bool name = c.digits == 0 && c.signs == 0 && !looks_random(v, &c); /* user_name */
    if (strcmp(group, "password") == 0) {
        if (name && (c.joints || isupper((unsigned char)v.p[0]))) return false;
        return !(number && v.n < 4);
    }
    if (name || number) return false;
    return strcmp(group, "bare") == 0 || looks_random(v, &c);
}
