/* Texts that an expression matches, drawn from the expression itself, so that a new rule is tried without a word here. */
#include "redact_cases.h"

#include "base/compiler.h"

#include <ctype.h>

static uint64_t state = 1;

void cases_seed(uint64_t seed) {
    state = seed ? seed : 1;
}

/* xorshift64*: good enough to pick cases, the same everywhere. */
uint32_t cases_below(uint32_t limit) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * 2685821657736338717U) >> 33) % limit;
}

/* Values as people and programs write them: some are secrets, some are not. */
static const char *const values[] = {
    "hunter2",
    "changeme",
    "Tr0ub4dor&3",
    "correct-horse-battery",
    "xxxxxxxx",
    "your_token_here",
    "process.env.KEY",
    "${SECRET}",
    "$(cat file)",
    "null",
    "string",
    "s3cr3t!",
    "1234",
    "12345678",
    "2024-01-31",
    "1.2.3",
    "a1b2c3d4e5f6",
    "UserService",
    "get_password()",
    "Passw0rd.",
    "9f86d081884c7d65",
    "AbCdEfGhIjKlMnOpQrStUv",
    "p\xC3\xA4ssw\xC3\xB6rt1",
    "***",
    "example.com/x",
    "q1w2e3r4t5y6,",
};

struct sampler {
    struct buf *out;
    bool loose;
    bool fold;
};

/* Behind `at`, where an atom begins, up to its end: a class, a group, an escape or a character. */
static size_t atom_end(struct span s, size_t at) {
    if (s.p[at] == '\\') return at + (s.p[at + 1] == 'x' ? 4 : 2);
    if (s.p[at] == '[') {
        at += s.p[at + 1] == '^' ? 2 : 1;
        for (at += s.p[at] == ']'; s.p[at] != ']'; at++)
            at += s.p[at] == '\\';
        return at + 1;
    }
    if (s.p[at] != '(') return at + 1;
    for (at++; s.p[at] != ')';)
        at = atom_end(s, at);
    return at + 1;
}

struct times {
    uint32_t least, most;
};

static uint32_t number(struct span s, size_t *at) {
    uint32_t n = 0;
    while (*at < s.n && isdigit((unsigned char)s.p[*at]))
        n = n * 10 + (uint32_t)(s.p[(*at)++] - '0');
    return n;
}

/* How often an atom stands there, as the quantifier at `*at` says; `*at` is behind it then. */
static struct times times_at(struct span s, size_t *at) {
    enum { ENDLESS = 40 };
    struct times t = {1, 1};
    char c = *at < s.n ? s.p[*at] : 0;
    if (!strchr("?*+{", c) || !c) return t;
    ++*at;
    if (c == '?' || c == '*') t.least = 0;
    if (c == '*' || c == '+') t.most = ENDLESS;
    if (c == '{') {
        t.least = t.most = number(s, at);
        if (s.p[*at] == ',') {
            ++*at;
            t.most = s.p[*at] == '}' ? t.least + ENDLESS : number(s, at);
        }
        ++*at;
    }
    if (*at < s.n && (s.p[*at] == '+' || s.p[*at] == '?')) ++*at;
    return t;
}

static uint32_t draw_times(const struct sampler *m, struct times t) {
    enum { MORE = 24 };
    uint32_t n = t.least + cases_below(MIN(t.most - t.least, MORE) + 1);
    if (t.most > t.least && cases_one_in(12)) n = t.most;
    if (t.most > t.least && cases_one_in(6)) n = t.least;
    if (m->loose && cases_one_in(16)) n += cases_one_in(2) ? 1 : -(uint32_t)(n > 0);
    return n;
}

/* The bytes that an escape or a class stands for. */
static void add_kind(struct span atom, bool bytes[256]) {
    static const char blanks[] = " \t\n\v\f\r";
    for (unsigned c = 0; c < 256; c++) {
        bool digit = c < 128 && isdigit((int)c), word = (c < 128 && isalnum((int)c)) || c == '_';
        bool blank = c && c < 128 && strchr(blanks, (int)c);
        switch (atom.p[1]) {
        case 'd': bytes[c] |= digit; break;
        case 'w': bytes[c] |= word; break;
        case 's': bytes[c] |= blank; break;
        case 'S': bytes[c] |= !blank; break;
        case 'h': bytes[c] |= c == ' ' || c == '\t'; break;
        case 'n': bytes[c] |= c == '\n'; break;
        case 'r': bytes[c] |= c == '\r'; break;
        case 'x': {
            unsigned high =
                (unsigned)(isdigit((unsigned char)atom.p[2]) ? atom.p[2] - '0' : atom.p[2] - 'a' + 10);
            unsigned low =
                (unsigned)(isdigit((unsigned char)atom.p[3]) ? atom.p[3] - '0' : atom.p[3] - 'a' + 10);
            bytes[c] |= c == high * 16 + low;
            break;
        }
        default: bytes[c] |= c == (unsigned char)atom.p[1];
        }
    }
}

