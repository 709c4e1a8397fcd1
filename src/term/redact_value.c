#include "term/redact_value.h"

#include "base/compiler.h"

enum { RANDOM_BYTES_MIN = 8, RANDOM_DISTINCT_MIN = 6, LONG_BYTES = 20 };

/* What a character is, as far as it matters here. */
enum class { SIGN, LOWER, UPPER, DIGIT, JOINT /* _ - . : / */, CLASSES };

static const uint8_t class_of[256] = {
    ['a' ... 'z'] = LOWER, ['A' ... 'Z'] = UPPER, ['0' ... '9'] = DIGIT, ['_'] = JOINT,
    ['-'] = JOINT,         ['.'] = JOINT,         [':'] = JOINT,         ['/'] = JOINT,
};

/* Of a character: is it never in a value, is it so with some other behind it, or as the first. */
enum { NEVER = 1, WITH_THE_NEXT = 2, AS_THE_FIRST = 4 };

static const uint8_t in_code[256] = {
    ['('] = NEVER | AS_THE_FIRST,
    [')'] = NEVER | AS_THE_FIRST,
    ['{'] = NEVER | AS_THE_FIRST,
    ['}'] = NEVER | AS_THE_FIRST,
    ['<'] = NEVER | AS_THE_FIRST,
    ['>'] = NEVER | AS_THE_FIRST,
    ['['] = NEVER | AS_THE_FIRST,
    [']'] = NEVER | AS_THE_FIRST,
    ['|'] = NEVER | AS_THE_FIRST,
    ['`'] = NEVER | AS_THE_FIRST,
    [':'] = WITH_THE_NEXT | AS_THE_FIRST,
    ['&'] = WITH_THE_NEXT | AS_THE_FIRST,
    ['*'] = WITH_THE_NEXT | AS_THE_FIRST,
    ['='] = WITH_THE_NEXT | AS_THE_FIRST,
    ['\\'] = WITH_THE_NEXT | AS_THE_FIRST,
    ['%'] = WITH_THE_NEXT | AS_THE_FIRST,
    ['$'] = WITH_THE_NEXT | AS_THE_FIRST,
    ['.'] = WITH_THE_NEXT | AS_THE_FIRST,
    [0xe2] = WITH_THE_NEXT,
    ['@'] = AS_THE_FIRST,
    ['!'] = AS_THE_FIRST,
    [','] = AS_THE_FIRST,
    [';'] = AS_THE_FIRST,
    ['?'] = AS_THE_FIRST,
    ['/'] = AS_THE_FIRST,
    ['~'] = AS_THE_FIRST,
    ['"'] = AS_THE_FIRST,
    ['\''] = AS_THE_FIRST,
    ['#'] = AS_THE_FIRST,
    ['\0'] = AS_THE_FIRST,
};

struct shape {
    unsigned count[CLASSES];
    unsigned letters;
    unsigned distinct; /* characters, counted up to what a random value has */
    unsigned turns;    /* between letters and digits, and from small to capital */
    bool high;         /* not all of it is ASCII */
    unsigned code;     /* what any of its characters may be in code */
};

static bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}
static bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}
static char to_lower(char c) {
    return is_upper(c) ? (char)(c | 0x20) : c;
}

static struct shape shape_of(struct span v) {
    static const uint8_t is_turn[CLASSES][CLASSES] = {
        [SIGN] = {[DIGIT] = 1},
        [LOWER] = {[DIGIT] = 1, [UPPER] = 1},
        [UPPER] = {[DIGIT] = 1},
        [JOINT] = {[DIGIT] = 1},
        [DIGIT] = {[SIGN] = 1, [LOWER] = 1, [UPPER] = 1, [JOINT] = 1},
    };
    struct shape s = {.letters = 0};
    uint64_t seen[4] = {0};
    unsigned before = v.n ? class_of[(unsigned char)v.p[0]] : SIGN;
    for (size_t i = 0; i < v.n; i++) {
        unsigned char c = (unsigned char)v.p[i];
        unsigned class = class_of[c];
        seen[c >> 6] |= 1ULL << (c & 63);
        s.count[class]++;
        s.code |= in_code[c];
        s.turns += is_turn[before][class];
        before = class;
    }
    for (size_t i = 0; i < ARRAY_LEN(seen); i++)
        for (uint64_t left = seen[i]; left && s.distinct < RANDOM_DISTINCT_MIN; left &= left - 1)
            s.distinct++;
    s.letters = s.count[LOWER] + s.count[UPPER];
    s.high = seen[2] | seen[3];
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
    char first = to_lower(v.p[0]);
    if (v.n > 10 || !is_lower(first) || !words[first - 'a']) return false;
    for (struct span left = span_str(words[first - 'a']); left.n;) {
        struct span word = span_split(&left, ' ');
        if (word.n == v.n && span_ieq(v, word)) return true;
    }
    return false;
}

