#include "term/redact_value.h"

#include "base/compiler.h"

enum { RANDOM_BYTES_MIN = 8, RANDOM_DISTINCT_MIN = 6, LONG_BYTES = 20 };

struct shape {
    unsigned lower, upper, digits, signs, distinct, joints; /* joints: _ - . : / */
    unsigned turns; /* between letters and digits, and from small to capital */
};

static bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}
static bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}
static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static struct shape shape_of(struct span v) {
    struct shape s = {0};
    uint64_t seen[4] = {0};
    for (size_t i = 0; i < v.n; i++) {
        unsigned char c = (unsigned char)v.p[i];
        s.distinct += !(seen[c >> 6] >> (c & 63) & 1);
        seen[c >> 6] |= 1ULL << (c & 63);
        s.lower += is_lower(v.p[i]);
        s.upper += is_upper(v.p[i]);
        s.digits += is_digit(v.p[i]);
        s.joints += c == '_' || c == '-' || c == '.' || c == ':' || c == '/';
        if (!i) continue;
        bool digit = is_digit(v.p[i]), before = is_digit(v.p[i - 1]);
        s.turns += digit != before || (is_upper(v.p[i]) && is_lower(v.p[i - 1]));
    }
    s.signs = (unsigned)v.n - s.lower - s.upper - s.digits - s.joints;
    return s;
}

/* Words that stand for a value, or say what kind it is. */
static bool is_known_word(struct span v) {
    static const char *const words[26] = {
        ['a' - 'a'] = "any await async array always auto and",
        ['b' - 'a'] = "boolean bool bytes buffer bar bearer basic",
        ['c' - 'a'] = "char changeme const cookie can",
        ['d' - 'a'] = "default dict data disabled",
        ['e' - 'a'] = "empty example expired env enabled",
        ['f' - 'a'] = "false file function field foo for",
        ['h' - 'a'] = "hidden header",
        ['i' - 'a'] = "invalid incorrect input is int if in",
        ['k' - 'a'] = "key",
        ['l' - 'a'] = "let list",
        ['m' - 'a'] = "masked missing must may",
        ['n' - 'a'] = "null none nil number no new not name never",
        ['o' - 'a'] = "optional object on off ok or",
        ['p' - 'a'] = "password passwd pass pwd prompt plaintext",
        ['r' - 'a'] = "required redacted return",
        ['s' - 'a'] = "string str secret stdin self should",
        ['t' - 'a'] = "true text token this the type test",
        ['u' - 'a'] = "undefined unknown uint8array user username",
        ['v' - 'a'] = "value var void",
        ['w' - 'a'] = "wrong with will",
        ['x' - 'a'] = "xxx",
        ['y' - 'a'] = "yes",
    };
    char first = is_upper(v.p[0]) ? (char)(v.p[0] | 0x20) : v.p[0];
    if (v.n > 10 || !is_lower(first) || !words[first - 'a']) return false;
    for (struct span left = span_str(words[first - 'a']); left.n;)
        if (span_ieq(v, span_split(&left, ' '))) return true;
    return false;
}

/* Names of variables and fields speak of what they hold. */
static bool speaks_of_secrets(struct span v) {
    static const char *const parts[] = {
        "apikey",   "api_key", "api-key", "changeme",    "credential", "dummy",  "environ",
        "example",  "getenv",  "null",    "placeholder", "password",   "passwd", "process.",
        "redacted", "regex",   "secret",  "token",       "undefined",  "your",   "://"};
    enum {
        LETTERS = 1 << ('a' - 'a') | 1 << ('c' - 'a') | 1 << ('d' - 'a') | 1 << ('e' - 'a') |
                  1 << ('g' - 'a') | 1 << ('n' - 'a') | 1 << ('p' - 'a') | 1 << ('r' - 'a') |
                  1 << ('s' - 'a') | 1 << ('t' - 'a') | 1 << ('u' - 'a') | 1 << ('y' - 'a')
    }; /* that they begin with */
    for (size_t at = 0; at + 3 < v.n + 1; at++) {
        char c = is_upper(v.p[at]) ? (char)(v.p[at] | 0x20) : v.p[at];
        if (is_lower(c) ? !(LETTERS >> (c - 'a') & 1) : c != ':') continue;
        for (size_t i = 0; i < ARRAY_LEN(parts); i++)
            if (parts[i][0] == c && span_istarts(span_skip(v, at), span_str(parts[i]))) return true;
    }
    return false;
}

static bool is_bracket(char c) {
    switch (c) {
    case '(':
    case ')':
    case '{':
    case '}':
    case '<':
    case '>':
    case '[':
    case ']':
    case '|':
    case '`': return true;
    default: return false;
    }
}

/* What begins an expression, or is in the midst of one. */
static bool is_code(struct span v) {
    if (strchr("$<>{}%[]()@&*|\\!,;:=?./~`\"'#", v.p[0])) return true;
    for (size_t i = 0; i < v.n; i++) {
        char c = v.p[i], next = i + 1 < v.n ? v.p[i + 1] : 0;
        if (is_bracket(c)) return true;
        if (next == c && (c == ':' || c == '&' || c == '*')) return true;
        if ((c == '=' && next == '>') || (c == '\\' && next == 'u') ||
            (c == '%' && (next == 's' || next == 'd')) || (c == '$' && next == '{') ||
            (c == '.' && next == '.') || (c == '\xE2' && next == '\x80'))
            return true;
    }
    return false;
}

/* One character over and over, or what is not text. */
static bool is_filler(struct span v, const struct shape *s) {
    bool high = false;
    for (size_t i = 0; i < v.n; i++)
        high |= (unsigned char)v.p[i] >= 0x80;
    return s->distinct <= 2 || (high && s->lower + s->upper + s->digits < 3);
}

/* Words with nothing but joints between them: a name, a path, a member of something. */
static bool is_name(const struct shape *s) {
    return !s->digits && !s->signs;
}

/* 1.2.3, 12:30:00, 2024-01-31, -5 */
static bool is_number(const struct shape *s) {
    return s->lower + s->upper <= 1;
}

/* Nobody chooses such a name: long, of digits and letters that change often. */
static bool is_random(struct span v, const struct shape *s) {
    if (v.n < RANDOM_BYTES_MIN || s->distinct < RANDOM_DISTINCT_MIN) return false;
    if (!s->digits)
        return v.n >= LONG_BYTES && s->upper > 3 && s->lower > 3 && s->turns >= v.n / 6 && !s->joints;
    unsigned needed = MAX((unsigned)v.n / 5, 2U);
    return s->lower + s->upper > 0 && s->turns + s->signs >= needed && s->joints * 5 <= v.n;
}

bool redact_value_is_secret(enum redact_doubt doubt, struct span value) {
    if (doubt == DOUBT_NONE) return true;
    while (value.n && strchr(",;.)", value.p[value.n - 1]))
        value.n--;
    if (value.n < 3 || is_known_word(value) || is_code(value)) return false;
    struct shape s = shape_of(value);
    if (is_filler(value, &s) || speaks_of_secrets(value)) return false;
    bool name = is_name(&s) && !is_random(value, &s);
    if (doubt == DOUBT_PASSWORD)
        return !(name && (s.joints || is_upper(value.p[0]))) && !(is_number(&s) && value.n < 4);
    if (name || is_number(&s)) return false;
    return doubt == DOUBT_BARE || is_random(value, &s);
}
