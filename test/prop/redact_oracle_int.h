/* What the files of the oracle share. */
#pragma once

#include "base/span.h"
#include "term/redact_token.h"
#include "term/redact_value.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* Compiles an expression of the test's own, or of the rules. */
pcre2_code *oracle_compile(const char *pattern, size_t n, uint32_t options);
/* Where `code` matches `text` at `from`, or, if it is not anchored, behind that. False: nowhere. */
bool oracle_matches(const pcre2_code *code, struct span text, size_t from, pcre2_match_data *data);
/* Does a pattern, compiled the first time and kept in `*code`, match anywhere in the text? */
bool oracle_contains(pcre2_code **code, const char *pattern, uint32_t options, struct span text);

/* Is it a secret, for a group of this name? */
bool oracle_value(const char *group, struct span value);

/* Does the token stand at `at`? Marks its characters in `masked` and returns where it ends; 0 when it does not stand there. */
size_t oracle_token(const struct redact_token *token, struct span text, size_t at, bool *masked);

/* Frees what the two keep. */
void oracle_value_fini(void);
void oracle_token_fini(void);
