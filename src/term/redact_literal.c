#include "term/redact_literal.h"

#include "base/compiler.h"

#include <ctype.h>

enum { DEPTH_MAX = 8, MEMBERS_MAX = 8 };

/* Beginnings of matches; an open one goes on with whatever comes next, a closed one is as long as it gets. */
struct beginning {
    struct redact_literal literal;
    bool open;
};

struct beginnings {
    size_t n;
    bool failed; /* too many, or the pattern is beyond us */
    struct beginning v[REDACT_LITERALS_MAX];
};

struct parser {
    struct span left;
    int depth;
};

static void alternatives(struct parser *p, struct beginnings *set);

static bool at(const struct parser *p, char c) {
    return p->left.n && p->left.p[0] == c;
}

static char take(struct parser *p) {
    char c = p->left.p[0];
    p->left = span_skip(p->left, 1);
    return c;
}

static bool accept(struct parser *p, const char *text) {
    if (!span_starts(p->left, span_str(text))) return false;
    p->left = span_skip(p->left, strlen(text));
    return true;
}

static void close_all(struct beginnings *set) {
    for (size_t i = 0; i < set->n; i++)
        set->v[i].open = false;
}

static void add(struct beginnings *set, const struct beginning *b) {
    if (set->n == REDACT_LITERALS_MAX)
        set->failed = true;
    else
        set->v[set->n++] = *b;
}

static void extend(struct beginning *b, char c) {
    if (!b->open) return;
    if (b->literal.n == REDACT_LITERAL_BYTES) {
        b->open = false;
        return;
    }
    b->literal.text[b->literal.n++] = c;
}

/* Each open one goes on with each of the characters. */
static void extend_all(struct beginnings *set, const char *members, size_t n) {
    struct beginnings before = *set;
    set->n = 0;
    for (size_t i = 0; i < before.n; i++) {
        if (!before.v[i].open) add(set, &before.v[i]);
        for (size_t k = 0; before.v[i].open && k < n; k++) {
            struct beginning b = before.v[i];
            extend(&b, members[k]);
            add(set, &b);
        }
    }
}

/* A backslash and what follows: the character that it stands for, if it stands for one. */
static bool escaped(struct parser *p, char *ret) {
    if (!p->left.n) return false;
    char c = take(p);
    if (isalnum((unsigned char)c) || (unsigned char)c >= 0x80) return false;
    *ret = c;
    return true;
}

/* Behind '[': its members, if they are few and plain. */
static bool members(struct parser *p, char ret[MEMBERS_MAX], size_t *ret_n) {
    size_t n = 0;
    if (at(p, '^') || at(p, ']')) return false;
    while (p->left.n && !at(p, ']')) {
        char c = take(p);
        bool range = c == '-' && n && !at(p, ']');
        if (c == '[' || range || n == MEMBERS_MAX || (c == '\\' && !escaped(p, &c))) return false;
        ret[n++] = c;
    }
    if (!accept(p, "]")) return false;
    *ret_n = n;
    return n > 0;
}

/* Behind '[', over the class. */
static bool skip_class(struct parser *p) {
    (void)accept(p, "^");
    (void)accept(p, "]");
    while (p->left.n) {
        char c = take(p);
        if (c == ']') return true;
        if (c == '[' || (c == '\\' && (at(p, 'Q') || at(p, 'E')))) return false; /* [:alpha:] and worse */
        if (c == '\\' && p->left.n) (void)take(p);
    }
    return false;
}

/* Over the rest of an alternative, whatever it says. False when it is not certain where that ends: quoting, comments, verbs,
 * and options that change what white space means. */
static bool skip_sequence(struct parser *p) {
    int depth = 0;
    while (p->left.n) {
        if (depth == 0 && (at(p, '|') || at(p, ')'))) return true;
        char c = take(p);
        if (c == '[' && !skip_class(p)) return false;
        if (c == '\\' && (at(p, 'Q') || at(p, 'E') || !p->left.n)) return false;
        if (c == '\\') (void)take(p);
        if (c == '(') {
            bool plain = !at(p, '*') && !at(p, '?');
            if (!plain && !accept(p, "?:") && !accept(p, "?=") && !accept(p, "?!") && !accept(p, "?<") &&
                !accept(p, "?P<") && !accept(p, "?>") && !accept(p, "?i)"))
                return false;
            if (p->left.p[-1] != ')') depth++;
        }
        if (c == ')') depth--;
    }
    return depth == 0;
}

/* Behind a look around's opening, over it. */
static bool skip_look(struct parser *p) {
    do {
        if (!skip_sequence(p)) return false;
    } while (accept(p, "|"));
    return accept(p, ")");
}

/* Behind '{': over "n}", "n,}" or "n,m}". Is the atom before it there at least once? Anything else is an ordinary brace, or
 * something newer. */
static bool at_least_once(struct parser *p, bool *failed) {
    struct span left = p->left;
    uint64_t low = 0, high;
    struct span inside = span_split(&left, '}');
    *failed |= inside.n == p->left.n || inside.n == 0;
    struct span least = span_split(&inside, ',');
    *failed |= !span_u64(least, &low) || (inside.n && !span_u64(inside, &high));
    p->left = left;
    return low > 0;
}

