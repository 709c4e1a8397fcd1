#include "redact_cases.h"

#include "base/cleanup.h"
#include "base/compiler.h"
#include "term/redact.h"
#include "term/redact_token.h"

enum { PIECE_BYTES_MAX = 1 << 16 };

static const char *const alphabets[] = {
    [TOKEN_WORD] = "[A-Za-z0-9]",      [TOKEN_UPPER] = "[A-Z0-9]",    [TOKEN_HEX] = "[0-9a-f]",
    [TOKEN_LETTER] = "[A-Za-z]",       [TOKEN_URL] = "[A-Za-z0-9_-]", [TOKEN_DOT] = "[A-Za-z0-9_.-]",
    [TOKEN_BASE64] = "[A-Za-z0-9+/=]", [TOKEN_DASH] = "[A-Za-z0-9-]", [TOKEN_ANY] = "[A-Za-z0-9_.=+/:%~-]",
};

/* What stands around secrets: before a token it may say that none begins there. */
static const char *const around[] = {" ",   "\r\n", "",  "\"", "'",  "=",  "_", "x",  "7", "\\n",
                                     "\\t", "(",    ",", ".",  ": ", "\t", "`", "\n", "/", "-"};
/* What programs break lines with. */
static const char *const breaks[] = {
    "\r\n",
    "\n",
    "\\\r\n",
    " |\r\n| ",
    " \xE2\x94\x82\r\n\xE2\x94\x82 ",
    "\r\n   12  ",
    "\r\n  + ",
    "\r\n > ",
    "\r\r\n",
    "\xE2\x94\x83 \xE2\x95\x91\r\n\xE2\x94\x83 \xE2\x95\x91 ",
    "\r\n\t",
    "   \r\n",
    "\n\n",
    "\r\n\xE2\x94\x82",
    "\r\n1234567 ",
};
/* What is no part of the text, or only looks so. */
static const char *const odd[] = {
    "\033[1;31m",
    "\033[0m",
    "\033[K",
    "\033(B",
    "\033[2C",
    "\033]0;a title\007",
    "\033]8;;https://x.example/\033\\",
    "\xE2\x80\x8B",
    "\xE2\x80\x8D",
    "\xCC\x81",
    "\xC2\xAD",
    "\xEF\xBB\xBF",
    "\xE2\x82",
    "\xFF",
    "\xC3\xA9",
    "\xE6\xBC\xA2",
    "\xF0\x9F\x98\x80",
    "\a",
    "\b",
    "\x7f",
    "\033[",
    "\033P1$r0m\033\\",
    "\033[1\r;31m",
    "\xE2\x94\x80",
    "\xC2",
    "\033]",
    "\x18",
    "\xE2\x81\xA0",
};
static const char *const ordinary[] = {
    "2026-11-18T10:15:01.123Z INFO  server: accepted a connection from 127.0.0.1:52814 (12 of 64)\r\n",
    "-rw-r--r-- 1 user user  4096 Nov 18 10:15 passwords_test.go\r\n",
    "    token = parser.next_token()  # the secret of this parser is its table\r\n",
    "\033[32m  \xE2\x9C\x93\033[0m refreshes the access token when it has expired (12 ms)\r\n",
    "[ 42%] Building C object src/term/CMakeFiles/term.dir/password_input.c.o\r\n",
    "commit 9bcf6424de91ddd794f50e08448ab6ca07cb51bc\r\n",
    "\xE2\x94\x82 src/auth/session.ts              \xE2\x94\x82 100 \xE2\x94\x82  97.3 \xE2\x94\x82\r\n",
    "warning: unused variable 'secret_key' [-Wunused-variable]\r\n",
    "  \"integrity\": \"sha512-3oMdQ8zbEz6S3NGDVXnBdMTVcTQ2q7HkWnqjMPl0tHqk5Yg==\",\r\n",
    "The quick brown fox jumps over the lazy dog, and nothing of that is anybody's business.\r\n",
    "password: string; // the type of the field\r\n",
    "curl -sSL https://example.com/install.sh | sh -s -- --yes\r\n",
    "Authorization: Bearer ${TOKEN}\r\n",
    "\r\n",
};

static void add(struct buf *out, const char *const *list, size_t n) {
    (void)buf_append_span(out, span_str(list[cases_below((uint32_t)n)]));
}

