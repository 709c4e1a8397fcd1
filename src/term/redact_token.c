#include "term/redact_token.h"

#include "base/compiler.h"

#include <string.h>

enum {
    BROKEN_RUN_MIN = 8, /* a line that is broken has at least so many characters of the token */
    INDENT_MAX = 24,
    BORDERS_MAX = 3,  /* of boxes in boxes */
    DISTINCT_MIN = 5, /* different characters: a row of the same one is no token */
};

/* Characters as bits of the 64 that they are among. */
#define DIGITS (0x3ffULL << ('0' & 63))
#define CAPITALS (0x3ffffffULL << ('A' & 63))
#define SMALLS (0x3ffffffULL << ('a' & 63))

#define OF(alphabet) (1U << (alphabet))

enum {
    SOME = OF(TOKEN_WORD) | OF(TOKEN_URL) | OF(TOKEN_DOT) | OF(TOKEN_BASE64) | OF(TOKEN_DASH) | OF(TOKEN_ANY),
    SMALL = SOME | OF(TOKEN_LETTER),
    LARGE = SMALL | OF(TOKEN_UPPER),
};

/* The alphabets that a character belongs to. */
static const uint16_t alphabets_of[256] = {
    ['0' ... '9'] = SOME | OF(TOKEN_UPPER) | OF(TOKEN_HEX),
    ['A' ... 'F'] = LARGE | OF(TOKEN_HEX),
    ['G' ... 'Z'] = LARGE,
    ['a' ... 'f'] = SMALL | OF(TOKEN_HEX),
    ['g' ... 'z'] = SMALL,
    ['_'] = OF(TOKEN_URL) | OF(TOKEN_DOT) | OF(TOKEN_ANY),
    ['-'] = OF(TOKEN_URL) | OF(TOKEN_DOT) | OF(TOKEN_DASH) | OF(TOKEN_ANY),
    ['.'] = OF(TOKEN_DOT) | OF(TOKEN_ANY),
    ['='] = OF(TOKEN_DOT) | OF(TOKEN_BASE64) | OF(TOKEN_ANY),
    ['+'] = OF(TOKEN_BASE64) | OF(TOKEN_ANY),
    ['/'] = OF(TOKEN_BASE64) | OF(TOKEN_ANY),
    [':'] = OF(TOKEN_ANY),
    ['%'] = OF(TOKEN_ANY),
    ['~'] = OF(TOKEN_ANY),
};

static bool belongs(enum redact_alphabet alphabet, unsigned char c) {
    return alphabets_of[c] >> alphabet & 1;
}

static bool is_word(unsigned char c) {
    return belongs(TOKEN_WORD, c);
}

static size_t skip_blanks(struct span text, size_t at, size_t most) {
    size_t n = at;
    while (n < text.n && n - at < most && (text.p[n] == ' ' || text.p[n] == '\t'))
        n++;
    return n;
}

/* Behind the border of a box, or `at` when there is none. `*cut` becomes true when the text ends in the midst of one. */
static size_t skip_border(struct span text, size_t at, bool *cut) {
    static const char *const borders[] = {"\xE2\x94\x82", "\xE2\x94\x83", "\xE2\x95\x91", "|"};
    struct span here = span_skip(text, at);
    for (size_t i = 0; i < ARRAY_LEN(borders); i++) {
        struct span border = span_str(borders[i]);
        if (span_starts(here, border)) return at + border.n;
        *cut |= here.n && span_starts(border, here);
    }
    return at;
}

/* "12 ", or a mark of a quotation or a change: what programs put in front of a line. `*cut` becomes true when the text ends
 * before it is clear whether it is one. */
static size_t skip_mark(struct span text, size_t at, bool *cut) {
    size_t n = at;
    while (n < text.n && n - at < 6 && text.p[n] >= '0' && text.p[n] <= '9')
        n++;
    *cut |= n > at && n == text.n;
    if (n > at) return n < text.n && (text.p[n] == ' ' || text.p[n] == '\t') ? n : at;
    if (n == text.n || (text.p[n] != '+' && text.p[n] != '>')) return at;
    *cut |= n + 1 == text.n;
    return n + 1 < text.n && text.p[n + 1] == ' ' ? n + 1 : at;
}

/* Behind the borders of boxes in boxes, and the blanks between and behind them; `at` when there is none. */
static size_t skip_borders(struct span text, size_t at, bool *cut) {
    size_t n = at;
    for (int deep = 0; deep < BORDERS_MAX; deep++) {
        size_t begin = deep ? skip_blanks(text, n, INDENT_MAX) : n, border = skip_border(text, begin, cut);
        if (border == begin) break;
        n = border;
    }
    return n;
}

/* From the end of a broken line to where it goes on; `at` when the line does not end here, text.n when the text does, or, unless it is
 * `final`, when the text ends before that is clear. */
