#include "term/redact_nfa.h"

#include "base/compiler.h"

#include <ctype.h>

enum { DEPTH_MAX = 8 };

struct parser {
    struct nfa *nfa;
    struct span left;
    bool fold;   /* case does not matter */
    bool failed; /* something is not understood */
    int depth;
};

/* From `from` to `to`, which goes nowhere yet. */
struct part {
    uint16_t from, to;
};

static struct part alternatives(struct parser *p);

static bool accept(struct parser *p, const char *text) {
    if (!span_starts(p->left, span_str(text))) return false;
    p->left = span_skip(p->left, strlen(text));
    return true;
}

static char take(struct parser *p) {
    if (!p->left.n) {
        p->failed = true;
        return 0;
    }
    char c = p->left.p[0];
    p->left = span_skip(p->left, 1);
    return c;
}

static uint16_t node(struct parser *p) {
    if (p->nfa->n == NFA_NODES_MAX) {
        p->failed = true;
        return (uint16_t)(NFA_NODES_MAX - 1);
    }
    uint16_t n = p->nfa->n++;
    p->nfa->v[n] = (struct nfa_node){.next = n, .other = n};
    return n;
}

static void lead(struct parser *p, uint16_t from, uint16_t to) {
    p->nfa->v[from].next = to;
}

static struct part nothing(struct parser *p) {
    uint16_t n = node(p);
    return (struct part){n, n};
}

static struct part in_row(struct parser *p, struct part a, struct part b) {
    lead(p, a.to, b.from);
    return (struct part){a.from, b.to};
}

/* With it or without. */
static struct part optional(struct parser *p, struct part a) {
    struct part ret = {node(p), node(p)};
    p->nfa->v[ret.from].next = a.from;
    p->nfa->v[ret.from].other = ret.to;
    lead(p, a.to, ret.to);
    return ret;
}

static struct part any_number(struct parser *p, struct part a) {
    struct part ret = optional(p, a);
    lead(p, a.to, ret.from);
    return ret;
}

static void add_byte(const struct parser *p, uint8_t bytes[32], unsigned char c) {
    bytes[c / 8] |= (uint8_t)(1U << c % 8);
    if (p->fold && isalpha(c)) bytes[(c ^ 0x20) / 8] |= (uint8_t)(1U << (c ^ 0x20) % 8);
}

static void add_all(const struct parser *p, uint8_t bytes[32], const char *members, size_t n) {
    for (size_t i = 0; i < n; i++)
        add_byte(p, bytes, (unsigned char)members[i]);
}

static unsigned char hex(struct parser *p) {
    unsigned char value = 0;
    for (int i = 0; i < 2; i++) {
        unsigned char c = (unsigned char)take(p);
        p->failed |= !isxdigit(c);
        value = (unsigned char)(value << 4 | (isdigit(c) ? c - '0' : (c | 0x20) - 'a' + 10));
    }
    return value;
}