static void add_token(struct buf *out, const struct redact_token *t, bool loose) {
    struct span alphabet = span_str(alphabets[t->alphabet]);
    uint32_t n = t->min + cases_below(MIN((uint32_t)(t->max - t->min), 40U) + 1), dots = t->dots;
    if (cases_one_in(8)) n = t->max;
    if (loose && cases_one_in(4)) n += cases_one_in(2) ? 1 : -1U;
    if (loose && cases_one_in(5)) dots += cases_one_in(2) ? 1 : -1U;
    if (t->inside) (void)buf_append_char(out, (char)('0' + cases_below(10)));
    (void)buf_append_span(out, span_str(t->prefix));
    size_t begin = out->n;
    uint32_t width = cases_one_in(3) ? 4 + cases_below(60) : UINT32_MAX;
    size_t line_break = cases_below(ARRAY_LEN(breaks));
    for (uint32_t i = 0; i < n; i++) {
        if (i && i % width == 0) (void)buf_append_span(out, span_str(breaks[line_break]));
        cases_sample(out, alphabet, false);
    }
    for (; dots < 8 && dots && out->n > begin; dots--)
        out->p[begin + cases_below((uint32_t)(out->n - begin))] = '.';
    if (loose && cases_one_in(8) && out->n > begin) memset(out->p + begin, 'x', out->n - begin);
}

/* The expressions among the rules: how many, and the one that is asked for. */
static size_t expressions(size_t which, struct span *ret) {
    size_t n = 0;
    for (struct span left = span_str(REDACT_DEFAULTS); left.n;) {
        struct span line = span_split(&left, '\n');
        if (!line.n || line.p[0] == '#') continue;
        if (n == which) *ret = line;
        n++;
    }
    return n;
}

void cases_secret(struct buf *out, size_t rule, bool loose) {
    struct span expression = SPAN_NONE;
    if (rule < REDACT_TOKENS_N) {
        add_token(out, &REDACT_TOKENS[rule], loose);
    } else {
        (void)expressions(rule - REDACT_TOKENS_N, &expression);
        cases_sample(out, expression, loose);
    }
}

/* Makes a secret a near miss, or draws it in some other way. */
static void disturb(struct buf *piece) {
    AUTO(buf) struct buf changed = BUF_INIT(PIECE_BYTES_MAX);
    size_t at = piece->n ? cases_below((uint32_t)piece->n) : 0, skip = 0;
    (void)buf_append(&changed, piece->p, at);
    switch (cases_below(6)) {
    case 0: skip = 1; break;
    case 1: skip = 1 + cases_below(8); break;
    case 2: add(&changed, breaks, ARRAY_LEN(breaks)); break;
    case 3:
    case 4: add(&changed, odd, ARRAY_LEN(odd)); break;
    default: add(&changed, around, ARRAY_LEN(around)); break;
    }
    (void)buf_append_span(&changed, span_skip(buf_span(piece), at + skip));
    buf_clear(piece);
    (void)buf_append_span(piece, buf_span(&changed));
}

static void add_secret(struct buf *out) {
    AUTO(buf) struct buf piece = BUF_INIT(PIECE_BYTES_MAX);
    struct span first;
    uint32_t rule = cases_one_in(2)
                        ? cases_below((uint32_t)REDACT_TOKENS_N)
                        : (uint32_t)REDACT_TOKENS_N + cases_below((uint32_t)expressions(0, &first));
    cases_secret(&piece, rule, cases_one_in(3));
    while (cases_one_in(3))
        disturb(&piece);
    bool title = cases_one_in(12);
    if (title) (void)buf_append_span(out, cases_one_in(3) ? SPAN("\033]") : SPAN("\033]0;"));
    (void)buf_append_span(out, buf_span(&piece));
    if (title) (void)buf_append_span(out, cases_one_in(2) ? SPAN("\007") : SPAN("\033\\"));
}

void cases_ordinary(struct buf *out, size_t bytes) {
    for (size_t end = out->n + bytes; out->n < end;)
        add(out, ordinary, ARRAY_LEN(ordinary));
}

void cases_stream(struct buf *out, size_t bytes) {
    for (size_t end = out->n + bytes; out->n < end;) {
        uint32_t what = cases_below(10);
        if (what < 6)
            add_secret(out);
        else if (what < 8)
            add(out, ordinary, ARRAY_LEN(ordinary));
        else if (what < 9)
            add(out, odd, ARRAY_LEN(odd));
        else
            add(out, breaks, ARRAY_LEN(breaks));
        add(out, around, ARRAY_LEN(around));
    }
}