static size_t skip_break(struct span text, size_t at, bool final) {
    bool cut = false;
    size_t n = skip_blanks(text, at, 2), border = skip_borders(text, n, &cut);
    if (cut && !final) return text.n;
    if (border == n && n < text.n && text.p[n] == '\\') border = n + 1;
    n = skip_blanks(text, border, INDENT_MAX);
    while (n < text.n && text.p[n] == '\r')
        n++;
    if (n == text.n) return n;
    if (text.p[n] != '\n') return at;
    n = skip_blanks(text, n + 1, INDENT_MAX);
    size_t mark = skip_mark(text, n, &cut);
    if (mark > n) n = skip_blanks(text, mark, 4);
    border = skip_borders(text, n, &cut);
    if (cut && !final) return text.n;
    return border > n ? skip_blanks(text, border, INDENT_MAX) : n;
}

static size_t run_end(enum redact_alphabet alphabet, struct span text, size_t at, size_t most) {
    size_t n = at;
    while (n < text.n && n - at < most && belongs(alphabet, (unsigned char)text.p[n]))
        n++;
    return n;
}

/* Letters of one case and nothing else are words; what repeats itself is a placeholder. */
static bool is_likely(const struct redact_token *token, struct span text, const struct redact_run *runs,
                      size_t n) {
    uint64_t seen[4] = {0};
    size_t distinct = 0, dots = 0, skip = token->prefix_bytes;
    for (size_t i = 0; i < n; i++)
        for (size_t k = runs[i].from + (i ? 0 : skip); k < runs[i].to; k++) {
            unsigned char c = (unsigned char)text.p[k];
            seen[c >> 6] |= 1ULL << (c & 63);
            dots += c == '.';
        }
    for (size_t i = 0; i < ARRAY_LEN(seen); i++)
        for (uint64_t left = seen[i]; left && distinct < DISTINCT_MIN; left &= left - 1)
            distinct++;
    bool digit = seen['0' >> 6] & DIGITS, upper = seen['A' >> 6] & CAPITALS, lower = seen['a' >> 6] & SMALLS;
    bool mixed = lower + upper + digit >= 2 || (token->alphabet == TOKEN_UPPER && upper);
    return distinct >= DISTINCT_MIN && mixed && dots >= token->dots;
}

/* What follows on the next line, though there is enough already: is it the rest? Words are not. */
static bool goes_on(enum redact_alphabet alphabet, struct span text, size_t at, size_t end) {
    bool digit = false, upper = false, lower = false;
    for (size_t i = at; i < end; i++) {
        digit |= text.p[i] >= '0' && text.p[i] <= '9';
        upper |= i > at && text.p[i] >= 'A' && text.p[i] <= 'Z';
        lower |= text.p[i] >= 'a' && text.p[i] <= 'z';
    }
    bool ends = end == text.n || strchr(" \t\r\n\"'`,;)]}", text.p[end]);
    return ends && end > at + 3 && ((digit && (upper || lower)) || (upper && lower)) &&
           alphabet != TOKEN_LETTER;
}

bool redact_token_barred(const struct redact_token *token, struct span text, size_t at) {
    unsigned char before = at ? (unsigned char)text.p[at - 1] : ' ', first = (unsigned char)token->prefix[0];
    if (token->inside) return !(before >= '0' && before <= '9');
    if (!is_word(first) || !(is_word(before) || before == '_')) return false;
    return !(at > 1 && text.p[at - 2] == '\\' &&
             strchr("nrt", before)); /* what an escaped line end, or tab, ends with */
}

enum token_outcome redact_token_match(const struct redact_token *token, struct span text, size_t at,
                                      bool final, struct redact_run runs[TOKEN_RUNS_MAX], size_t *ret_n) {
    size_t prefix = token->prefix_bytes, got = 0, n = 0, from = at + prefix;
    struct span here = span_take(span_skip(text, at), prefix);
    if (memcmp(here.p, token->prefix, here.n) != 0) return TOKEN_NONE;
    if (here.n < prefix) return final ? TOKEN_NONE : TOKEN_OPEN;
    if (redact_token_barred(token, text, at)) return TOKEN_NONE;
    for (;;) {
        size_t to = run_end(token->alphabet, text, from, token->max - got);
        if (to == text.n && !final && got + (to - from) < token->max) return TOKEN_OPEN;
        runs[n].from = n ? from : at;
        runs[n].to = to;
        got += to - from;
        n++;
        if (to < text.n && got == token->max && belongs(token->alphabet, (unsigned char)text.p[to]))
            return TOKEN_NONE;
        if (to == text.n && !final) return TOKEN_OPEN;
        if (got == token->max || to == text.n || n == TOKEN_RUNS_MAX) break;
        size_t next = to - runs[n - 1].from >= BROKEN_RUN_MIN ? skip_break(text, to, final) : to;
        if (next == text.n && !final) return TOKEN_OPEN;
        if (next == to || next == text.n || !belongs(token->alphabet, (unsigned char)text.p[next])) break;
        if (got >= token->min) {
            size_t end = run_end(token->alphabet, text, next, token->max - got + 1U);
            if (end == text.n && !final) return TOKEN_OPEN;
            if (end - next > (size_t)(token->max - got) || !goes_on(token->alphabet, text, next, end)) break;
        }
        from = next;
    }
    *ret_n = n;
    if (got < token->min || !is_likely(token, text, runs, n)) return TOKEN_NONE;
    return TOKEN_FOUND;
}
