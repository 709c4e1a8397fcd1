/*
 * Random output full of half and whole secrets, cut anywhere, against the simplest thing that could be right: all text at once,
 * each pattern by itself. Lengths, escape sequences and what a screen looks like must stay. Here the patterns are somebody's own; what the
 * built-in rules mean is in redact_rules_prop. An argument is the seed of an earlier run.
 */
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/utf8.h"
#include "term/escape.h"
#include "term/redact.h"
#include "term/redact_prefilter.h"
#include "term/vt.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

enum { ROUNDS = 300, TEXT_BYTES = 1 << 16 };

static uint64_t state, first_seed;

/* xorshift64*: good enough to pick cases, the same everywhere. */
static uint32_t below(uint32_t limit) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * 2685821657736338717U) >> 33) % limit;
}

static void NORETURN fail(const char *what, struct span text, struct span got) {
    printf("not ok - seed %" PRIu64 ": %s\n", first_seed, what);
    for (size_t i = 0; i < text.n || i < got.n; i++)
        if (i >= text.n || i >= got.n || text.p[i] != got.p[i]) {
            size_t from = i > 60 ? i - 60 : 0;
            printf("# differ at %zu:\n# %.*s\n# %.*s\n", i, (int)MIN(120, text.n - from), text.p + from,
                   (int)MIN(120, got.n - from), got.p + from);
            break;
        }
    exit(1);
}

/* Our own patterns, others that the prefilter cannot help with, and the same without its help. */
static const char *const sets[] = {
    NULL,
    "(?i)token[=:]\\h*(?<secret>\\S+)\nab+c\n(?<!x)yy(?=z)z?\n^top\\b\n(?i)bearer\\h+\\w{3,}$\n",
    "[0-9]{3,5}\n\\bz\\w*\n(?:a|bc){2,4}=(?<secret>.+?);\n(?<=k)e+y?\n",
    "(?#)(?i)token[=:]\\h*(?<secret>\\S+)\n(?#)(?i)secret[\"']?\\h{0,8}[=:]\\h*(?<secret>\\S+)\n(?#)ghp_\\w{5,}\n",
};

static const char *const pieces[] = {
    "token",
    "TOKEN=",
    "token: ",
    "=",
    ":",
    " ",
    "\r\n",
    "password=",
    "secret",
    "api_key=",
    "abc",
    "a1b2c3d4",
    "\xE2\x94\x82 ",
    " |\r\n| ",
    "\xE2\x80\x8B",
    "hunter2",
    "ghp_",
    "0123456789abcdefghijABCDEF",
    "sk-ant-",
    "eyJhbGciOi",
    ".",
    "-",
    "://",
    "@",
    "user:pw",
    "https",
    "AKIA",
    "IOSFODNN7EXAMPLE",
    "-----BEGIN PRIVATE KEY-----",
    "-----END",
    "bearer ",
    "Authorization: ",
    "\xC3\xA9",
    "\xE6\xBC\xA2",
    "\xF0\x9F\x98\x80",
    "e\xCC\x81",
    "\xE2\x82",
    "\xFF",
    "\033[1;31m",
    "\033[0m",
    "\033[K",
    "\033(B",
    "\033[2C",
    "\033]0;a title\007",
    "\033]8;;\033\\",
    "\t",
    "\a",
    "\b",
    "\r",
    "\033[",
    "12345",
    "yyz",
    "abbbc",
    "top",
    "zzz",
    "bcbca=x;",
    "key",
    "keeey",
    ";",
    "plain words of a program ",
};

static void make_text(struct buf *out) {
    for (uint32_t left = 1 + below(below(5) ? 30 : 200); left; left--)
        (void)buf_append_span(out, span_str(pieces[below(ARRAY_LEN(pieces))]));
}

/* Which bytes are seen, in order. */
static size_t strip(struct span raw, char *text, uint32_t *at) {
    enum escape_state s = ESCAPE_GROUND;
    size_t n = 0;
    for (size_t i = 0; i < raw.n; i++) {
        size_t hidden = s == ESCAPE_GROUND ? redact_hidden(raw, i) : 0;
        if (hidden) {
            i += hidden - 1;
            continue;
        }
        enum escape_kind kind = escape_step(&s, (unsigned char)raw.p[i]);
        if (kind != ESCAPE_TEXT && !(kind == ESCAPE_CONTROL && raw.p[i] >= '\t' && raw.p[i] <= '\r'))
            continue;
        text[n] = raw.p[i];
        at[n++] = (uint32_t)i;
    }
    return n;
}

static void mask_matches(struct span line, struct span text, bool *masked) {
    int code;
    PCRE2_SIZE where;
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    (void)pcre2_set_newline(context, PCRE2_NEWLINE_ANYCRLF);
    pcre2_code *re = pcre2_compile((PCRE2_SPTR)line.p, line.n, PCRE2_MULTILINE, &code, &where, context);
    pcre2_match_data *data = pcre2_match_data_create(16, NULL);
    int group = pcre2_substring_number_from_name(re, (PCRE2_SPTR) "secret");
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(data);
    for (size_t from = 0;
         from <= text.n && pcre2_match(re, (PCRE2_SPTR)text.p, text.n, from, 0, data, NULL) > 0;) {
        const PCRE2_SIZE *secret = group > 0 && at[2 * group] != PCRE2_UNSET ? at + 2 * group : at;
        for (size_t i = secret[0]; i < secret[1]; i++)
            masked[i] = true;
        from = at[1] > from ? at[1] : from + 1;
    }
    pcre2_match_data_free(data);
    pcre2_code_free(re);
    pcre2_compile_context_free(context);
}

