/*
 * Tokens that say what they are: a prefix, then so many characters of an alphabet. They are found also where the program that
 * printed them broke the line: with line ends, indentation, line numbers and the borders of boxes in between.
 */
#pragma once

#include "base/span.h"

/* What the characters behind the prefix are. */
enum redact_alphabet {
    TOKEN_WORD,   /* A-Z a-z 0-9 */
    TOKEN_UPPER,  /* A-Z 0-9 */
    TOKEN_HEX,    /* 0-9 a-f A-F */
    TOKEN_LETTER, /* A-Z a-z */
    TOKEN_URL,    /* A-Z a-z 0-9 _ - */
    TOKEN_DOT,    /* those and . = */
    TOKEN_BASE64, /* A-Z a-z 0-9 + / = */
    TOKEN_DASH,   /* A-Z a-z 0-9 - */
    TOKEN_ANY,    /* all of these and : % ~ */
};

struct redact_token {
    const char *kind;
    const char *prefix; /* as it is written */
    uint8_t prefix_bytes;
    enum redact_alphabet alphabet;
    uint16_t min, max; /* characters behind the prefix */
    uint8_t dots;      /* that are among them, at least */
    bool inside;       /* it is known by what is in its midst: a digit is in front of the "prefix" */
};

extern const struct redact_token REDACT_TOKENS[];
extern const size_t REDACT_TOKENS_N;

enum { TOKEN_RUNS_MAX = 24 }; /* lines that one may be broken into */

struct redact_run {
    size_t from, to;
};

enum token_outcome { TOKEN_NONE, TOKEN_FOUND, TOKEN_OPEN /* more text decides */ };

/* Does what stands before `at` say that none begins there? */
bool redact_token_barred(const struct redact_token *token, struct span text, size_t at);

/* Does one stand at `at`? Its parts, without what is between them; runs[n - 1].to is behind it. With `final` nothing follows
 * the text. */
enum token_outcome redact_token_match(const struct redact_token *token, struct span text, size_t at,
                                      bool final, struct redact_run runs[TOKEN_RUNS_MAX], size_t *ret_n);
