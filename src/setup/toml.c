#include "setup/toml.h"

#include "base/jscan.h"

#include <errno.h>

struct scan {
    struct span text;
    size_t at;
    unsigned depth;
    const char *wrong;
};

static struct span rest(const struct scan *s) {
    return span_skip(s->text, s->at);
}

static bool at_end(const struct scan *s) {
    return s->at >= s->text.n;
}

static char here(const struct scan *s) {
    return at_end(s) ? '\0' : s->text.p[s->at];
}

static bool at_line_end(const struct scan *s) {
    return at_end(s) || here(s) == '\n' || span_starts(rest(s), SPAN("\r\n"));
}

static bool fail(struct scan *s, const char *wrong) {
    s->wrong = wrong;
    return false;
}

static void skip_blanks(struct scan *s) {
    while (here(s) == ' ' || here(s) == '\t')
        s->at++;
}

static void skip_to_line_end(struct scan *s) {
    while (!at_line_end(s))
        s->at++;
}

static void skip_line_end(struct scan *s) {
    if (here(s) == '\r') s->at++;
    if (here(s) == '\n') s->at++;
}

/* Blanks, line ends and comments, as they may stand inside of brackets. */
static void skip_space(struct scan *s) {
    for (;;) {
        skip_blanks(s);
        if (here(s) == '#')
            skip_to_line_end(s);
        else if (!at_end(s) && at_line_end(s))
            skip_line_end(s);
        else
            return;
    }
}

static bool skip_long_string(struct scan *s, char quote) {
    const char end[] = {quote, quote, quote};
    size_t begin = s->at;
    s->at += 3;
    while (!span_starts(rest(s), span_of(end, 3))) {
        if (at_end(s)) {
            s->at = begin;
            return fail(s, "this string has no end");
        }
        s->at += quote == '"' && here(s) == '\\' ? 2 : 1;
    }
    s->at += 3;
    for (int i = 0; i < 2 && here(s) == quote; i++) /* quotes before the last three belong to it */
        s->at++;
    return true;
}

static bool skip_string(struct scan *s) {
    char quote = here(s);
    const char three[] = {quote, quote, quote};
    if (span_starts(rest(s), span_of(three, 3))) return skip_long_string(s, quote);
    size_t begin = s->at++;
    while (here(s) != quote) {
        if (at_line_end(s)) {
            s->at = begin;
            return fail(s, "this string has no end");
        }
        s->at += quote == '"' && here(s) == '\\' ? 2 : 1;
    }
    s->at++;
    return true;
}

