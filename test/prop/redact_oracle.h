/*
 * What the built-in rules of redaction mean, slow and obvious: the whole stream at once, every rule at every place of it, by PCRE2's
 * interpreter. It shares with the engine only the rules themselves, what an escape sequence is, and which characters are hidden.
 */
#pragma once

#include "base/span.h"

struct redact_oracle;
struct redact_oracle *redact_oracle_new(void);
void redact_oracle_free(struct redact_oracle *o);

/* Writes to `out`, as many bytes as there are in `raw`, what should come out. */
void redact_oracle_mask(struct redact_oracle *o, struct span raw, char *out);

/* The rules, tokens first: how many there are, has one masked anything so far, and as what its file writes it. */
size_t redact_oracle_rules(const struct redact_oracle *o);
bool redact_oracle_has_masked(const struct redact_oracle *o, size_t rule);
struct span redact_oracle_rule(const struct redact_oracle *o, size_t rule);