/* A quantifier, if there is one: `set` is what the atom made of `before`. */
static void quantify(struct parser *p, const struct beginnings *before, struct beginnings *set) {
    if (accept(p, "?")) { /* with it or without */
        for (size_t i = 0; i < before->n; i++)
            if (before->v[i].open) add(set, &before->v[i]);
    } else if (accept(p, "+")) {
        close_all(set);
    } else if (accept(p, "*")) {
        *set = *before;
        close_all(set);
    } else if (accept(p, "{")) {
        bool failed = set->failed;
        if (!at_least_once(p, &failed)) *set = *before;
        set->failed |= failed;
        close_all(set);
    } else {
        return;
    }
    if (!accept(p, "+")) (void)accept(p, "?"); /* possessive, lazy */
    if (at(p, '?') || at(p, '*') || at(p, '+') || at(p, '{')) close_all(set);
}

enum atom { ATOM, NOTHING /* takes no room */, STRANGE };

/* Behind "(". */
static enum atom group(struct parser *p, struct beginnings *set) {
    if (accept(p, "?i)")) return NOTHING;
    if (accept(p, "?=") || accept(p, "?!") || accept(p, "?<=") || accept(p, "?<!"))
        return skip_look(p) ? NOTHING : STRANGE;
    if (accept(p, "?<") || accept(p, "?P<")) {
        while (p->left.n && take(p) != '>')
            ;
    } else if (at(p, '*') || (at(p, '?') && !accept(p, "?:") && !accept(p, "?i:"))) {
        return STRANGE;
    }
    if (p->depth == DEPTH_MAX) return STRANGE;
    p->depth++;
    alternatives(p, set);
    p->depth--;
    return accept(p, ")") ? ATOM : STRANGE;
}

static enum atom atom(struct parser *p, struct beginnings *set) {
    char one[MEMBERS_MAX];
    size_t n = 1;
    char c = take(p);
    one[0] = c;
    switch (c) {
    case '(': return group(p, set);
    case '^': return NOTHING;
    case '[':
        if (!members(p, one, &n)) return STRANGE;
        break;
    case '\\':
        if (accept(p, "b") || accept(p, "A")) return NOTHING;
        if (!escaped(p, &one[0])) return STRANGE;
        break;
    case '.':
    case '$':
    case '?':
    case '*':
    case '+':
    case '{': return STRANGE;
    default:
        if ((unsigned char)c >= 0x80) return STRANGE;
        break;
    }
    extend_all(set, one, n);
    return ATOM;
}

/* One alternative, up to '|', ')' or the end. After something strange nothing more is said. */
static void sequence(struct parser *p, struct beginnings *set) {
    while (p->left.n && !at(p, '|') && !at(p, ')')) {
        struct beginnings before = *set;
        struct span here = p->left;
        enum atom what = atom(p, set);
        if (what == ATOM) quantify(p, &before, set);
        if (what != STRANGE) continue;
        *set = before;
        close_all(set);
        p->left = here;
        set->failed |= !skip_sequence(p);
    }
}

static void alternatives(struct parser *p, struct beginnings *set) {
    struct beginnings open = {0}, all = {.failed = set->failed};
    for (size_t i = 0; i < set->n; i++)
        add(set->v[i].open ? &open : &all, &set->v[i]);
    do {
        struct beginnings one = open;
        sequence(p, &one);
        all.failed |= one.failed;
        for (size_t i = 0; i < one.n; i++)
            add(&all, &one.v[i]);
    } while (accept(p, "|"));
    *set = all;
}

static bool begins_with(const struct redact_literal *l, const struct redact_literal *prefix) {
    return span_starts(span_of(l->text, l->n), span_of(prefix->text, prefix->n));
}

/* Where one stands, those that begin with it need not be looked for. */
static bool is_needless(const struct beginnings *set, size_t at) {
    for (size_t i = 0; i < set->n; i++) {
        const struct redact_literal *l = &set->v[at].literal, *other = &set->v[i].literal;
        if (i != at && begins_with(l, other) && (other->n < l->n || i < at)) return true;
    }
    return false;
}

static void set_case(struct redact_literal *l, bool exact) {
    l->exact = exact;
    for (size_t i = 0; !exact && i < l->n; i++)
        l->text[i] = (char)tolower((unsigned char)l->text[i]);
}

size_t redact_literals(struct span pattern, struct redact_literal ret[REDACT_LITERALS_MAX]) {
    struct parser p = {.left = pattern};
    struct beginnings set = {.n = 1, .v[0].open = true};
    alternatives(&p, &set);
    if (set.failed || p.left.n) return 0;
    bool exact = !span_icontains(pattern, SPAN("(?i"));
    size_t n = 0;
    for (size_t i = 0; i < set.n; i++)
        set_case(&set.v[i].literal, exact);
    for (size_t i = 0; i < set.n; i++) {
        if (set.v[i].literal.n < REDACT_LITERAL_BYTES_MIN) return 0;
        if (!is_needless(&set, i)) ret[n++] = set.v[i].literal;
    }
    return n;
}