static bool is_bare(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

static bool skip_name(struct scan *s) {
    for (;;) {
        size_t begin = s->at;
        if (here(s) == '"' || here(s) == '\'') {
            if (!skip_string(s)) return false;
        } else {
            while (is_bare(here(s)))
                s->at++;
        }
        if (s->at == begin) return fail(s, "a name is missing");
        size_t end = s->at;
        skip_blanks(s);
        if (here(s) != '.') {
            s->at = end;
            return true;
        }
        s->at++;
        skip_blanks(s);
    }
}

static bool skip_value(struct scan *s);

static bool skip_member(struct scan *s) {
    if (!skip_name(s)) return false;
    skip_blanks(s);
    if (here(s) != '=') return fail(s, "an equals sign is missing");
    s->at++;
    skip_blanks(s);
    return skip_value(s);
}

static bool skip_brackets(struct scan *s) {
    bool table = here(s) == '{';
    char close = table ? '}' : ']';
    size_t begin = s->at++;
    for (;;) {
        skip_space(s);
        if (here(s) == close) break;
        if (at_end(s)) {
            s->at = begin;
            return fail(s, "this bracket is not closed");
        }
        if (table ? !skip_member(s) : !skip_value(s)) return false;
        skip_space(s);
        if (here(s) == ',')
            s->at++;
        else if (here(s) != close)
            return fail(s, table ? "a comma or a } is missing" : "a comma or a ] is missing");
    }
    s->at++;
    return true;
}

/* A number, a date, true: anything up to what ends a value. */
static bool skip_scalar(struct scan *s) {
    size_t begin = s->at, end = begin;
    while (!at_line_end(s) && !strchr(",]}#[{\"'=", here(s))) {
        if (here(s) != ' ' && here(s) != '\t') end = s->at + 1;
        s->at++;
    }
    s->at = end;
    return end > begin || fail(s, "a value is missing");
}

static bool skip_value(struct scan *s) {
    char c = here(s);
    if (c == '"' || c == '\'') return skip_string(s);
    if (c != '[' && c != '{') return skip_scalar(s);
    if (s->depth == TOML_DEPTH_MAX) return fail(s, "the brackets are nested too deeply");
    s->depth++;
    bool ok = skip_brackets(s);
    s->depth--;
    return ok;
}

static bool skip_header(struct scan *s, struct toml_item *item) {
    bool element = span_starts(rest(s), SPAN("[["));
    s->at += element ? 2 : 1;
    skip_blanks(s);
    size_t begin = s->at;
    if (!skip_name(s)) return false;
    item->kind = element ? TOML_ELEMENT : TOML_TABLE;
    item->name = span_of(s->text.p + begin, s->at - begin);
    skip_blanks(s);
    if (!span_starts(rest(s), element ? SPAN("]]") : SPAN("]"))) return fail(s, "a ] is missing");
    s->at += element ? 2 : 1;
    return true;
}

static bool skip_key(struct scan *s, struct toml_item *item) {
    size_t begin = s->at;
    if (!skip_name(s)) return false;
    item->kind = TOML_KEY;
    item->name = span_of(s->text.p + begin, s->at - begin);
    skip_blanks(s);
    if (here(s) != '=') return fail(s, "an equals sign is missing");
    s->at++;
    skip_blanks(s);
    size_t value = s->at;
    if (!skip_value(s)) return false;
    item->value = span_of(s->text.p + value, s->at - value);
    return true;
}

static bool skip_item(struct scan *s, struct toml_item *item) {
    if (here(s) == '#')
        item->kind = TOML_COMMENT;
    else if (here(s) == '[' ? !skip_header(s, item) : !skip_key(s, item))
        return false;
    skip_blanks(s);
    if (here(s) == '#') skip_to_line_end(s);
    return at_line_end(s) || fail(s, "something follows on the line that does not belong there");
}

int toml_refuse(struct span text, const char *at, struct err *err, const char *wrong) {
    size_t line = 1, column = 1;
    for (const char *p = text.p; p < at; p++) {
        column = *p == '\n' ? 1 : column + ((*p & 0xc0) != 0x80);
        line += *p == '\n';
    }
    return err_set(err, -EINVAL, "line %zu, column %zu: %s", line, column, wrong);
}

int toml_next(struct span text, size_t *at, struct toml_item *ret, struct err *err) {
    struct scan s = {.text = text, .at = *at};
    if (s.at == 0 && span_starts(text, SPAN("\xef\xbb\xbf"))) s.at = 3;
    size_t begin;
    for (;;) {
        begin = s.at;
        skip_blanks(&s);
        if (at_end(&s)) return 0;
        if (!at_line_end(&s)) break;
        skip_line_end(&s);
    }
    *ret = (struct toml_item){0};
    if (!skip_item(&s, ret)) return toml_refuse(text, text.p + MIN(s.at, text.n), err, s.wrong);
    ret->text = span_of(text.p + begin, s.at - begin);
    skip_line_end(&s);
    *at = s.at;
    return 1;
}

/* What quotes enclose: JSON's escapes are most of TOML's; a name with others stays as it is written. */
static struct span unquote(struct span quoted, struct arena *arena) {
    struct span inner = span_of(quoted.p + 1, quoted.n - 2), s;
    return quoted.p[0] == '"' && jscan_string(quoted, arena, &s) == 0 ? s : inner;
}

bool toml_name_next(struct span *name, struct arena *arena, struct span *ret) {
    struct scan s = {.text = *name};
    skip_blanks(&s);
    if (at_end(&s)) return false;
    size_t begin = s.at;
    bool quoted = here(&s) == '"' || here(&s) == '\'';
    if (quoted ? !skip_string(&s) : false) return false;
    while (!quoted && is_bare(here(&s)))
        s.at++;
    struct span part = span_of(name->p + begin, s.at - begin);
    *ret = quoted ? unquote(part, arena) : part;
    skip_blanks(&s);
    if (here(&s) == '.') s.at++;
    *name = span_skip(*name, s.at);
    return s.at > 0;
}

bool toml_child_next(struct span value, size_t *at, struct span *ret_name, struct span *ret_value) {
    bool table = value.n && value.p[0] == '{';
    if (!table && (!value.n || value.p[0] != '[')) return false;
    struct scan s = {.text = value, .at = *at ? *at : 1};
    skip_space(&s);
    if (*at && here(&s) == ',') s.at++;
    skip_space(&s);
    size_t name = s.at;
    if (at_end(&s) || here(&s) == (table ? '}' : ']')) return false;
    if (table) {
        if (!skip_name(&s)) return false;
        *ret_name = span_of(value.p + name, s.at - name);
        skip_blanks(&s);
        if (here(&s) != '=') return false;
        s.at++;
        skip_blanks(&s);
    }
    size_t begin = s.at;
    if (!skip_value(&s)) return false;
    *ret_value = span_of(value.p + begin, s.at - begin);
    *at = s.at;
    return true;
}

bool toml_string(struct span value, struct arena *arena, struct span *ret) {
    bool quoted = value.n >= 2 && (value.p[0] == '"' || value.p[0] == '\'');
    if (!quoted || (value.n >= 6 && value.p[1] == value.p[0])) return false;
    *ret = unquote(value, arena);
    return true;
}