static void add_class(struct span atom, bool bytes[256]) {
    bool not = atom.p[1] == '^';
    for (size_t i = not ? 2 : 1; i + 1 < atom.n;) {
        if (atom.p[i] == '\\') {
            size_t end = atom_end(atom, i);
            add_kind(span_of(atom.p + i, end - i), bytes);
            i = end;
            continue;
        }
        bool range = i + 3 < atom.n && atom.p[i + 1] == '-';
        for (unsigned c = (unsigned char)atom.p[i]; c <= (unsigned char)atom.p[range ? i + 2 : i]; c++)
            bytes[c] = true;
        i += range ? 3 : 1;
    }
    for (unsigned c = 0; not &&c < 256; c++)
        bytes[c] = !bytes[c];
}

/* One of the bytes, mostly a letter or a digit, where they may be that. What is no character by itself only when there is nothing else. */
static void draw_byte(const struct sampler *m, const bool bytes[256]) {
    unsigned c, tries = 0;
    do {
        c = cases_below(256);
        tries++;
    } while (!bytes[c] || (tries < 1000 && (c < 0x20 || c >= 0x7f)) ||
             (tries < 200 && !isalnum((int)c) && cases_below(8)));
    bool swap = m->fold && c < 128 && isalpha((int)c) && cases_one_in(5);
    (void)buf_append_char(m->out, (char)(swap ? c ^ 0x20 : c));
}

static void draw_alternative(const struct sampler *m, struct span s);

static void draw_group(const struct sampler *m, struct span inside) {
    if (span_eq(inside, SPAN("?i"))) return;
    if (span_starts(inside, SPAN("?=")) || span_starts(inside, SPAN("?!")) ||
        span_starts(inside, SPAN("?<=")) || span_starts(inside, SPAN("?<!")))
        return;
    if (span_starts(inside, SPAN("?:"))) {
        draw_alternative(m, span_skip(inside, 2));
    } else if (span_starts(inside, SPAN("?<"))) {
        (void)span_split(&inside, '>');
        if (cases_one_in(4))
            (void)buf_append_span(m->out, span_str(values[cases_below(ARRAY_LEN(values))]));
        else
            draw_alternative(m, inside);
    } else {
        draw_alternative(m, inside);
    }
}

static void draw_atom(const struct sampler *m, struct span atom) {
    bool bytes[256] = {false};
    if (atom.p[0] == '(') {
        draw_group(m, span_of(atom.p + 1, atom.n - 2));
        return;
    }
    if (strchr("^$", atom.p[0]) || (atom.p[0] == '\\' && strchr("bBA", atom.p[1]))) {
        if (atom.p[0] == '$' && cases_below(4)) (void)buf_append_span(m->out, SPAN("\r\n"));
        return;
    }
    if (atom.p[0] == '[')
        add_class(atom, bytes);
    else if (atom.p[0] == '\\')
        add_kind(atom, bytes);
    else if (atom.p[0] == '.')
        memset(bytes, true, sizeof bytes);
    else
        bytes[(unsigned char)atom.p[0]] = true;
    draw_byte(m, bytes);
}

static void draw_sequence(const struct sampler *m, struct span s) {
    for (size_t at = 0; at < s.n;) {
        size_t end = atom_end(s, at);
        struct span atom = span_of(s.p + at, end - at);
        at = end;
        struct times t = times_at(s, &at);
        for (uint32_t n = draw_times(m, t); n; n--)
            draw_atom(m, atom);
    }
}

/* One of the alternatives. */
static void draw_alternative(const struct sampler *m, struct span s) {
    struct span found[32];
    size_t n = 0, from = 0, at = 0;
    for (; at < s.n; at = s.p[at] == '|' ? at + 1 : atom_end(s, at)) {
        if (s.p[at] != '|' || n == ARRAY_LEN(found) - 1) continue;
        found[n++] = span_of(s.p + from, at - from);
        from = at + 1;
    }
    found[n++] = span_of(s.p + from, s.n - from);
    draw_sequence(m, found[cases_below((uint32_t)n)]);
}

void cases_sample(struct buf *out, struct span expression, bool loose) {
    struct sampler m = {.out = out, .loose = loose, .fold = span_starts(expression, SPAN("(?i)"))};
    draw_alternative(&m, expression);
}
