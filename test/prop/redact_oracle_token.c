/* Tokens by their table: a prefix, and characters of an alphabet, on one line or on several. */
#include "redact_oracle_int.h"

#include "base/compiler.h"

#include <ctype.h>
#include <stdio.h>

enum { LINES_MAX = TOKEN_RUNS_MAX, LINE_BYTES = 8, KINDS_MIN = 5 };

static const char *const alphabets[] = {
    [TOKEN_WORD] = "A-Za-z0-9",      [TOKEN_UPPER] = "A-Z0-9",    [TOKEN_HEX] = "0-9a-fA-F",
    [TOKEN_LETTER] = "A-Za-z",       [TOKEN_URL] = "A-Za-z0-9_-", [TOKEN_DOT] = "A-Za-z0-9_.=-",
    [TOKEN_BASE64] = "A-Za-z0-9+/=", [TOKEN_DASH] = "A-Za-z0-9-", [TOKEN_ANY] = "A-Za-z0-9_.=+/:%~-",
};

#define BORDER "(?:\\||\\xe2\\x94\\x82|\\xe2\\x94\\x83|\\xe2\\x95\\x91)"
#define BORDERS BORDER "(?:[ \\t]{0,24}+" BORDER "){0,2}+"
/* Where a program broke a line: the box's border or a backslash, the line's end, indentation, a line number or the mark of a quotation
 * or a change, the box's border again. */
static const char line_break[] =
    "[ \\t]{0,2}+(?:" BORDERS "|\\\\)?+[ \\t]{0,24}+\\r*+\\n[ \\t]{0,24}+"
    "(?:(?:[0-9]{1,6}+(?=[ \\t])|[+>](?= ))[ \\t]{0,4}+)?+(?:" BORDERS "[ \\t]{0,24}+)?+";
/* What may stand before a token whose prefix begins like a word: no word, but "\n" of a string may. */
static const char begins[] = "(?:(?<![A-Za-z0-9_])|(?<=\\\\[nrt]))";
static const char begins_behind_a_digit[] = "(?<=[0-9])";

static pcre2_code *run_codes[ARRAY_LEN(alphabets)], *break_code, *begins_code, *behind_digit_code;
static pcre2_match_data *data;

void oracle_token_fini(void) {
    for (size_t i = 0; i < ARRAY_LEN(run_codes); i++) {
        pcre2_code_free(run_codes[i]);
        run_codes[i] = NULL;
    }
    pcre2_code **const others[] = {&break_code, &begins_code, &behind_digit_code};
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        pcre2_code_free(*others[i]);
        *others[i] = NULL;
    }
    pcre2_match_data_free(data);
    data = NULL;
}

static void prepare(void) {
    if (data) return;
    data = pcre2_match_data_create(1, NULL);
    for (size_t i = 0; i < ARRAY_LEN(alphabets); i++) {
        char pattern[64];
        int n = snprintf(pattern, sizeof pattern, "[%s]*", alphabets[i]);
        run_codes[i] = oracle_compile(pattern, (size_t)n, PCRE2_ANCHORED);
    }
    break_code = oracle_compile(line_break, sizeof line_break - 1, PCRE2_ANCHORED);
    begins_code = oracle_compile(begins, sizeof begins - 1, PCRE2_ANCHORED);
    behind_digit_code =
        oracle_compile(begins_behind_a_digit, sizeof begins_behind_a_digit - 1, PCRE2_ANCHORED);
}

/* Where an anchored expression that matches at `at` ends; `at` when it does not. */
static size_t end_of(const pcre2_code *code, struct span text, size_t at) {
    return oracle_matches(code, text, at, data) ? pcre2_get_ovector_pointer(data)[1] : at;
}

static bool may_begin(const struct redact_token *token, struct span text, size_t at) {
    if (token->inside) return oracle_matches(behind_digit_code, text, at, data);
    return !isalnum((unsigned char)token->prefix[0]) || oracle_matches(begins_code, text, at, data);
}

/* There is enough on the lines before; is the word on this line the rest of it all the same? */
static bool is_the_rest(struct span text, size_t from, size_t to) {
    bool digit = false, upper = false, lower = false;
    for (size_t i = from; i < to; i++) {
        digit |= isdigit((unsigned char)text.p[i]) != 0;
        upper |= isupper((unsigned char)text.p[i]) && i > from; /* "Words begin so" */
        lower |= islower((unsigned char)text.p[i]) != 0;
    }
    bool by_itself = to == text.n || memchr(" \t\r\n\"'`,;)]}", text.p[to], 12);
    return by_itself && to - from >= 4 && ((digit && upper) || (digit && lower) || (upper && lower));
}

/* Is it of several kinds of characters, and not one over and over? */
static bool is_mixed(const struct redact_token *token, struct span characters) {
    bool seen[256] = {false}, digit = false, upper = false, lower = false;
    size_t kinds = 0, dots = 0;
    for (size_t i = 0; i < characters.n; i++) {
        unsigned char c = (unsigned char)characters.p[i];
        kinds += !seen[c];
        seen[c] = true;
        dots += c == '.';
        digit |= isdigit(c) != 0;
        upper |= isupper(c) != 0;
        lower |= islower(c) != 0;
    }
    if (kinds < KINDS_MIN || dots < token->dots) return false;
    return digit + upper + lower >= 2 || (upper && token->alphabet == TOKEN_UPPER);
}

size_t oracle_token(const struct redact_token *token, struct span text, size_t at, bool *masked) {
    char characters[UINT16_MAX + 1];
    size_t from[LINES_MAX], to[LINES_MAX], lines = 0, got = 0, prefix = strlen(token->prefix);
    prepare();
    const pcre2_code *run = run_codes[token->alphabet];
    if (!span_starts(span_skip(text, at), span_str(token->prefix)) || !may_begin(token, text, at)) return 0;
    for (size_t begin = at + prefix;;) {
        size_t end = end_of(run, text, begin);
        if (end - begin > token->max - got) return 0; /* too long to be one */
        memcpy(characters + got, text.p + begin, end - begin);
        got += end - begin;
        from[lines] = lines ? begin : at;
        to[lines++] = end;
        if (got == token->max || lines == LINES_MAX) break;
        if (end - from[lines - 1] < LINE_BYTES) break; /* nobody breaks a line so early */
        size_t next = end_of(break_code, text, end), next_end = end_of(run, text, next);
        if (next == end || next_end == next) break;
        if (got >= token->min && (next_end - next > token->max - got || !is_the_rest(text, next, next_end)))
            break;
        begin = next;
    }
    if (got < token->min || !is_mixed(token, span_of(characters, got))) return 0;
    for (size_t i = 0; i < lines; i++)
        memset(masked + from[i], true, to[i] - from[i]);
    return to[lines - 1];
}