/* Were exactly the characters changed that the patterns say? */
static void check_masks(const char *patterns, struct span raw, struct span got) {
    static char text[TEXT_BYTES];
    static uint32_t at[TEXT_BYTES];
    static bool masked[TEXT_BYTES], changed[TEXT_BYTES];
    size_t n = strip(raw, text, at);
    memset(masked, 0, sizeof masked);
    for (struct span left = span_str(patterns); left.n;) {
        struct span line = span_split(&left, '\n');
        if (line.n && line.p[0] != '#') mask_matches(line, span_of(text, n), masked);
    }
    memset(changed, 0, sizeof changed);
    for (size_t i = 0, length; i < n; i += length) {
        length = utf8_sequence(span_of(raw.p + at[i], raw.n - at[i]));
        bool any = false;
        for (size_t k = 0; k < length; k++)
            any |= masked[i + k];
        bool border = span_starts(span_of(raw.p + at[i], raw.n - at[i]), SPAN("\xE2\x94"));
        bool control = (unsigned char)text[i] <= 0x20 || border; /* blanks stay as well */
        bool same = memcmp(raw.p + at[i], got.p + at[i], length ? length : 1) == 0;
        if (any && !control && length && same && !strchr("*", text[i]) && text[i] != '\xCC')
            fail("a secret was left", raw, got);
        if ((!any || control || !length) && !same) fail("what is no secret was masked", raw, got);
        for (size_t k = 0; k < MAX(length, 1); k++)
            changed[at[i] + k] = true;
        length = MAX(length, 1);
    }
    for (size_t i = 0; i < raw.n; i++)
        if (!changed[i] && raw.p[i] != got.p[i]) fail("what is not seen was changed", raw, got);
}

static void feed_in_cuts(const struct redact_set *set, struct span raw, struct buf *out) {
    struct redact *r = redact_new(set);
    uint32_t most = 1 + below(below(2) ? 4 : 300);
    while (raw.n) {
        struct span cut = span_take(raw, 1 + below(most));
        if (redact_feed(r, cut, out) < 0) exit(1);
        raw = span_skip(raw, cut.n);
    }
    (void)redact_flush(r, out);
    redact_free(r);
}

/* The same cells are taken on a screen. */
static void check_screen(struct span raw, struct span got) {
    struct vt *a = vt_new(20, 8, 100, NULL, NULL), *b = vt_new(20, 8, 100, NULL, NULL);
    vt_feed(a, raw.p, raw.n);
    vt_feed(b, got.p, got.n);
    struct vt_view x, y;
    vt_view(a, &x);
    vt_view(b, &y);
    if (x.cursor_col != y.cursor_col || x.cursor_row != y.cursor_row || x.scrollback != y.scrollback)
        fail("the cursor is elsewhere", raw, got);
    for (int row = -(int)x.scrollback; row < (int)x.rows; row++) {
        if (vt_row_wraps(a, row) != vt_row_wraps(b, row)) fail("a row wraps elsewhere", raw, got);
        for (unsigned col = 0; col < x.cols; col++) {
            struct vt_cell c, d;
            vt_cell(a, row, col, &c);
            vt_cell(b, row, col, &d);
            if (c.width != d.width || c.attrs != d.attrs || (c.text_bytes == 0) != (d.text_bytes == 0))
                fail("a cell is different", raw, got);
        }
    }
    vt_free(a);
    vt_free(b);
}

static void play_round(const struct redact_set *set, const char *patterns) {
    AUTO(buf) struct buf raw = BUF_INIT(TEXT_BYTES);
    AUTO(buf) struct buf once = BUF_INIT(TEXT_BYTES);
    AUTO(buf) struct buf cut = BUF_INIT(TEXT_BYTES);
    AUTO(buf) struct buf twice = BUF_INIT(TEXT_BYTES);
    make_text(&raw);
    (void)buf_append_span(&once, buf_span(&raw));
    redact_text(set, once.p, once.n);
    if (patterns) check_masks(patterns, buf_span(&raw), buf_span(&once));
    check_screen(buf_span(&raw), buf_span(&once));
    (void)buf_append_span(&twice, buf_span(&once));
    redact_text(set, twice.p, twice.n);
    for (size_t i = 0; i < once.n; i++) /* what is masked stays so */
        if (once.p[i] == '*' && twice.p[i] != '*')
            fail("a mask was changed", buf_span(&once), buf_span(&twice));
    for (int i = 0; i < 3; i++) {
        buf_clear(&cut);
        feed_in_cuts(set, buf_span(&raw), &cut);
        if (!span_eq(buf_span(&once), buf_span(&cut)))
            fail("in cuts it is different", buf_span(&once), buf_span(&cut));
    }
}

int main(int argc, char **argv) {
    if (argc > 1)
        state = strtoull(argv[1], NULL, 10);
    else if (getrandom(&state, sizeof state, 0) != sizeof state)
        return 1;
    if (!state) state = 1;
    first_seed = state;
    printf("1..1\n# seed %" PRIu64 "\n", state);
    (void)fflush(stdout);
    for (size_t k = 0; k < ARRAY_LEN(sets); k++) {
        struct redact_set *set;
        if (redact_compile(span_str(sets[k]), &set, NULL) < 0) return 1;
        for (int i = 0; i < ROUNDS; i++)
            play_round(set, sets[k]);
        redact_set_free(set);
    }
    printf("ok 1 - masked the same in any pieces\n");
    return 0;
}