/* Behind a backslash: a kind of byte, or the byte that is meant. */
static void escaped(struct parser *p, uint8_t bytes[32]) {
    static const char word[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
    char c = take(p);
    uint8_t blank[32] = {0};
    switch (c) {
    case 'd': add_all(p, bytes, word, 10); return;
    case 'w': add_all(p, bytes, word, sizeof word - 1); return;
    case 'h': add_all(p, bytes, " \t\xA0", 3); return;
    case 's': add_all(p, bytes, " \t\n\v\f\r", 6); return;
    case 'S':
        add_all(p, blank, " \t\n\v\f\r", 6);
        for (size_t i = 0; i < sizeof blank; i++)
            bytes[i] |= (uint8_t)~blank[i];
        return;
    case 'n': add_byte(p, bytes, '\n'); return;
    case 'r': add_byte(p, bytes, '\r'); return;
    case 't': add_byte(p, bytes, '\t'); return;
    case 'x': add_byte(p, bytes, hex(p)); return;
    default: p->failed |= isalnum((unsigned char)c); add_byte(p, bytes, (unsigned char)c);
    }
}

/* A byte of a class, when it is one by itself: what a range may begin and end with. */
static bool plain_member(struct parser *p, unsigned char *ret) {
    if (!p->left.n || p->left.p[0] == '\\') return false;
    *ret = (unsigned char)take(p);
    p->failed |= *ret == '['; /* [:alpha:] and worse */
    return true;
}

/* Behind '['. */
static void class(struct parser *p, uint8_t bytes[32]) {
    bool inverted = accept(p, "^");
    p->failed |= span_starts(p->left, SPAN("]"));
    while (!p->failed && !accept(p, "]")) {
        unsigned char first, last;
        if (!plain_member(p, &first)) {
            (void)take(p);
            escaped(p, bytes);
            p->failed |= p->left.n > 1 && p->left.p[0] == '-' && p->left.p[1] != ']';
            continue;
        }
        bool range = p->left.n > 1 && p->left.p[0] == '-' && p->left.p[1] != ']';
        last = first;
        if (range) {
            (void)take(p);
            p->failed |= !plain_member(p, &last);
        }
        for (unsigned c = first; c <= last && !p->failed; c++)
            add_byte(p, bytes, (unsigned char)c);
    }
    for (size_t i = 0; inverted && i < 32; i++)
        bytes[i] = (uint8_t)~bytes[i];
}

/* Behind "(". */
static struct part group(struct parser *p) {
    if (accept(p, "?i)")) return nothing(p);
    bool look = accept(p, "?=") || accept(p, "?!") || accept(p, "?<=") || accept(p, "?<!");
    if (!look && (accept(p, "?<") || accept(p, "?P<"))) {
        while (p->left.n && take(p) != '>')
            ;
    } else if (!look && !accept(p, "?:")) {
        p->failed |= span_starts(p->left, SPAN("?")) || span_starts(p->left, SPAN("*"));
    }
    p->failed |= ++p->depth > DEPTH_MAX;
    uint16_t before = p->nfa->n;
    struct part inside = p->failed ? nothing(p) : alternatives(p);
    p->depth--;
    p->failed |= !accept(p, ")");
    if (!look) return inside;
    p->nfa->n = before; /* nobody goes there */
    return nothing(p);
}

static struct part atom(struct parser *p) {
    char c = take(p);
    if (c == '(') return group(p);
    if (c == '^' || c == '$') return nothing(p);
    if (c == '\\' && (accept(p, "b") || accept(p, "B") || accept(p, "A"))) return nothing(p);
    struct part ret = {node(p), node(p)};
    struct nfa_node *n = &p->nfa->v[ret.from];
    n->eats = true;
    n->next = ret.to;
    switch (c) {
    case '[': class(p, n->bytes); break;
    case '\\': escaped(p, n->bytes); break;
    case '.': memset(n->bytes, 0xff, sizeof n->bytes); break;
    case '?':
    case '*':
    case '+':
    case '{': p->failed = true; break;
    default: add_byte(p, n->bytes, (unsigned char)c);
    }
    return ret;
}

struct times {
    uint64_t least, most; /* UINT64_MAX: endless */
};

/* How often what stands before it may stand there. */
static struct times quantifier(struct parser *p) {
    struct times t = {1, 1};
    if (accept(p, "?")) {
        t.least = 0;
    } else if (accept(p, "*")) {
        t = (struct times){0, UINT64_MAX};
    } else if (accept(p, "+")) {
        t.most = UINT64_MAX;
    } else if (accept(p, "{")) {
        struct span inside = span_split(&p->left, '}');
        bool one = !memchr(inside.p, ',', inside.n);
        struct span least = span_split(&inside, ',');
        p->failed |= !span_u64(least, &t.least);
        t.most = one ? t.least : UINT64_MAX;
        if (inside.n) p->failed |= !span_u64(inside, &t.most);
    } else {
        return t;
    }
    if (!accept(p, "+")) (void)accept(p, "?"); /* possessive, lazy: they match no more than others */
    return t;
}

/* What an atom's text stands for, so many times: it is read again for each. */
static struct part repeated(struct parser *p, struct span text, struct times t) {
    struct span behind = p->left;
    struct part ret = nothing(p);
    bool endless = t.most == UINT64_MAX || t.most - t.least > NFA_EXACT_MAX || t.least > NFA_EXACT_MAX;
    uint64_t least = MIN(t.least, (uint64_t)NFA_EXACT_MAX);
    uint64_t copies = endless ? least + 1 : t.most;
    for (uint64_t i = 0; i < copies && !p->failed; i++) {
        p->left = text;
        struct part one = atom(p);
        if (i >= least) one = endless ? any_number(p, one) : optional(p, one);
        ret = in_row(p, ret, one);
    }
    p->left = behind;
    return ret;
}

static struct part sequence(struct parser *p) {
    struct part ret = nothing(p);
    while (!p->failed && p->left.n && p->left.p[0] != '|' && p->left.p[0] != ')') {
        struct span text = p->left;
        uint16_t before = p->nfa->n;
        struct part one = atom(p);
        struct times t = quantifier(p);
        if (t.least != 1 || t.most != 1) {
            p->nfa->n = before;
            one = repeated(p, text, t);
        }
        ret = in_row(p, ret, one);
    }
    return ret;
}

static struct part alternatives(struct parser *p) {
    struct part ret = sequence(p);
    while (!p->failed && accept(p, "|")) {
        struct part other = sequence(p), both = {node(p), node(p)};
        p->nfa->v[both.from].next = ret.from;
        p->nfa->v[both.from].other = other.from;
        lead(p, ret.to, both.to);
        lead(p, other.to, both.to);
        ret = both;
    }
    return ret;
}

bool redact_nfa(struct span pattern, struct nfa *ret) {
    struct parser p = {.nfa = ret, .left = pattern, .fold = span_icontains(pattern, SPAN("(?i"))};
    ret->n = 0;
    (void)node(&p); /* NFA_ACCEPT */
    struct part all = alternatives(&p);
    ret->start = all.from;
    if (!p.failed) lead(&p, all.to, NFA_ACCEPT);
    return !p.failed && !p.left.n;
}