#define LETTER(c) (1U << ((c)&31)) /* of either case */
#define PART(text) \
    { sizeof(text) - 1, text }
#define BOTH(c, seconds) [c] = (seconds), [(c) ^ 0x20] = (seconds)

/* Names of variables and fields speak of what they hold. */
static bool speaks_of_secrets(struct span v) {
    /* What the parts begin and go on with, so that most places need no closer look. */
    static const uint32_t seconds[256] = {
        BOTH('a', LETTER('p')),
        BOTH('c', LETTER('h') | LETTER('r')),
        BOTH('d', LETTER('u')),
        BOTH('e', LETTER('n') | LETTER('x')),
        BOTH('g', LETTER('e')),
        BOTH('n', LETTER('u')),
        BOTH('p', LETTER('l') | LETTER('a') | LETTER('r')),
        BOTH('r', LETTER('e')),
        BOTH('s', LETTER('e')),
        BOTH('t', LETTER('o')),
        BOTH('u', LETTER('n')),
        BOTH('y', LETTER('o')),
        [':'] = LETTER('/'),
    };
    static const struct {
        uint8_t n;
        char text[12];
    } parts[] = {PART("apikey"),      PART("api_key"),  PART("api-key"),   PART("changeme"),
                 PART("credential"),  PART("dummy"),    PART("environ"),   PART("example"),
                 PART("getenv"),      PART("null"),     PART("password"),  PART("passwd"),
                 PART("placeholder"), PART("process."), PART("redacted"),  PART("regex"),
                 PART("secret"),      PART("token"),    PART("undefined"), PART("your"),
                 PART("://")};
    for (size_t at = 0; at + 3 <= v.n; at++) {
        if (!(seconds[(unsigned char)v.p[at]] & LETTER(v.p[at + 1]))) continue;
        for (size_t i = 0; i < ARRAY_LEN(parts); i++)
            if (parts[i].text[0] == to_lower(v.p[at]) &&
                span_istarts(span_skip(v, at), span_of(parts[i].text, parts[i].n)))
                return true;
    }
    return false;
}

static bool is_code_with(char c, char next) {
    switch (c) {
    case ':':
    case '&':
    case '*':
    case '.': return next == c;
    case '=': return next == '>';
    case '\\': return next == 'u';
    case '%': return next == 's' || next == 'd';
    case '$': return next == '{';
    default: return next == '\x80';
    }
}

/* What begins an expression, or is in the midst of one. */
static bool is_code(struct span v, const struct shape *s) {
    if (in_code[(unsigned char)v.p[0]] & AS_THE_FIRST || s->code & NEVER) return true;
    for (size_t i = 0; s->code & WITH_THE_NEXT && i + 1 < v.n; i++)
        if (in_code[(unsigned char)v.p[i]] & WITH_THE_NEXT && is_code_with(v.p[i], v.p[i + 1])) return true;
    return false;
}

/* One character over and over, or what is not text. */
static bool is_filler(const struct shape *s) {
    return s->distinct <= 2 || (s->high && s->letters + s->count[DIGIT] < 3);
}

/* Words with nothing but joints between them: a name, a path, a member of something. */
static bool is_name(const struct shape *s) {
    return !s->count[DIGIT] && !s->count[SIGN];
}

/* 1.2.3, 12:30:00, 2024-01-31, -5 */
static bool is_number(const struct shape *s) {
    return s->letters <= 1;
}

/* Nobody chooses such a name: long, of digits and letters that change often. */
static bool is_random(struct span v, const struct shape *s) {
    if (v.n < RANDOM_BYTES_MIN || s->distinct < RANDOM_DISTINCT_MIN) return false;
    if (!s->count[DIGIT])
        return v.n >= LONG_BYTES && s->count[UPPER] > 3 && s->count[LOWER] > 3 && s->turns >= v.n / 6 &&
               !s->count[JOINT];
    unsigned needed = MAX((unsigned)v.n / 5, 2U);
    return s->letters > 0 && s->turns + s->count[SIGN] >= needed && s->count[JOINT] * 5 <= v.n;
}

bool redact_value_is_secret(enum redact_doubt doubt, struct span value) {
    if (doubt == DOUBT_NONE) return true;
    while (value.n && strchr(",;.)", value.p[value.n - 1]))
        value.n--;
    if (value.n < 3 || is_known_word(value)) return false;
    struct shape s = shape_of(value);
    if (is_code(value, &s) || is_filler(&s) || speaks_of_secrets(value)) return false;
    bool name = is_name(&s) && !is_random(value, &s);
    if (doubt == DOUBT_PASSWORD)
        return !(name && (s.count[JOINT] || is_upper(value.p[0]))) && !(is_number(&s) && value.n < 4);
    if (name || is_number(&s)) return false;
    return doubt == DOUBT_BARE || is_random(value, &s);
}
