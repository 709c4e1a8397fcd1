/*
 * A pattern's text as steps that eat bytes: what it may match, and perhaps more. Looks around count as fulfilled, long repetitions as endless;
 * of what it does not understand it says so. term/redact_gate makes a table of them.
 */
#pragma once

#include "base/span.h"

enum {
    NFA_NODES_MAX = 1024,
    NFA_ACCEPT = 0,    /* the node at which a match is at its end */
    NFA_EXACT_MAX = 4, /* repetitions that are counted; more are as good as endless */
};

/* Eats one of `bytes` and goes to `next`, or goes to `next` and `other` without eating. */
struct nfa_node {
    uint16_t next, other;
    bool eats;
    uint8_t bytes[256 / 8];
};

struct nfa {
    uint16_t start, n;
    struct nfa_node v[NFA_NODES_MAX];
};

static inline bool nfa_eats(const struct nfa_node *node, unsigned char c) {
    return node->eats && (node->bytes[c / 8] >> c % 8 & 1);
}

/* False when the pattern has something in it that is not understood, or is too long. */
bool redact_nfa(struct span pattern, struct nfa *ret);
