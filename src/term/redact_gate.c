#include "term/redact_gate.h"

#include "base/cleanup.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "term/redact_nfa.h"

#include <stdlib.h>

enum { STOP, PASS, FIRST /* state: others follow */ };
enum { WORDS = NFA_NODES_MAX / 64 };

/* Nodes of the NFA: those that eat, and the one that accepts. */
struct set {
    uint64_t bits[WORDS];
};

struct maker {
    struct nfa nfa;
    struct set reached[NFA_NODES_MAX]; /* from each node, without eating */
    struct set states[GATE_STATES_MAX];
    unsigned n_states;
    unsigned n_classes;
    uint8_t class_of[256];
    uint8_t example[256]; /* a byte of each class */
    uint8_t next[GATE_STATES_MAX][256];
};

static bool has(const struct set *s, unsigned i) {
    return s->bits[i / 64] >> i % 64 & 1;
}

static void join(struct set *s, const struct set *other) {
    for (unsigned i = 0; i < WORDS; i++)
        s->bits[i] |= other->bits[i];
}

/* What can be reached from a node without eating. */
static void reach(const struct nfa *nfa, uint16_t from, struct set *ret) {
    struct set seen = {{0}};
    uint16_t stack[2 * NFA_NODES_MAX];
    unsigned n = 0;
    for (stack[n++] = from; n;) {
        uint16_t i = stack[--n];
        const struct nfa_node *node = &nfa->v[i];
        if (has(&seen, i)) continue;
        seen.bits[i / 64] |= 1ULL << i % 64;
        if (node->eats || i == NFA_ACCEPT) {
            ret->bits[i / 64] |= 1ULL << i % 64;
            continue;
        }
        stack[n++] = node->next;
        stack[n++] = node->other;
    }
}

static bool are_alike(const struct nfa *nfa, unsigned char a, unsigned char b) {
    for (unsigned i = 0; i < nfa->n; i++)
        if (nfa->v[i].eats && nfa_eats(&nfa->v[i], a) != nfa_eats(&nfa->v[i], b)) return false;
    return true;
}

static void classify(struct maker *m) {
    for (unsigned c = 0; c < 256; c++) {
        unsigned class = 0;
        while (class < m->n_classes && !are_alike(&m->nfa, (unsigned char)c, m->example[class]))
            class ++;
        if (class == m->n_classes) m->example[m->n_classes++] = (uint8_t)c;
        m->class_of[c] = (uint8_t) class;
    }
}

/* The state that stands for the nodes; one that is too many passes. */
static uint8_t state_of(struct maker *m, const struct set *nodes) {
    static const struct set none;
    if (memcmp(nodes, &none, sizeof none) == 0) return STOP;
    if (has(nodes, NFA_ACCEPT)) return PASS;
    for (unsigned i = FIRST; i < m->n_states; i++)
        if (memcmp(nodes, &m->states[i], sizeof *nodes) == 0) return (uint8_t)i;
    if (m->n_states == GATE_STATES_MAX) return PASS;
    m->states[m->n_states] = *nodes;
    return (uint8_t)m->n_states++;
}

/* The state behind a byte. */
static uint8_t step(struct maker *m, const struct set *nodes, unsigned char c) {
    struct set to = {{0}};
    for (unsigned w = 0; w < WORDS; w++)
        for (uint64_t left = nodes->bits[w]; left; left &= left - 1) {
            const struct nfa_node *node = &m->nfa.v[w * 64 + (unsigned)__builtin_ctzll(left)];
            if (nfa_eats(node, c)) join(&to, &m->reached[node->next]);
        }
    return state_of(m, &to);
}

struct redact_gate *redact_gate_new(struct span pattern) {
    AUTO(free) struct maker *m = xcalloc(1, sizeof *m);
    if (!redact_nfa(pattern, &m->nfa)) return NULL;
    for (uint16_t i = 0; i < m->nfa.n; i++)
        reach(&m->nfa, i, &m->reached[i]);
    classify(m);
    m->n_states = FIRST;
    if (state_of(m, &m->reached[m->nfa.start]) != FIRST) return NULL;
    for (unsigned i = FIRST; i < m->n_states; i++)
        for (unsigned k = 0; k < m->n_classes; k++)
            m->next[i][k] = step(m, &m->states[i], m->example[k]);

    struct redact_gate *g = xcalloc(1, sizeof *g + m->n_states * m->n_classes * sizeof *g->next);
    memcpy(g->class_of, m->class_of, sizeof g->class_of);
    g->first = (uint16_t)(FIRST * m->n_classes);
    for (unsigned i = FIRST; i < m->n_states; i++)
        for (unsigned k = 0; k < m->n_classes; k++) {
            uint8_t to = m->next[i][k];
            g->next[i * m->n_classes + k] = (uint16_t)(to < FIRST ? to : to * m->n_classes);
        }
    return g;
}

void redact_gate_free(struct redact_gate *g) {
    free(g);
}

bool redact_gate_passes(const struct redact_gate *g, struct span text, size_t at) {
    unsigned row = g->first;
    size_t end = MIN(text.n, at + GATE_BYTES);
    for (size_t i = at; i < end; i++) {
        row = g->next[row + g->class_of[(unsigned char)text.p[i]]];
        if (row < FIRST) return row == PASS;
    }
    return true;
}
